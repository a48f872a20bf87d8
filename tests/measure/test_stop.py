"""What ends a measurement: a narrow interval, the blocks, the budget."""

from dataclasses import replace
from pathlib import Path

import pytest

from measure.simulated import Machine, machine, measured
from speculoos.measure.clock import Clock
from speculoos.measure.pace import Timing, time_baseline
from speculoos.measure.plan import Plan
from speculoos.measure.preset import cut
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.run import Stopped
from speculoos.measure.schedule import (
    History,
    Pace,
    Start,
    most_requests,
    next_start,
    requests_left,
)
from speculoos.parts.servers import ServerPart
from speculoos.record.summary import summarise


@pytest.fixture
def plan() -> Plan:
    """A grid of two depths that may stop early."""
    return Plan(
        binary=Path("llama-server"),
        model=Path("model.gguf"),
        spec_type="draft-mtp",
        depths=(1, 2),
        prompts=find_prompt_set("mixed-1", []),
        blocks=5,
        narrow=0.02,
    )


def _machine(plan: Plan, noise: float) -> Machine:
    return replace(machine(1, plan), start_noise=noise, request_noise=noise)


def test_a_narrow_interval_of_three_blocks_is_enough_with_one_more(plan: Plan):
    """A quiet machine needs no more; the last block was not chosen for being lucky."""
    history, limit = measured(plan, _machine(plan, 0.002))
    assert limit == "narrow"
    assert max(done.block for done in history.done) == 4


def test_a_wide_interval_ends_with_the_last_block(plan: Plan):
    """A noisy machine gets every block."""
    history, limit = measured(plan, _machine(plan, 0.1))
    assert limit == "blocks"
    assert len(history.done) == 15


def test_a_plan_without_a_limit_measures_every_block(plan: Plan):
    """However narrow the interval is."""
    history, limit = measured(replace(plan, narrow=None), _machine(plan, 0.0001))
    assert (limit, len(history.done)) == ("blocks", 15)


def test_a_block_that_does_not_fit_the_budget_is_not_begun(plan: Plan):
    """Half a block compares nothing; the first one is always tried."""
    on = _machine(plan, 0.05)
    history, _ = measured(replace(plan, blocks=1), on)
    assert next_start(plan, history, Pace(left_s=29, budget_s=100, start_s=10)) == "budget"
    assert isinstance(next_start(plan, history, Pace(31, 100, 10)), Start)
    assert isinstance(next_start(plan, History(()), Pace(29, 100, 10)), Start)
    assert next_start(plan, History(()), Pace(0, 100, 10)) == "budget"


def test_exploring_takes_half_of_the_budget_at_most(plan: Plan):
    """The rest is for what the answer rests on."""
    search = replace(plan, search=True, depths=tuple(range(1, 9)))
    history, _ = measured(search, machine(0, search))
    count = sum(done.block == 1 for done in history.done)
    first = History(history.done[: count - 1])
    assert next_start(search, first).phase == "explore"
    assert next_start(search, first, Pace(49, 100, 1)).phase is None


def test_a_depth_that_is_surely_worse_is_not_started_after_two_confirming_blocks(plan: Plan):
    """Time goes to what may be the best; the baseline stays."""
    search = replace(plan, search=True, depths=tuple(range(1, 9)), narrow=None)
    history, _ = measured(search, replace(machine(2, search), start_noise=0.0, request_noise=0.0))
    by_block = [history.in_block(block, without=()) for block in range(2, 7)]
    assert [len(settings) for settings in by_block] == [3, 3, 2, 2, 2]
    assert all(search.settings[0] in settings for settings in by_block)


def test_the_requests_left_are_never_more_than_were_told(plan: Plan):
    """What the display counts down ends at nothing."""
    search = replace(plan, search=True, depths=tuple(range(1, 9)), narrow=None)
    for wanted in (plan, search):
        history, _ = measured(wanted, machine(2, wanted))
        for at in range(len(history.done)):
            start = next_start(wanted, History(history.done[:at]))
            rest = sum(len(done.run.samples) for done in history.done[at:])
            assert rest <= requests_left(wanted, start) <= most_requests(wanted)


def test_a_budget_ends_a_real_measurement_in_time(measured, server: ServerPart, tiny: Path):
    """The limit is stored, what was measured is kept, nothing is called a fault."""
    record, events = measured(server.path, tiny, blocks=50, budget_s=6.0)
    assert events[-1] == Stopped("budget")
    assert record.design.stopped == "budget"
    assert "at most 6 s" in record.design.stop_rule
    assert record.runs
    assert not any(run.incident for run in record.runs)


