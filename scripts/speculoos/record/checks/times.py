from collections.abc import Iterator

from speculoos.record.checks.every import every_sample
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement, Sample
from speculoos.record.warn import Warn

_ROUNDED_MS = 1.0
"""Two clocks, and numbers that were rounded."""
_WAITING_MS = 1000.0
_SHORTEST_MS = 0.01
"""A pass of the smallest model on the fastest machine takes more than ten microseconds."""


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    waiting = []
    for key, _run, sample in every_sample(document.record):
        inside = sample.prompt_ms + sample.predicted_ms
        if sample.wall_ms < inside - _ROUNDED_MS:
            text = (
                f"{sample.wall_ms:g} ms around a request that took {inside:g} ms inside; "
                "give every time in milliseconds"
            )
            yield document.problem((*key, "wall_ms"), text)
        if _too_short(sample):
            text = (
                f"{sample.predicted_ms:g} ms for {sample.predicted_n} tokens, which no machine "
                "can do; is it in seconds? Give milliseconds"
            )
            yield document.problem((*key, "predicted_ms"), text)
        elif sample.wall_ms > 2 * inside + _WAITING_MS:
            waiting.append((key, sample.wall_ms, inside))
    for key, wall, inside in waiting[:1]:
        text = (
            f"{wall:g} ms around a request that took {inside:g} ms inside, and {len(waiting) - 1} "
            "more like it; is a time in seconds, or did something wait?"
        )
        yield document.caution((*key, "wall_ms"), text, Warn("waiting", {"count": len(waiting)}))


def _too_short(sample: Sample) -> bool:
    passes = sample.predicted_n - 1 - (sample.draft_n_accepted or 0)
    return passes > 0 and sample.predicted_ms < passes * _SHORTEST_MS


RULE = Rule("times", "Times are milliseconds, and the whole is no shorter than its parts.", _check)
