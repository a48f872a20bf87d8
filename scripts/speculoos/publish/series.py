"""What figures draw: the values of measurements as lines of dots."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from speculoos.publish.results import Result, advised
from speculoos.publish.text import Language
from speculoos.record import metrics
from speculoos.record.advice import LEAST_FREEDOM
from speculoos.record.point import Point
from speculoos.record.types import Sample
from speculoos.record.usage import telling


@dataclass(frozen=True)
class Dot:
    """One value of a figure; no bounds where the data give none."""

    x: int | None
    name: str
    value: float
    low: float | None = None
    high: float | None = None

    @property
    def bounded(self) -> bool:
        """Whether it has an interval to draw."""
        return self.low is not None and self.high is not None


@dataclass(frozen=True)
class Line:
    """The dots of one measurement, and the settings that ended in an incident."""

    label: str
    dots: tuple[Dot, ...]
    broken: tuple[tuple[int | None, str], ...] = ()
    observed: bool = False
    """Seen in use, not measured: it is drawn with another sign."""


def recommended(results: Iterable[Result]) -> list[Dot]:
    """What each measurement advises, as one dot with its interval; the withdrawn are left out."""
    kept = [r for r in results if r.kind == "measured" and not r.measurement.withdrawn]
    found = [(p, p.speedup) for p in map(advised, kept) if p and p.speedup]
    dots = [Dot(p.n_max, p.settings.label, ratio.value, *bounds(ratio)) for p, ratio in found]
    return [dot for dot in dots if dot.low is not None]


def speedups(result: Result, language: Language) -> Line:
    """Speed-up of every setting over the baseline, with its interval."""
    points = result.summary.points
    return Line(
        result.title(language),
        tuple(
            Dot(p.n_max, p.settings.label, p.speedup.value, *bounds(p.speedup))
            for p in points
            if p.speedup
        ),
        tuple((p.n_max, p.settings.label) for p in points if p.incident and not p.speedup),
    )


def bounds(ratio: metrics.Interval) -> tuple[float | None, float | None]:
    """An interval that rests on one degree of freedom is wider than any axis: it is not drawn."""
    return (ratio.low, ratio.high) if ratio.freedom >= LEAST_FREEDOM else (None, None)


def acceptance(result: Result, language: Language) -> Line:
    """Acceptance up to each position at the deepest setting; the bounds are over the prompts.

    Of a server in use, they are over its windows.
    """
    found, title = result.usage, result.title(language)
    if found is not None:
        windows = [[window] for window in telling(found.observation.windows)]
        dots = _positions(found.acceptance_by_position, windows)
        return Line(title, dots, observed=True)
    deep = max(result.summary.points, key=lambda p: len(p.acceptance_by_position), default=None)
    if deep is None:
        return Line(title, ())
    dots = _positions(deep.acceptance_by_position, _by_prompt(deep))
    return Line(f"{title} ({deep.settings.label})", dots)


def _positions(
    shares: Iterable[float], parts: Iterable[Sequence[metrics.Counted]]
) -> tuple[Dot, ...]:
    of_parts = [metrics.acceptance_by_position(part) for part in parts]
    dots = []
    for index, share in enumerate(shares):
        seen = [one[index] for one in of_parts if len(one) > index]
        ends = (min(seen), max(seen)) if len(seen) > 1 else (None, None)
        dots.append(Dot(index + 1, str(index + 1), share, *ends))
    return tuple(dots)


def _by_prompt(point: Point) -> list[list[Sample]]:
    names = sorted({sample.prompt for sample in point.samples})
    return [[s for s in point.samples if s.prompt == name] for name in names]
