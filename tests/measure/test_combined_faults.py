"""Several faults in one measurement: each is told as it is, and what is whole stays whole."""

import os
import signal
from pathlib import Path

import psutil
import pytest

from measure.harm import after_sample, behind_a_proxy, in_a_request, script
from measure.load import load_of_others
from speculoos.measure.run import Failed, Stopped
from speculoos.parts.servers import ServerPart
from speculoos.record import faults
from speculoos.record.summary import summarise

pytestmark = pytest.mark.usefixtures("nothing_left")

DEPTHS = (1, 3, 5)


def _abort(process: psutil.Process) -> None:
    process.send_signal(signal.SIGABRT)


def _found(record) -> dict[str, tuple[str | None, int]]:
    """Of every setting in the first block: its incident and how many samples it has."""
    first = record.runs[: len(record.design.order[0])]
    kinds = ((run, run.incident.kind if run.incident else None) for run in first)
    return {run.settings.label: (kind, len(run.samples)) for run, kind in kinds}


def test_a_crash_and_a_hang_in_one_measurement_are_told_apart(measured, build, tiny: Path):
    """n_max 3 aborts in an answer, n_max 5 stands still in one: the rest is compared."""
    crash = after_sample(1, "n_max 3", in_a_request(_abort))
    hang = after_sample(2, "n_max 5", in_a_request(psutil.Process.suspend))
    long = {"extra": ("-c", "4096", "-t", "1"), "max_tokens": 2500, "request_timeout_s": 12.0}
    record, events = measured(
        build.path, tiny, lambda event: (crash(event), hang(event)), depths=DEPTHS, **long
    )
    assert _found(record) == {
        "baseline": (None, 3),
        "n_max 1": (None, 3),
        "n_max 3": ("crash", 1),
        "n_max 5": ("no-answer", 2),
    }
    told = {event.settings.label: event.sentence for event in events if isinstance(event, Failed)}
    assert faults.by_kind("crash").remedy in told["n_max 3"]
    assert faults.by_kind("no-answer").remedy in told["n_max 5"]
    compared = {point.settings.label for point in summarise(record).points if point.speedup}
    assert compared == {"n_max 1"}


def test_a_start_that_fails_and_an_answer_that_is_cut_leave_the_rest(
    measured, server: ServerPart, tiny: Path, tmp_path: Path
):
    """One setting never starts, another breaks off, over two blocks: neither is tried in vain."""
    proxied = behind_a_proxy(server, tmp_path, "cut")
    dead = '*"n-max 3"*) echo "error: it is broken"; exit 7'
    binary = script(tmp_path / "both.sh", f'case "$*" in {dead};; esac', f'exec "{proxied}" "$@"')
    record, _ = measured(binary, tiny, depths=DEPTHS, blocks=2)
    found = _found(record)
    assert found["n_max 3"] == ("crash", 0)
    assert found["n_max 1"] == ("cut-answer", 1)
    assert found["baseline"] == found["n_max 5"] == (None, 3)
    assert [run.incident.exit_code for run in record.runs if run.settings.n_max == 3] == [7, 7]
    (point,) = [point for point in summarise(record).points if point.n_max == 5]
    assert point.speedup.low is not None


def test_a_budget_ends_the_repeats_of_a_loaded_machine(measured, server: ServerPart, tiny: Path):
    """Every block is loaded, so that each is measured again: until the time is over, no longer."""
    long = {"depths": (1,), "max_tokens": 400, "extra": ("-c", "1024", "-t", "1")}
    with load_of_others(os.cpu_count() or 1):
        record, events = measured(server.path, tiny, blocks=1, repeats=50, budget_s=15.0, **long)
    assert events[-1] == Stopped("budget")
    assert record.design.stopped == "budget"
    assert (record.design.repeated or 0) == len(record.design.order) - 1
    assert not any(run.incident for run in record.runs)
    assert record.runs[0].samples
