"""What may happen to the process of a real server while it is measured, and to its surroundings."""

import errno
import os
import resource
import signal
import time
from pathlib import Path

import psutil
import pytest

from measure.harm import (
    after_sample,
    command,
    in_a_request,
    script,
    slow_down,
    the_server,
)
from speculoos.measure.run import BaselineFailedError, Failed, Sampled
from speculoos.measure.server import Server, ServerError, free_port
from speculoos.parts.models import smollm2
from speculoos.parts.servers import ServerPart, builds
from speculoos.record import faults
from speculoos.record.store import load_measurement, sha256_of
from speculoos.record.summary import summarise

pytestmark = pytest.mark.usefixtures("nothing_left")

LONG = {"extra": ("-c", "4096", "-t", "1"), "max_tokens": 3900, "request_timeout_s": 120.0}
"""A request lasts about a second."""
STILL = {"max_tokens": 2500, "request_timeout_s": 12.0}
"""A busy machine ends a request well before its deadline, which the test waits for."""


def _assert_only(record, events, label: str, kind: str, after: int) -> None:
    """One setting failed in this way; what it had is kept, and all others are whole."""
    for run in record.runs:
        if run.settings.label == label:
            assert (run.incident.kind, run.incident.after_samples) == (kind, after)
            assert len(run.samples) == after
        else:
            assert run.incident is None
            assert len(run.samples) == 3
    (told,) = [event.sentence for event in events if isinstance(event, Failed)]
    assert faults.by_kind(kind).remedy in told


HARMS = {
    "killed": (psutil.Process.kill, "SIGKILL"),
    "illegal-instruction": (lambda process: process.send_signal(signal.SIGILL), "SIGILL"),
    "crash": (lambda process: process.send_signal(signal.SIGSEGV), "SIGSEGV"),
}


@pytest.mark.parametrize("kind", HARMS)
def test_a_server_that_dies_in_a_request_is_told_by_how_it_died(measured, build, tiny, kind: str):
    """In mid-stream or before the answer: what came before it is kept, the rest is measured."""
    act, name = HARMS[kind]
    then = after_sample(1, "n_max 1", in_a_request(act))
    record, events = measured(build.path, tiny, then, **LONG)
    _assert_only(record, events, "n_max 1", kind, 1)
    (run,) = [run for run in record.runs if run.incident]
    assert run.incident.signal == name


def test_a_server_that_stands_still_in_a_request_is_given_up_and_ended(measured, build, tiny):
    """A deadline per request, whatever /health said before; a stopped process is ended too."""
    then = after_sample(1, "n_max 1", in_a_request(psutil.Process.suspend))
    record, events = measured(build.path, tiny, then, **{**LONG, **STILL})
    _assert_only(record, events, "n_max 1", "no-answer", 1)


def test_a_server_that_stands_still_between_requests_is_given_up(measured, server, tiny: Path):
    """Then it is its counters that do not come."""
    then = after_sample(1, "n_max 1", psutil.Process.suspend)
    record, events = measured(server.path, tiny, then)
    _assert_only(record, events, "n_max 1", "no-answer", 1)


def test_a_slow_server_is_measured_all_the_same(measured, build, tiny: Path):
    """It stands still nine tenths of the time: slow is a figure, not a fault."""
    then = after_sample(1, "n_max 1", slow_down)
    record, _ = measured(build.path, tiny, then, max_tokens=60)
    assert [len(run.samples) for run in record.runs] == [3, 3, 3]
    assert all(run.incident is None for run in record.runs)


def test_a_server_that_somebody_stops_is_told(measured, build, tiny: Path):
    """It ends in good order, with exit code 0, which is no reason to trust it."""
    then = after_sample(2, "n_max 3", lambda process: (process.terminate(), process.wait()))
    record, events = measured(build.path, tiny, then)
    _assert_only(record, events, "n_max 3", "stopped", 2)


