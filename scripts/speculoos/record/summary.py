"""What a measurement says: points with intervals, a recommendation, warnings. Computed on read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from speculoos.record import metrics
from speculoos.record.blocks import (
    BASELINE,
    Rates,
    block_rates,
    by_label,
    complete_blocks,
    explored_and_confirmed,
    prompt_rates,
    valid,
)
from speculoos.record.equality import Equal, same_as_itself, same_text
from speculoos.record.surroundings import stability_warnings, surroundings_warnings
from speculoos.record.types import Incident, Measurement, Run, Sample, Settings
from speculoos.record.warn import Warn

NO_GAIN = 1.02
"""A gain that cannot exceed this is called none: 2 % is what the method resolves."""

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
    same_text: Equal | None
    """Samples with the baseline's very text, and samples compared; for the baseline, its repeats
    against its own first text."""
    incident: Incident | None
    explored: bool = False
    """Seen while exploring only: its speed-up has no interval and decides nothing."""
    speedup_of_such_prompts: metrics.Interval | None = None
    """The speed-up for prompts like these; `speedup` is the one of these very prompts."""

    @property
    def n_max(self) -> int | None:
        """The swept value; None for the baseline and for types without a depth."""
        return self.settings.n_max


@dataclass(frozen=True)
class Recommendation:
    """`use` with an n_max, `off` or `undecided`; `why` is a slug, `figures` fill its sentence."""

    verdict: Verdict
    why: str
    n_max: int | None = None
    figures: Mapping[str, float] | None = None
    equals: tuple[int, ...] = ()
    """Every n_max that cannot be told from the best, the best included."""


_PROOF = Recommendation("undecided", "instrument")
"""A model that proves the instrument says nothing about a machine, however fast it is."""


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


def summarise(measurement: Measurement) -> Summary:
    """Points, recommendation and warnings of a `measured` or `observed` record."""
    exploring, deciding = explored_and_confirmed(measurement.runs)
    rates = block_rates(deciding)
    points = {**_points(exploring, explored=True), **_points(deciding)}
    baseline = points.pop(BASELINE, None)
    ordered = tuple(sorted(points.values(), key=lambda point: point.n_max or 0))
    blocks = complete_blocks(rates)
    return Summary(
        measurement=measurement,
        baseline=baseline,
        points=ordered,
        recommendation=_PROOF if measurement.purpose else _recommend(baseline, ordered, blocks),
        warnings=tuple(_warnings(measurement, baseline, ordered, rates)),
        blocks=blocks,
    )


def _points(runs: Sequence[Run], *, explored: bool = False) -> dict[str, Point]:
    found = by_label(runs)
    rates = block_rates(runs)
    intervals = metrics.speedup_intervals(rates, BASELINE) if rates else {}
    return {name: _point(name, found, intervals.get(name), explored=explored) for name in found}


def _point(
    name: str,
    runs: Mapping[str, Sequence[Run]],
    speedup: metrics.Interval | None,
    *,
    explored: bool,
) -> Point:
    own = runs[name]
    samples = tuple(sample for run in own for sample in run.samples)
    length = metrics.mean_acceptance_length(samples)
    per_pass = metrics.tokens_per_pass(samples) or length
    return Point(
        settings=own[0].settings,
        samples=samples,
        tokens_per_second=metrics.tokens_per_second(samples),
        speedup=speedup,
        acceptance_rate=metrics.acceptance_rate(samples),
        acceptance_by_position=metrics.acceptance_by_position(samples),
        mean_acceptance_length=length,
        step_cost=metrics.step_cost(per_pass, speedup.value) if per_pass and speedup else None,
        same_text=_same_text(name, samples, runs),
        incident=next((run.incident for run in own if run.incident), None),
        explored=explored,
        speedup_of_such_prompts=_of_such_prompts(speedup, own, runs.get(BASELINE, ())),
    )


def _of_such_prompts(
    speedup: metrics.Interval | None, own: Sequence[Run], baseline: Sequence[Run]
) -> metrics.Interval | None:
    rates, reference = prompt_rates(own), prompt_rates(baseline)
    ratios = [rate / reference[prompt] for prompt, rate in rates.items() if prompt in reference]
    return metrics.interval_of_such_prompts(speedup, ratios) if speedup else None


def _same_text(
    name: str, samples: Sequence[Sample], runs: Mapping[str, Sequence[Run]]
) -> Equal | None:
    if name == BASELINE:
        return same_as_itself(samples)
    return same_text(samples, [s for run in runs.get(BASELINE, ()) for s in run.samples])


def _recommend(baseline: Point | None, points: Sequence[Point], blocks: int) -> Recommendation:
    """The best n_max with its interval, the smallest that cannot be told from it, or none."""
    if baseline is None:
        return Recommendation("undecided", "no-baseline")
    found = [(point, point.speedup) for point in points if point.speedup and not point.explored]
    if not found:
        return Recommendation("undecided", "nothing-to-compare")
    best, ratio = max(found, key=lambda pair: pair[1].value)
    if ratio.low is None or ratio.high is None:
        return Recommendation("undecided", "one-block", figures={"speedup": ratio.value})
    figures = {"speedup": ratio.value, "low": ratio.low, "high": ratio.high, "blocks": blocks}
    if ratio.low > 1:
        near = [p for p, r in found if r.high is not None and r.high >= ratio.value and _gains(r)]
        chosen = min(near, key=lambda point: point.n_max or 0)
        why = "gain" if chosen is best else "gain-smallest-of-equals"
        equals = tuple(p.n_max for p in near if p.n_max is not None)
        told = _chosen_figures(chosen, best, figures)
        return Recommendation("use", why, chosen.n_max, told, equals)
    if ratio.high <= NO_GAIN:
        why = "slower" if ratio.high < 1 else "no-gain"
        return Recommendation("off", why, figures={**figures, **_n_max(best)})
    return Recommendation("undecided", "interval-holds-one", figures={**figures, **_n_max(best)})


def _gains(ratio: metrics.Interval) -> bool:
    return ratio.low is not None and ratio.low > 1


def _n_max(point: Point) -> dict[str, float]:
    return {} if point.n_max is None else {"n_max": point.n_max}


def _chosen_figures(chosen: Point, best: Point, figures: Mapping[str, float]) -> dict[str, float]:
    ratio = chosen.speedup
    if ratio is None or ratio.low is None or ratio.high is None or chosen is best:
        return {**figures, **_n_max(best)}
    own = {"speedup": ratio.value, "low": ratio.low, "high": ratio.high}
    return {**figures, **own, **_n_max(chosen), "best_n_max": float(best.n_max or 0)}


def _warnings(
    measurement: Measurement, baseline: Point | None, points: Sequence[Point], rates: Rates
) -> Iterator[Warn]:
    itself = baseline.same_text if baseline else None
    yield from surroundings_warnings(measurement)
    yield from stability_warnings(rates.get(BASELINE, {}))
    for point in points:
        yield from _point_warnings(point, itself)
    if any(not valid(run) and run.incident is None for run in measurement.runs):
        yield Warn("invalid-samples")
    if measurement.design is not None and measurement.design.stopped == "interrupted":
        yield Warn("interrupted")
    if measurement.withdrawn:
        yield Warn("withdrawn")


def _point_warnings(point: Point, itself: Equal | None) -> Iterator[Warn]:
    label = point.settings.label
    if point.incident:
        yield Warn("incident", {"setting": label, "kind": point.incident.kind})
    elif point.samples and point.acceptance_rate is None:
        yield Warn("nothing-drafted", {"setting": label})
    if point.same_text and point.same_text[0] < point.same_text[1]:
        yield _text_differs(point, point.same_text, itself)


def _text_differs(point: Point, same: Equal, itself: Equal | None) -> Warn:
    """With the baseline's own repeats beside it, where there are any."""
    figures: dict[str, float | str] = {
        "setting": point.settings.label,
        "differ": same[1] - same[0],
        "compared": same[1],
    }
    if itself is None:
        return Warn("text-differs", figures)
    control = {"itself": itself[1] - itself[0], "repeats": itself[1]}
    return Warn("text-differs-controlled", {**figures, **control})
