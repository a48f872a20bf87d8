"""What a measurement advises: a setting, none, or that it cannot be told."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from speculoos.record import metrics
from speculoos.record.blocks import BASELINE, Rates, complete_blocks
from speculoos.record.point import Point
from speculoos.record.surroundings import RESTLESS, Load
from speculoos.record.types import Run

LEAST_FREEDOM = 2
"""Degrees of freedom below which an interval that holds 1 says nothing: t is 12.7 with one."""
NO_GAIN = 1.02
"""A gain that cannot exceed this is called none: 2 % is what the method resolves."""

Verdict = Literal["use", "off", "undecided"]


@dataclass(frozen=True)
class Recommendation:
    """`use` with an n_max, `off` or `undecided`; `why` is a slug, `figures` fill its sentence."""

    verdict: Verdict
    why: str
    n_max: int | None = None
    figures: Mapping[str, float | str] | None = None
    equals: tuple[int, ...] = ()
    """Every n_max that cannot be told from the best, the best included."""


PROOF = Recommendation("undecided", "instrument")
"""A model that proves the instrument says nothing about a machine, however fast it is."""

SYNTHETIC = Recommendation("undecided", "synthetic")
"""Acceptance that the server makes up (`--spec-synth-…`) is nobody's text."""


def made_up(runs: Iterable[Run]) -> bool:
    """Whether a run got a flag that makes acceptance up, for benchmarks of the server."""
    return any(word.startswith("--spec-synth-") for run in runs for word in run.args)


def advise(
    baseline: Point | None, points: Sequence[Point], rates: Rates, load: Load
) -> Recommendation:
    """The best n_max with its interval, the smallest that cannot be told from it, or none."""
    if baseline is None:
        return Recommendation("undecided", "no-baseline")
    found = [(point, point.speedup) for point in points if point.speedup and not point.explored]
    if not found:
        return Recommendation("undecided", "nothing-to-compare")
    best, ratio = max(found, key=lambda pair: pair[1].value)
    refused = _refused(best, ratio, rates, load)
    return refused or _answer(found, best, ratio, complete_blocks(rates))


def _answer(
    found: Sequence[tuple[Point, metrics.Interval]],
    best: Point,
    ratio: metrics.Interval,
    blocks: int,
) -> Recommendation:
    if ratio.low is None or ratio.high is None:
        return Recommendation("undecided", "one-block", figures={"speedup": ratio.value})
    bounds = {"speedup": ratio.value, "low": ratio.low, "high": ratio.high, "blocks": float(blocks)}
    figures = {**bounds, **_n_max(best)}
    if ratio.low > 1:
        return _use(found, best, ratio, figures)
    if ratio.high <= NO_GAIN:
        why = "slower" if ratio.high < 1 else "no-gain"
        return Recommendation("off", why, figures=figures)
    if ratio.freedom < LEAST_FREEDOM:
        return Recommendation("undecided", "few-blocks", figures=figures)
    return Recommendation("undecided", "interval-holds-one", figures=figures)


def _refused(
    best: Point, ratio: metrics.Interval, rates: Rates, load: Load
) -> Recommendation | None:
    """On a loaded machine no statistics help: what others did is no noise of the same kind."""
    seen = {"speedup": ratio.value, **_n_max(best)}
    if load.outweighs:
        return Recommendation("undecided", "loaded", figures={**seen, **load.figures})
    spread = metrics.spread(list(rates.get(BASELINE, {}).values()))
    if spread is not None and spread > RESTLESS:
        return Recommendation("undecided", "restless", figures={**seen, "spread": spread})
    return None


def _use(
    found: Sequence[tuple[Point, metrics.Interval]],
    best: Point,
    ratio: metrics.Interval,
    figures: Mapping[str, float],
) -> Recommendation:
    near = [p for p, r in found if r.high is not None and r.high >= ratio.value and _gains(r)]
    chosen = min(near, key=lambda point: point.n_max or 0)
    why = "gain" if chosen is best else "gain-smallest-of-equals"
    equals = tuple(p.n_max for p in near if p.n_max is not None)
    told = _chosen_figures(chosen, best, figures)
    return Recommendation("use", why, chosen.n_max, told, equals)


def _gains(ratio: metrics.Interval) -> bool:
    return ratio.low is not None and ratio.low > 1


def _n_max(point: Point) -> dict[str, float]:
    return {} if point.n_max is None else {"n_max": point.n_max}


def _chosen_figures(chosen: Point, best: Point, figures: Mapping[str, float]) -> dict[str, float]:
    ratio = chosen.speedup
    if ratio is None or ratio.low is None or ratio.high is None or chosen is best:
        return dict(figures)
    own = {"speedup": ratio.value, "low": ratio.low, "high": ratio.high}
    return {**figures, **own, **_n_max(chosen), "best_n_max": float(best.n_max or 0)}
