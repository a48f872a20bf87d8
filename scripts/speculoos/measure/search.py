"""Which depths are worth a start: one pass each to explore, fresh data to confirm the best.

A prediction only says what to measure next; every answer is measured.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from speculoos.record.types import Sample

_RUNGS = 3
"""Depths that are started in any case."""
_HOPE = 0.01
_DOUBT = 0.03
"""How much better a depth may be than predicted, and how much an optimistic prediction is worth."""
_CLIMB = 0.02
"""A deeper rung is started if it can come this close to the best."""


@dataclass(frozen=True)
class Seen:
    """One depth after one pass over the prompts; 0 is the baseline."""

    depth: int
    samples: tuple[Sample, ...]

    @property
    def rate(self) -> float:
        """Log of tokens per millisecond."""
        return log(sum(map(_tokens, self.samples)) / sum(s.predicted_ms for s in self.samples))

    @property
    def step_ms(self) -> float:
        """Milliseconds of one pass of the model, its draft included."""
        return sum(s.predicted_ms for s in self.samples) / sum(map(_passes, self.samples))

    def passes(self, depth: float) -> float:
        """Passes that a depth up to this one needs for the same texts.

        Prompt by prompt: whether a guess is right does not depend on where its step began.
        """
        return sum(_tokens(s) / _per_pass(s, depth) for s in self.samples)

    def tokens_per_pass(self, depth: float) -> float:
        """E(depth), over all texts."""
        return sum(map(_tokens, self.samples)) / self.passes(depth)

    def accepted_at_the_end(self) -> float:
        """S(depth): the share of passes whose whole draft was accepted."""
        deepest = self.depth - 1
        right = (s.accepted_per_position or () for s in self.samples)
        return sum(row[deepest] for row in right if len(row) > deepest) / self.passes(self.depth)


def _tokens(sample: Sample) -> int:
    return max(sample.predicted_n - 1, 1)


def _passes(sample: Sample) -> int:
    return max(_tokens(sample) - (sample.draft_n_accepted or 0), 1)


def _per_pass(sample: Sample, depth: float) -> float:
    accepted = sum((sample.accepted_per_position or ())[: int(depth)])
    return 1 + accepted / _passes(sample)


def ladder(depths: Sequence[int]) -> tuple[int, ...]:
    """Rungs to start with, then those to climb to: 1, 3, 7, 15, as far as they are asked for.

    A draft of n is verified in a batch of n + 1, and kernels are made for batches of 2, 4, 8, 16:
    a depth beyond one of them can cost a step more, so the rungs stand just before.
    """
    batch = max(2, min(depths) + 1)
    rungs: list[int] = []
    while not rungs or rungs[-1] != max(depths):
        aim = batch * 2 ** len(rungs) - 1
        near = min(depths, key=lambda depth: abs(depth - aim))
        rungs.append(near if near not in rungs else max(depths))
    return tuple(rungs)


def first_rungs(depths: Sequence[int]) -> tuple[int, ...]:
    """The rungs that are started in any case."""
    return ladder(depths)[:_RUNGS]


def next_depth(depths: Sequence[int], seen: Sequence[Seen]) -> int | None:
    """The next depth to explore, or None where none promises more than the best so far."""
    by_depth = {each.depth: each for each in seen}
    best = max(each.rate for each in seen)
    if rung := _next_rung(depths, by_depth, best):
        return rung
    promises = dict(_promises(depths, by_depth))
    depth = max(promises, key=lambda each: promises[each], default=None)
    return depth if depth is not None and promises[depth] >= best else None


def _next_rung(depths: Sequence[int], seen: dict[int, Seen], best: float) -> int | None:
    """A deeper rung, where even one that is accepted like the deepest guess so far might pay."""
    deepest = max(seen)
    further = [rung for rung in ladder(depths) if rung > deepest]
    if not deepest or not further:
        return None
    own = seen[deepest]
    steps = own.tokens_per_pass(deepest)
    gain = log((steps + (further[0] - deepest) * own.accepted_at_the_end()) / steps)
    return further[0] if own.rate + gain >= best - _CLIMB else None


def _promises(depths: Sequence[int], seen: dict[int, Seen]) -> Iterator[tuple[int, float]]:
    """What each depth between two that were measured may give, as a log rate."""
    known = sorted(seen)
    for low, high in pairwise(known):
        between = _Between(seen[low], seen[high])
        for depth in depths:
            if low < depth < high:
                yield depth, between.promise(depth)


@dataclass(frozen=True)
class _Between:
    """Two depths that were measured, and what they say of those between."""

    low: Seen
    high: Seen

    def _model(self, depth: int) -> float:
        """Log rate from the acceptance at `high` and a step time on the line between both."""
        part = (depth - self.low.depth) / (self.high.depth - self.low.depth)
        step_ms = self.low.step_ms + part * (self.high.step_ms - self.low.step_ms)
        return log(self.high.tokens_per_pass(depth)) - log(step_ms)

    def promise(self, depth: int) -> float:
        """The prediction, or an optimistic one that is worth less."""
        part = (depth - self.low.depth) / (self.high.depth - self.low.depth)
        at_low = self.low.rate - self._model(self.low.depth)
        at_high = self.high.rate - self._model(self.high.depth)
        likely = self._model(depth) + at_low + part * (at_high - at_low)
        hopeful = max(likely, self._model(depth) + at_high)
        return max(likely + _HOPE, hopeful - _DOUBT)
