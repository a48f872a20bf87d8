"""The clock of a budget, and the program that it ends."""

import io
import os
import time
from math import isfinite
from pathlib import Path

import pytest
from rich.console import Console

from measure.harm import command
from speculoos.measure import clock
from speculoos.measure.child import KILL, Child
from speculoos.measure.client import Ask, Client
from speculoos.measure.clock import BudgetSpentError, Clock, allowing, process_began
from speculoos.measure.exchange import Exchange, NoAnswerError
from speculoos.measure.server import Server, version_of
from speculoos.verbs.budget import BudgetTooSmallError, Hashed


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that is set by hand."""
    at = [1000.0]
    monkeypatch.setattr(clock.time, "monotonic", lambda: at[0])
    return at


def test_a_budget_counts_from_its_beginning_and_keeps_a_reserve(now: list[float]):
    """What was spent before the clock was made counts; two seconds are for the end."""
    spent = Clock(60, began=990)
    assert (spent.left_s, spent.spent_s) == (48, 10)
    spent.check()
    now[0] += 48
    with pytest.raises(BudgetSpentError):
        spent.check()


@pytest.mark.parametrize("seconds", [0.3, 3, 6, 600])
def test_a_budget_can_be_made_for_what_is_needed(now: list[float], seconds: float):
    """The reserve comes on top."""
    assert Clock(allowing(seconds), began=now[0]).left_s == pytest.approx(seconds)


def test_without_a_budget_there_is_no_end():
    """Neither is anything killed."""
    assert not isfinite(Clock().until)
    Clock().check()


def test_the_imports_of_a_program_count():
    """A program has begun before any of its lines ran."""
    assert time.monotonic() - 60 < process_began() < time.monotonic()


def test_a_child_is_killed_at_its_moment(tmp_path: Path):
    """Whatever it does with a TERM, and while nobody looks at the clock."""
    script = ["/bin/sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"]
    child = Child(script, tmp_path / "log", os.environ, time.monotonic() + 0.3)
    child.wait(60)
    assert child.exit_code == -KILL
    child.end()


def test_a_version_that_never_comes_is_given_up(tmp_path: Path):
    """Together with what a script has started: it would hold the pipe open."""
    script = tmp_path / "llama-server"
    script.write_text("#!/bin/sh\necho version: 1\nsleep 600\n")
    script.chmod(0o755)
    assert version_of(script, time.monotonic() + 1) == ["version: 1"]


@pytest.mark.usefixtures("nothing_left")
def test_an_answer_ends_with_the_time_of_its_server(server, tiny: Path, tmp_path: Path):
    """Nobody waits for the last of a hundred thousand tokens."""
    start = command(server, tiny, tmp_path, "-c", "110000")
    with Server(start) as running:
        soon = Client(Exchange(running.port, running.key, time.monotonic() + 0.2))
        ask = Ask(100_000, temperature=0, seed=1, stream=False, deadline_s=600)
        with pytest.raises(NoAnswerError) as caught:
            soon.complete("abc", ask)
    assert caught.value.timed_out


def test_a_long_hash_tells_how_far_it_is(now: list[float]):
    """In a plain log, a line every ten seconds."""
    log, size = io.StringIO(), 40_000_000
    source = Hashed(io.BytesIO(bytes(size)), "big.gguf", size, Console(file=log), Clock())
    for _ in range(3):
        source.read(10_000_000)
        now[0] += 6
    assert log.getvalue() == "big.gguf: 30 of 40 MB read, about 4 s left\n"


def test_a_hash_that_outlasts_the_budget_tells_how_long_it_takes(now: list[float]):
    """From the share that is read: a tenth in 20 seconds; the 10 s before it count too."""
    file, size = io.BytesIO(bytes(1000)), 1000
    spent = Clock(30, began=990)
    source = Hashed(file, "big.gguf", size, Console(file=io.StringIO()), spent)
    source.read(50)
    now[0] += 20
    with pytest.raises(BudgetTooSmallError) as caught:
        source.read(50)
    assert str(caught.value) == (
        "the budget of 30 s ended while big.gguf was read for its SHA-256, which takes about 3 min "
        "the first time; give more than 4 min"
    )
