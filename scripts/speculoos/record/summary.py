"""What a measurement says: points with intervals, a recommendation, warnings. Computed on read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from speculoos.record import metrics
from speculoos.record.blocks import BASELINE, Rates, block_rates, by_label, complete_blocks, valid
from speculoos.record.types import Incident, Measurement, Run, Sample, Settings

NO_GAIN = 1.02
"""A gain that cannot exceed this is called none: 2 % is what the method resolves."""
NOISY_SPREAD = 0.05
"""Blocks of the baseline further apart than this give a warning."""

BUSY = 0.2
"""Share of the processors used by others before the start from which on a warning is given."""

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
    """`use` with an n_max, `off` or `undecided`; `why` is a slug, `figures` fill its sentence."""

    verdict: Verdict
    why: str
    n_max: int | None = None
    figures: Mapping[str, float] | None = None


_PROOF = Recommendation("undecided", "instrument")
"""A model that proves the instrument says nothing about a machine, however fast it is."""


@dataclass(frozen=True)
class Warn:
    """Something a reader must know before the figures; `kind` is a slug."""

    kind: str
    figures: Mapping[str, float | str] | None = None


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
    runs = by_label(measurement.runs)
    rates = block_rates(measurement.runs)
    intervals = metrics.speedup_intervals(rates, BASELINE) if rates else {}
    points = {name: _point(name, runs, intervals.get(name)) for name in runs}
    baseline = points.pop(BASELINE, None)
    ordered = tuple(sorted(points.values(), key=lambda point: point.n_max or 0))
    blocks = complete_blocks(rates)
    return Summary(
        measurement=measurement,
        baseline=baseline,
        points=ordered,
        recommendation=_PROOF if measurement.purpose else _recommend(baseline, ordered, blocks),
        warnings=tuple(_warnings(measurement, ordered, rates)),
        blocks=blocks,
    )


def _point(name: str, runs: Mapping[str, Sequence[Run]], speedup: metrics.Interval | None) -> Point:
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
        same_text=_same_text(samples, runs.get(BASELINE, ())) if name != BASELINE else None,
        incident=next((run.incident for run in own if run.incident), None),
    )


def _same_text(samples: Sequence[Sample], baseline: Sequence[Run]) -> tuple[int, int] | None:
    texts = {sample.prompt: sample.output_sha256 for run in baseline for sample in run.samples}
    compared = [sample for sample in samples if sample.prompt in texts]
    same = sum(sample.output_sha256 == texts[sample.prompt] for sample in compared)
    return (same, len(compared)) if compared else None


def _recommend(baseline: Point | None, points: Sequence[Point], blocks: int) -> Recommendation:
    """The best n_max with its interval, the smallest that cannot be told from it, or none."""
    if baseline is None:
        return Recommendation("undecided", "no-baseline")
    found = [(point, point.speedup) for point in points if point.speedup]
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
        return Recommendation("use", why, chosen.n_max, _chosen_figures(chosen, best, figures))
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


def _warnings(measurement: Measurement, points: Sequence[Point], rates: Rates) -> Iterator[Warn]:
    machine = measurement.machine
    if machine is not None and (machine.busy_before or 0) > BUSY:
        yield Warn("busy", {"share": machine.busy_before or 0})
    reference = metrics.spread(list(rates.get(BASELINE, {}).values()))
    if reference is not None and reference > NOISY_SPREAD:
        yield Warn("noisy", {"spread": reference})
    for point in points:
        yield from _point_warnings(point)
    if any(not valid(run) and run.incident is None for run in measurement.runs):
        yield Warn("invalid-samples")
    if measurement.design is not None and measurement.design.stopped == "interrupted":
        yield Warn("interrupted")
    if measurement.withdrawn:
        yield Warn("withdrawn")


def _point_warnings(point: Point) -> Iterator[Warn]:
    label = point.settings.label
    if point.incident:
        yield Warn("incident", {"setting": label, "kind": point.incident.kind})
    elif point.samples and point.acceptance_rate is None:
        yield Warn("nothing-drafted", {"setting": label})
    if point.same_text and point.same_text[0] < point.same_text[1]:
        differ = point.same_text[1] - point.same_text[0]
        yield Warn(
            "text-differs", {"setting": label, "differ": differ, "compared": point.same_text[1]}
        )
