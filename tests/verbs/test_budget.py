"""The time that a person gives is never exceeded, and what it is too small for is told."""

import re
from pathlib import Path

import psutil
import pytest

from speculoos.record.store import load_measurement

FEW = ("--prompts", "cycle-1", "--n-max", "1-2")
HEEDS_NO_TERM = "trap '' TERM; sleep 600 & wait; wait; wait"
"""Waits until somebody kills it."""


@pytest.fixture
def behind(tmp_path: Path, server: Path):
    """The real server behind a script that does something before every start."""

    def script(before: str) -> Path:
        path = tmp_path / "llama-server"
        asked = f'[ "$1" = --version ] || {{ {before}; }}'
        path.write_text(f'#!/bin/sh\n{asked}\nexec "{server}" "$@"\n')
        path.chmod(0o755)
        return path

    return script


def _measure(speculoos, binary: Path, tiny: Path, budget: str, *options: str):
    args = ("--server", binary, "--model", tiny, *FEW, "--budget", budget, *options)
    return speculoos("measure", *args)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("measurements/*/2*.yaml"))


def test_a_server_that_never_gets_ready_ends_with_the_budget(
    speculoos, behind, tiny: Path, tmp_path: Path
):
    """Although it heeds no TERM; one line says what must fit, and no process stays behind."""
    done = _measure(speculoos, behind(HEEDS_NO_TERM), tiny, "10s")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "the budget of 10 s ended" in line
    assert "llama-server had not answered by then; 3 starts" in line
    assert _files(tmp_path) == []
    names = [" ".join(each.info["cmdline"] or ()) for each in psutil.process_iter(["cmdline"])]
    assert not any(str(tmp_path) in name for name in names)


def test_an_answer_under_way_is_given_up_when_the_budget_ends(
    speculoos, server: Path, tiny: Path, tmp_path: Path
):
    """It would take minutes; it is not counted, and is no fault of the server."""
    endless = ("--max-tokens", "100000", "--", "-c", "110000")
    done = _measure(speculoos, server, tiny, "9s", *endless)
    assert done.returncode == 1
    assert re.search(r"about \d+ (s|min) are needed for 3 starts", done.stderr)
    for file in _files(tmp_path):
        record = load_measurement(file).record
        assert record.design.stopped == "budget"
        assert not any(run.incident for run in record.runs)


def test_a_budget_too_small_for_a_block_loses_nothing(
    speculoos, behind, tiny: Path, tmp_path: Path
):
    """It says how much is needed; the same command goes on with --resume and more time."""
    starts = tmp_path / "starts"
    third = f'echo >>"{starts}"; [ "$(wc -l <"{starts}")" -ne 3 ] || sleep 600'
    slow, few = behind(third), ("--blocks", "1", "--", "-c", "512", "-t", "1")
    done = _measure(speculoos, slow, tiny, "15s", *few)
    assert done.returncode == 1
    needed = re.search(r"about (\d+) s are needed for 3 starts", done.stderr)
    assert needed
    (file,) = _files(tmp_path)
    before = [s for run in load_measurement(file).record.runs for s in run.samples]
    assert before
    assert "--resume goes on" in done.stderr
    enough = f"{60 + 2 * int(needed[1])}s"
    again = _measure(speculoos, slow, tiny, enough, "--resume", *few)
    assert again.returncode == 0, again.stderr
    after = [s for run in load_measurement(file).record.runs for s in run.samples]
    assert after[: len(before)] == [
        s.model_copy(update={"first_difference": a.first_difference})
        for s, a in zip(before, after, strict=False)
    ]


def test_several_ways_share_one_budget(speculoos, server: Path, tiny: Path, tmp_path: Path):
    """The first gets its half at the most, the second what the first left."""
    _measure(
        speculoos, server, tiny, "16s", "--blocks", "50", "--depth", "0,64", "--", "-c", "1024"
    )
    records = [load_measurement(file).record for file in _files(tmp_path)]
    first, second = sorted(records, key=lambda record: record.request.depth or 0)
    assert _given_s(first) <= 16 / 2
    assert _given_s(second) <= 16 - sum(s.wall_ms for r in first.runs for s in r.samples) / 1000


def _given_s(record) -> float:
    return float(re.search(r"at most ([\d.]+) s", record.design.stop_rule)[1])


@pytest.mark.parametrize("budget", ["0.01s", "0.3s"])
def test_a_budget_that_the_start_of_the_program_spends_is_told(
    speculoos, server: Path, tiny: Path, tmp_path: Path, budget: str
):
    """Exit 1, one line, no file."""
    done = _measure(speculoos, server, tiny, budget)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "ended before anything was started" in done.stderr
    assert _files(tmp_path) == []