def test_two_faults_in_one_measurement_are_told_apart(measured, build, tiny: Path):
    """One setting is killed, the next is stopped, the third is whole."""
    kill = after_sample(1, "n_max 1", psutil.Process.kill)
    stop = after_sample(2, "n_max 2", lambda process: (process.terminate(), process.wait()))
    record, _ = measured(
        build.path, tiny, lambda event: (kill(event), stop(event)), depths=(1, 2, 3), blocks=2
    )
    found = {run.settings.label: run for run in record.runs[: len(record.runs) // 2]}
    assert found["n_max 1"].incident.kind == "killed"
    assert found["n_max 2"].incident.kind == "stopped"
    assert sum(len(run.samples) for run in record.runs) == 2 * 12 - 2 - 1


def test_memory_that_runs_out_is_told(measured, build, tiny: Path, tmp_path: Path):
    """The system refuses memory to one setting: its remedy is told, the others are measured."""
    binary = script(
        tmp_path / "poor.sh",
        'case "$*" in *"n-max 3"*) ulimit -v 450000;; esac',
        f'exec "{build.path}" "$@"',
    )
    record, events = measured(binary, tiny)
    _assert_only(record, events, "n_max 3", "out-of-memory", 0)


def test_a_context_too_large_for_the_memory_is_told(measured, build, tiny: Path, tmp_path: Path):
    """The baseline cannot start; the sentence says what to make smaller."""
    binary = script(tmp_path / "poor.sh", "ulimit -v 1500000", f'exec "{build.path}" "$@"')
    with pytest.raises(BaselineFailedError, match="smaller context"):
        measured(binary, tiny, extra=("-c", "5000000"))


FOREIGN = [build for build in builds(quantised=False) if build not in builds()]
"""Builds whose kernels for quantised weights use instructions that this processor lacks."""


if FOREIGN:  # a skipped test would count as a failure where this processor runs them all

    @pytest.mark.parametrize("name", [build.name for build in FOREIGN])
    def test_a_build_for_another_processor_is_told(measured, servers, cache: Path, name: str):
        """A quantised model needs instructions that are not there: SIGILL, and what to do."""
        part = next(part for part in servers if part.build == name)
        with pytest.raises(BaselineFailedError, match="built for another processor"):
            measured(part.path, smollm2(cache), depths=(1,), max_tokens=8)


def test_a_full_disk_ends_the_measurement_and_spoils_nothing(
    measured, server: ServerPart, tiny: Path, tmp_path: Path
):
    """The record keeps its last whole state; no part of a file is left."""
    out = tmp_path / "measurements" / "rig" / "2026-11-29-test.yaml"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(event: object) -> None:
        if isinstance(event, Sampled) and len(load_measurement(out).record.runs) == 2:
            resource.setrlimit(resource.RLIMIT_FSIZE, (out.stat().st_size, before[1]))

    try:
        with pytest.raises(OSError, match=os.strerror(errno.EFBIG)):
            measured(server.path, tiny, fill)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    kept = load_measurement(out).record
    assert [len(run.samples) for run in kept.runs] == [3, 1]
    assert not list(out.parent.glob("*.part"))


def test_a_file_replaced_during_a_measurement_is_noticed(measured, server, tiny, tmp_path: Path):
    """The hashes of the record belong to the files that were there at the beginning."""
    model = tmp_path / "model.gguf"
    model.write_bytes(tiny.read_bytes())
    replace = after_sample(3, "baseline", lambda _: os.utime(model, (1, 1)))
    record, events = measured(server.path, model, replace, blocks=2)
    wrong = {run.incident.kind for run in record.runs if run.incident}
    assert wrong == {"file-changed"}
    told = "".join(event.sentence for event in events if isinstance(event, Failed))
    assert "model.gguf has been replaced" in told


def test_a_port_that_is_taken_is_changed_for_another(build, tiny: Path, tmp_path: Path):
    """A second server answers /health on the port: the child gets a port of its own."""
    with Server(command(build, tiny, tmp_path / "one")) as other:
        ports = iter([other.port, free_port()])
        with Server(command(build, tiny, tmp_path / "two"), lambda: next(ports)) as running:
            assert running.port != other.port
            assert running.owns_port()


@pytest.mark.parametrize("known", ["by the system", "by the key alone"])
def test_the_server_of_another_is_never_measured(
    build, tiny: Path, tmp_path: Path, monkeypatch, known: str
):
    """No other port is to be had: told as a taken port or another server, whoever notices."""
    with Server(command(build, tiny, tmp_path / "one")) as other:
        if known == "by the key alone":
            monkeypatch.setattr(Server, "owns_port", lambda _: None)
        with pytest.raises(ServerError) as caught:
            Server(command(build, tiny, tmp_path / "two"), lambda: other.port).__enter__()
        assert caught.value.incident.kind in {"port-taken", "other-server"}
        assert other.client.healthy()


def test_how_a_server_behind_a_wrapper_died_is_told_as_if_there_were_none(
    measured, build, tiny: Path, tmp_path: Path
):
    """A shell says 137 where its child was killed; memory is the server's, not the shell's."""
    binary = script(tmp_path / "wrapper.sh", f'"{build.path}" "$@"', "exit $?")
    then = after_sample(1, "n_max 1", psutil.Process.kill)
    record, events = measured(binary, tiny, then)
    _assert_only(record, events, "n_max 1", "killed", 1)
    (run,) = [run for run in record.runs if run.incident]
    assert (run.incident.signal, run.incident.exit_code) == ("SIGKILL", None)
    assert all(run.memory.resident_mib > 10 for run in record.runs)
    assert {run.proof.program_sha256 for run in record.runs} == {sha256_of(build.path)}
    assert record.build.sha256 == sha256_of(binary)


BASELINE = "baseline"


def test_a_baseline_that_something_ends_is_asked_for_the_rest(measured, build, tiny: Path):
    """Without it nothing compares: one more start in the first block, and all is compared."""
    kill = after_sample(1, BASELINE, psutil.Process.kill)
    record, events = measured(build.path, tiny, kill, blocks=2)
    assert [event.settings.label for event in events if isinstance(event, Failed)] == [BASELINE]
    own = [run for run in record.runs if run.settings.label == BASELINE]
    assert [len(run.samples) for run in own] == [1, 2, 3]
    assert own[0].incident.kind == "killed"
    assert summarise(record).blocks == 2
    assert {p.settings.label for p in summarise(record).points if p.speedup} == {
        "n_max 1",
        "n_max 3",
    }


def test_a_baseline_that_always_dies_ends_the_measurement(measured, server, tiny: Path):
    """After its second start; what was measured is in the file."""
    kill = lambda event: (  # noqa: E731 - every sample of it is its last
        isinstance(event, Sampled)
        and event.settings.label == BASELINE
        and (the_server().kill(), time.sleep(0.1))
    )
    with pytest.raises(BaselineFailedError, match="SIGKILL"):
        measured(server.path, tiny, kill)
