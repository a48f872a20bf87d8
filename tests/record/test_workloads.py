"""The same prompts asked in several ways stand side by side; nothing else does."""

import math

import pytest

import factories
from factories import BASELINE, mtp
from speculoos.record.summary import Summary, summarise
from speculoos.record.workloads import sessions, side_by_side

PLAIN = {BASELINE: [10, 10.1, 10], mtp(1): [12, 12.1, 12]}
THINKING = {BASELINE: [10, 10.1, 10], mtp(1): [15, 15.1, 15.2]}


def _summary(rates, **request) -> Summary:
    record = factories.measurement(*factories.blocks(rates))
    changed = record.request.model_copy(update=request)
    return summarise(record.model_copy(update={"request": changed}))


def test_every_setting_stands_there_in_each_way():
    """The plain way first; the change is against it, with an interval."""
    both = [_summary(THINKING, reasoning=True), _summary(PLAIN)]
    ways = side_by_side(both)
    assert [(w.point.settings.label, w.reasoning) for w in ways] == [
        ("baseline", False), ("baseline", True), ("n_max 1", False), ("n_max 1", True),
    ]  # fmt: skip
    change = ways[-1].change
    assert change.value == pytest.approx(1.25, rel=0.01)
    assert ways[2].change is None
    halves = [math.log(w.point.speedup.high / w.point.speedup.value) for w in ways[2:]]
    assert math.log(change.high / change.value) == pytest.approx(math.hypot(*halves))


def test_a_single_way_and_the_same_way_twice_have_nothing_beside_them():
    """A repetition is no other way."""
    assert side_by_side([_summary(PLAIN)]) == ()
    assert side_by_side([_summary(PLAIN), _summary(PLAIN)]) == ()


def test_one_slot_and_several_are_never_one_session():
    """Nor are other prompts or longer texts; reasoning and depth are."""
    plain = _summary(PLAIN)
    ways = [_summary(PLAIN, reasoning=True), _summary(PLAIN, depth=4096)]
    foreign = [_summary(PLAIN, parallel=4), _summary(PLAIN, max_tokens=64)]
    assert [len(group) for group in sessions([plain, *ways, *foreign])] == [3, 1, 1]
