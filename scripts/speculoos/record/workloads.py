"""The same prompts asked in several ways: with reasoning or without, at depths of the context.

Each way is a measurement with a baseline of its own; here their answers stand side by side.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from speculoos.record.metrics import Interval, ratio_of
from speculoos.record.point import Point
from speculoos.record.summary import Summary
from speculoos.record.types import Measurement

_WAYS = {"reasoning", "depth", "stream"}
"""Of a request, what may differ between the ways, and what is read off the server."""


@dataclass(frozen=True)
class Way:
    """One setting, asked in one way."""

    reasoning: bool
    depth: int
    point: Point
    change: Interval | None
    """Its speed-up over that of the first way; None for the first."""


def session_of(one: Measurement) -> tuple[Any, ...] | None:
    """What measurements have in common that differ in the way of asking alone; None for others."""
    request = one.request
    if one.kind != "measured" or request is None or one.machine is None:
        return None
    parts = (one.build, one.model, one.draft_model)
    hashes = tuple(part.sha256 if part else None for part in parts)
    asked = request.model_dump(exclude=_WAYS)
    spec_types = frozenset(run.settings.spec_type for run in one.runs)
    return (one.date, one.machine.id, hashes, tuple(asked.items()), one.server, spec_types)


def sessions(summaries: Iterable[Summary]) -> list[list[Summary]]:
    """Those that belong to one session together; each once."""
    found: dict[tuple[Any, ...], list[Summary]] = {}
    for each in summaries:
        if (session := session_of(each.measurement)) is not None:
            found.setdefault(session, []).append(each)
    return list(found.values())


def side_by_side(summaries: Iterable[Summary]) -> tuple[Way, ...]:
    """Every setting in each way that it was asked, the plain way first; empty for a single way."""
    ordered = sorted(summaries, key=_way)
    ways = {_way(each) for each in ordered}
    if len(ways) == 1 or len(ways) < len(ordered):
        return ()
    labels = dict.fromkeys(label for each in ordered for label in _by_label(each))
    return tuple(way for label in labels for way in _ways(label, ordered))


def _ways(label: str, ordered: Sequence[Summary]) -> Iterator[Way]:
    first: Interval | None = None
    for each in ordered:
        point = _by_label(each).get(label)
        if point is None:
            continue
        change = ratio_of(point.speedup, first) if first and point.speedup else None
        first = first or point.speedup
        depth, reasoning = _way(each)
        yield Way(reasoning, depth, point, change)


def _by_label(summary: Summary) -> dict[str, Point]:
    points = (summary.baseline, *summary.points)
    return {point.settings.label: point for point in points if point and not point.explored}


def _way(summary: Summary) -> tuple[int, bool]:
    request = summary.measurement.request
    return (request.depth or 0, request.reasoning) if request else (0, False)
