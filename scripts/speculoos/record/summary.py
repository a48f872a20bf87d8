"""What a measurement says: points with intervals, a recommendation, warnings. Computed on read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from speculoos.record import metrics
from speculoos.record.types import NO_SPECULATION, Incident, Measurement, Run, Sample, Settings

NO_GAIN = 1.02
"""A gain that cannot exceed this is called none: 2 % is what the method can resolve."""
NOISY_SPREAD = 0.05
"""Blocks of the baseline further apart than this give a warning."""

Verdict = Literal["use", "off", "undecided"]


@dataclass(frozen=True)
class Point:
    """One setting: what it gives over all its samples."""

    settings: Settings
    samples: tuple[Sample, ...]
    tokens_per_second: float | None
    speedup: metrics.Interval | None
    acceptance_rate: float | None
    acceptance_by_position: tuple[float, ...]
    mean_acceptance_length: float | None
    step_cost: float | None
    same_text: tuple[int, int] | None
    """Samples with the baseline's very text, and samples compared."""
    incident: Incident | None

    @property
    def n_max(self) -> int | None:
        """The swept value; None for the baseline and for types without a depth."""
        return self.settings.n_max


@dataclass(frozen=True)
class Recommendation:
    """`use` with an n_max, `off`, or `undecided`; `why` names the reason, `figures` fill it in."""

    verdict: Verdict
    n_max: int | None
    why: str
    figures: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Warn:
    """Something a reader must know; `kind` is also the anchor of its pitfall."""

    kind: str
    figures: tuple[tuple[str, float | str], ...] = ()


@dataclass(frozen=True)
class Summary:
    """The reading of one measurement."""

    measurement: Measurement
    baseline: Point | None
    points: tuple[Point, ...]
    recommendation: Recommendation
    warnings: tuple[Warn, ...]
