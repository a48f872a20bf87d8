"""What a measurement says: points with intervals, a recommendation, warnings. Computed on read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from speculoos.record.advice import LEAST_FREEDOM, PROOF, SYNTHETIC, Recommendation, advise, made_up
from speculoos.record.arms import differences
from speculoos.record.blocks import (
    BASELINE,
    Rates,
    block_rates,
    complete_blocks,
    explored_and_confirmed,
    valid,
)
from speculoos.record.equality import Equal
from speculoos.record.metrics import Interval
from speculoos.record.point import Point, points_of
from speculoos.record.surroundings import Load, load_of, stability_warnings, surroundings_warnings
from speculoos.record.types import Measurement
from speculoos.record.warn import Warn

WIDE = 0.2
"""Half-width from which on an interval of too few blocks is warned of."""


@dataclass(frozen=True)
class Summary:
    """The reading of one measurement."""

    measurement: Measurement
    baseline: Point | None
    points: tuple[Point, ...]
    recommendation: Recommendation
    warnings: tuple[Warn, ...]
    blocks: int
    """Complete blocks that the intervals rest on."""

    @property
    def freedom(self) -> int:
        """Degrees of freedom of the noise that all settings share."""
        return max((p.speedup.freedom for p in self.points if p.speedup), default=0)

    @property
    def parallel(self) -> int:
        """Slots that were asked at once."""
        request = self.measurement.request
        return (request.parallel if request else None) or 1


def summarise(measurement: Measurement) -> Summary:
    """Points, recommendation and warnings of a `measured` or `observed` record."""
    exploring, deciding = explored_and_confirmed(measurement.runs)
    load = load_of(deciding)
    rates = block_rates(deciding, load.set_aside)
    points = {**points_of(exploring, explored=True), **points_of(deciding, load.set_aside)}
    baseline = points.pop(BASELINE, None)
    ordered = tuple(sorted(points.values(), key=lambda point: point.n_max or 0))
    advice = advise(baseline, ordered, rates, load)
    return Summary(
        measurement=measurement,
        baseline=baseline,
        points=ordered,
        recommendation=_without_a_verdict(measurement) or advice,
        warnings=tuple(_warnings(measurement, baseline, ordered, rates, load)),
        blocks=complete_blocks(rates),
    )


def _without_a_verdict(measurement: Measurement) -> Recommendation | None:
    if measurement.purpose:
        return PROOF
    return SYNTHETIC if made_up(measurement.runs) else None


def _warnings(
    measurement: Measurement,
    baseline: Point | None,
    points: Sequence[Point],
    rates: Rates,
    load: Load,
) -> Iterator[Warn]:
    yield from surroundings_warnings(measurement, load)
    yield from stability_warnings(rates.get(BASELINE, {}))
    yield from _incidents(measurement)
    for point in points:
        if point.texts and point.acceptance_rate is None and not point.incident:
            yield Warn("nothing-drafted", {"setting": point.settings.label})
    yield from _text_differs(points, baseline.same_text if baseline else None)
    few = [ratio.freedom for ratio in _wide(points) if ratio.freedom < LEAST_FREEDOM]
    if few:
        yield Warn("wide", {"freedom": min(few)})
    if made_up(measurement.runs):
        yield Warn("synthetic")
    yield from _comparability(measurement)
    if measurement.design is not None and measurement.design.stopped == "interrupted":
        yield Warn("interrupted")
    if measurement.withdrawn:
        yield Warn("withdrawn")


def _wide(points: Sequence[Point]) -> Iterator[Interval]:
    for point in points:
        if point.speedup and not point.explored and (point.speedup.half_width or 0) > WIDE:
            yield point.speedup


def _comparability(measurement: Measurement) -> Iterator[Warn]:
    """What keeps runs from being compared, or makes their texts another work."""
    runs = measurement.runs
    if any(not valid(run) and run.incident is None for run in runs):
        yield Warn("invalid-samples")
    other = {each.run for each in differences(runs, "prompt_n")}
    if other:
        labels = sorted({runs[at].settings.label for at in other})
        yield Warn("other-prompt", {"setting": ", ".join(labels), "runs": len(other)})
    ends = {each.run for each in differences(runs, "finish")} - other
    if ends:
        labels = sorted({runs[at].settings.label for at in ends})
        yield Warn("other-end", {"setting": ", ".join(labels), "runs": len(ends)})


def _incidents(measurement: Measurement) -> Iterator[Warn]:
    """Each way that a setting failed, once; the baseline may have failed too, and recovered."""
    failed = [(run.settings, run.incident.kind) for run in measurement.runs if run.incident]
    for settings, kind in sorted(set(failed), key=lambda each: (each[0].n_max or 0, each[1])):
        yield Warn("incident", {"setting": settings.label, "kind": kind})


def _text_differs(points: Sequence[Point], itself: Equal | None) -> Iterator[Warn]:
    """With the baseline's own repeats beside it, where there are any."""
    found = [(point.settings.label, point.same_text) for point in points if point.same_text]
    differ = [(label, *same) for label, same in found if same[0] < same[1]]
    if not differ:
        return
    compared = sum(count for *_, count in differ)
    figures: dict[str, float | str] = {
        "setting": ", ".join(label for label, *_ in differ),
        "differ": compared - sum(same for _, same, _ in differ),
        "compared": compared,
    }
    if itself is None:
        yield Warn("text-differs", figures)
    else:
        control = {"itself": itself[1] - itself[0], "repeats": itself[1]}
        yield Warn("text-differs-controlled", {**figures, **control})
