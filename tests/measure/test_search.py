"""The search finds what a grid finds, with fewer starts; the grid stays the grid."""

from dataclasses import replace
from pathlib import Path

import pytest

from measure.simulated import machine, measured
from speculoos.measure.plan import Plan
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.schedule import Done, History, Start, next_start
from speculoos.measure.search import first_rungs, ladder

DEPTHS = tuple(range(1, 17))
MACHINES = 120


@pytest.fixture(scope="module")
def plan() -> Plan:
    """A search over sixteen depths with the usual stop rule."""
    return Plan(
        binary=Path("llama-server"),
        model=Path("model.gguf"),
        spec_type="draft-mtp",
        depths=DEPTHS,
        prompts=find_prompt_set("mixed-1", []),
        blocks=5,
        narrow=0.02,
        search=True,
    )


@pytest.fixture(scope="module")
def searched(plan: Plan):
    """Every machine with its history and what ended it."""
    machines = [machine(seed, plan) for seed in range(MACHINES)]
    return [(each, *measured(plan, each)) for each in machines]


def _answer(plan: Plan, history: History) -> int:
    """The smallest depth that cannot be told from the best; 0 where nothing is gained."""
    found = history.speedups(plan, plan.last_block + 1)
    best = max(found.values(), key=lambda ratio: ratio.value)
    near = [label for label, r in found.items() if r.high >= best.value and r.low > 1]
    return min((int(label.removeprefix("n_max ")) for label in near), default=0)


def test_the_search_comes_within_three_percent_of_the_true_best(plan: Plan, searched):
    """On at least 95 of 100 machines of usual noise, from four families."""
    good = 0
    for each, history, _ in searched:
        best = max(each.rate(n) for n in (0, *DEPTHS))
        good += each.rate(_answer(plan, history)) >= 0.97 * best
    assert good / MACHINES >= 0.95


def test_the_search_needs_far_fewer_starts_than_the_grid(plan: Plan, searched):
    """Half of a grid of three blocks at most, on average; never as many as a grid."""
    grid = 3 * len(plan.settings)
    starts = [len(history.done) for _, history, _ in searched]
    assert sum(starts) / MACHINES < grid / 2
    assert max(starts) < grid


def test_what_is_confirmed_is_measured_anew(plan: Plan, searched):
    """The interval rests on starts that did not choose the candidates."""
    for _, history, _ in searched:
        phases = {(done.run.phase, done.block == 1) for done in history.done}
        assert phases == {("explore", True), (None, False)}


def test_the_stated_speedup_is_not_too_good(plan: Plan, searched):
    """Choosing the best of many overstates it; fresh data stay within one percent on average."""
    over = []
    for each, history, _ in searched:
        label, ratio = max(
            history.speedups(plan, plan.last_block + 1).items(), key=lambda pair: pair[1].value
        )
        over.append(ratio.value * each.rate(0) / each.rate(int(label.removeprefix("n_max "))) - 1)
    assert abs(sum(over) / MACHINES) < 0.01


def test_every_block_has_a_baseline_and_two_depths_at_most(searched):
    """From the third block on what is clearly beaten is not started again."""
    for _, history, _ in searched:
        for block in range(2, max(done.block for done in history.done) + 1):
            depths = [d.run.settings.n_max for d in history.done if d.block == block]
            assert None in depths
            assert len(depths) <= 3


def test_a_search_goes_on_as_if_it_had_not_stopped(plan: Plan):
    """What comes next depends on what was measured alone."""
    history, _ = measured(plan, machine(3, plan))
    for count in range(len(history.done)):
        following = next_start(plan, History(history.done[:count]))
        assert isinstance(following, Start)
        done = history.done[count]
        assert (following.settings, following.block) == (done.run.settings, done.block)


def test_a_run_in_the_middle_of_exploring_is_completed_first(plan: Plan):
    """An interrupted start decides nothing until its prompts are all asked."""
    history, _ = measured(plan, machine(3, plan))
    *before, last = history.done[:6]
    half = last.run.model_copy(update={"samples": last.run.samples[:3]})
    following = next_start(plan, History((*before, Done(last.block, half))))
    assert isinstance(following, Start)
    assert following.settings == last.run.settings
    assert [p.id for p in following.prompts] == [p.id for p in plan.asked[3:]]


def test_a_grid_starts_every_setting_in_every_block(plan: Plan):
    """No search, no limit: all of it, as planned."""
    grid = replace(plan, search=False, narrow=None, depths=(1, 2, 3), blocks=2)
    history, limit = measured(grid, machine(1, grid))
    assert limit == "blocks"
    assert len(history.done) == 8
    for block in (1, 2):
        order = [d.run.settings for d in history.done if d.block == block]
        assert order == list(grid.order(block))


@pytest.mark.parametrize(
    ("depths", "rungs"),
    [
        (range(1, 17), (1, 3, 7, 15, 16)),
        (range(1, 9), (1, 3, 7, 8)),
        (range(1, 7), (1, 3, 6)),
        ((12, 24, 48, 64, 96), (12, 24, 48, 96)),
    ],
)
def test_rungs_double_the_batch(depths, rungs):
    """Just before the batches of 4, 8 and 16; of what was asked for."""
    assert ladder(tuple(depths)) == rungs
    assert first_rungs(tuple(depths)) == rungs[:3]