def test_a_real_measurement_says_that_its_blocks_ended_it(measured, server: ServerPart, tiny: Path):
    """Stored and told."""
    record, events = measured(server.path, tiny)
    assert (record.design.stopped, events[-1]) == ("blocks", Stopped("blocks"))
    assert record.design.method == "grid"
    assert [s.label for s in record.design.settings] == ["baseline", "n_max 1", "n_max 3"]


def test_a_real_search_explores_and_confirms(measured, server: ServerPart, tiny: Path):
    """Both are stored; the interval rests on what was confirmed."""
    changes = {"depths": tuple(range(1, 7)), "search": True, "blocks": 2, "max_tokens": 12}
    record, _ = measured(server.path, tiny, **changes)
    phases = [run.phase for run in record.runs]
    assert phases == sorted(phases, key=lambda phase: phase is None)
    assert record.design.method == "search"
    assert len(record.design.order) == record.design.blocks == 3
    found = summarise(record)
    assert found.blocks == 2
    assert sum(point.speedup.low is not None for point in found.points) == 2
    assert all(point.explored == (point.speedup.low is None) for point in found.points)


def test_one_start_of_the_baseline_tells_how_long_it_takes(
    plan: Plan, server: ServerPart, tiny: Path, tmp_path: Path
):
    """Start, prompt and token, each by its own clock."""
    real = replace(
        plan,
        binary=server.path,
        model=tiny,
        prompts=find_prompt_set("cycle-1", []),
        extra=("-c", "512"),
        logs=tmp_path,
    )
    timing = time_baseline(real, Clock())
    assert timing.ready_s > 0
    assert timing.token_s > 0
    assert timing.start_s(replace(real, max_tokens=256)) > timing.start_s(real)
    assert time_baseline(replace(real, extra=("--no-such-flag",)), Clock()) is None
    assert time_baseline(real, Clock(0.0)) is None


@pytest.mark.parametrize("token_s", [0.001, 0.02, 0.05])
def test_a_quick_measurement_fits_its_minute(plan: Plan, token_s: float):
    """Two depths, blocks enough for an interval, as many tokens as the time allows."""
    timing = Timing(ready_s=0.5, prompt_s_per_letter=token_s / 50, token_s=token_s)
    whole = replace(plan, depths=tuple(range(1, 9)), blocks=3)
    part = cut(whole, timing, 60)
    starts = part.blocks * len(part.settings)
    assert starts * timing.start_s(part) < 60
    assert part.blocks >= 2
    assert len(part.depths) >= 2
    assert len(part.asked) >= 3


def test_a_machine_too_slow_for_a_minute_gets_the_least_that_has_an_interval(plan: Plan):
    """Two degrees of freedom, as few and as short texts as there are."""
    part = cut(plan, Timing(ready_s=60, prompt_s_per_letter=0.1, token_s=1), 60)
    assert (len(part.asked), part.max_tokens) == (2, 16)
    assert (len(part.settings) - 1) * (part.blocks - 1) == 2


def test_one_depth_in_a_minute_gets_three_blocks(plan: Plan):
    """Two blocks of one depth leave one degree of freedom: no answer in any time."""
    one = replace(plan, depths=(2,), blocks=3)
    for token_s in (0.001, 0.05, 1):
        part = cut(one, Timing(ready_s=0.5, prompt_s_per_letter=0.001, token_s=token_s), 60)
        assert part.blocks == 3


def test_a_loaded_block_is_measured_again(plan: Plan):
    """As many more as the plan allows; the stop rule counts the quiet ones alone."""
    again = replace(plan, repeats=2)
    on = _machine(plan, 0.1)
    history, limit = measured(again, on, loaded={2, 3, 4})
    assert (limit, max(done.block for done in history.done)) == ("blocks", 7)
    quiet = _machine(plan, 0.002)
    history, limit = measured(again, quiet, loaded={2})
    assert (limit, max(done.block for done in history.done)) == ("narrow", 5)
    assert set(history.speedups(again, 6)) == {"n_max 1", "n_max 2"}
    history, _ = measured(replace(plan, repeats=0), on, loaded={2, 3, 4})
    assert max(done.block for done in history.done) == 5


def test_a_budget_too_small_for_another_block_ends_with_the_loaded_one(plan: Plan):
    """The budget is never more than was given, whatever happened in a block."""
    again = replace(plan, repeats=2, blocks=1)
    history, _ = measured(again, _machine(plan, 0.1), loaded={1})
    first = History(history.done[:3])
    assert next_start(again, first).block == 2
    assert next_start(again, first, Pace(left_s=29, budget_s=100, start_s=10)) == "budget"
