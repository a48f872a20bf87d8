"""The step cost by n_max, of what was measured or of what a source states: never of both."""

from collections.abc import Sequence

from speculoos.publish.results import Result
from speculoos.publish.series import Dot, Line, bounds
from speculoos.publish.tables import Table, labelled
from speculoos.publish.text import ABSENT, Language, between, number
from speculoos.record import metrics
from speculoos.record.point import Point
from speculoos.record.types import NO_SPECULATION, Claim


def step_costs(result: Result, language: Language) -> Line:
    """A dot for every depth whose cost is known, in plain passes."""
    found = _stated(result) if result.kind == "reported" else _measured(result)
    return Line(result.title(language), tuple(found))


def _measured(result: Result) -> list[Dot]:
    made = [_measured_dot(point) for point in result.summary.points]
    return [dot for dot in made if dot]


def _measured_dot(point: Point) -> Dot | None:
    """The tokens of a step are counts: the interval is that of the speed-up, turned round."""
    if not point.n_max or not point.step_cost or not point.speedup:
        return None
    length = point.step_cost * point.speedup.value
    slow, fast = bounds(point.speedup)
    low, high = (metrics.step_cost(length, each) if each else None for each in (fast, slow))
    return Dot(point.n_max, f"n_max {point.n_max}", point.step_cost, low, high)


def _stated(result: Result) -> list[Dot]:
    """A source states one rate for a setting: nothing tells how it would vary."""
    claims = result.measurement.claims
    plain = next((c for c in claims if c.settings.spec_type == NO_SPECULATION), None)
    if plain is None or not plain.tokens_per_second:
        return []
    costs = [(c.settings.n_max, _cost(c, plain.tokens_per_second)) for c in claims]
    return [Dot(n, f"n_max {n}", cost) for n, cost in costs if n and cost]


def _cost(claim: Claim, plain: float) -> float | None:
    """The tokens of a step follow from the acceptance rate where every draft has n_max tokens."""
    if not claim.settings.n_max or not claim.acceptance_rate or not claim.tokens_per_second:
        return None
    length = 1 + claim.settings.n_max * claim.acceptance_rate
    return metrics.step_cost(length, claim.tokens_per_second / plain)


def step_cost_values(lines: Sequence[Line], language: Language) -> Table:
    """The values behind the figure."""
    heads = ["result", "setting", "step_cost"]
    dots = [(line.label, dot) for line in lines for dot in line.dots]
    rows = [[name, dot.name, number(dot.value, language)] for name, dot in dots]
    if any(dot.bounded for _, dot in dots):
        heads.append("interval")
        rows = [[*row, _interval(dot, language)] for row, (_, dot) in zip(rows, dots, strict=True)]
    return labelled("data_table", heads, rows, language)


def _interval(dot: Dot, language: Language) -> str:
    return ABSENT if dot.low is None or dot.high is None else between(dot.low, dot.high, language)
