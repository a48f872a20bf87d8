"""The step cost by n_max, of what was measured or of what a source states: never of both."""

from collections.abc import Sequence

from speculoos.publish.series import Dot, Line, Result
from speculoos.publish.tables import Cell, Table
from speculoos.publish.text import Language, number
from speculoos.publish.words import label
from speculoos.record import metrics
from speculoos.record.types import NO_SPECULATION, Claim


def step_costs(result: Result, language: Language) -> Line:
    """A dot for every depth whose cost is known, in plain passes."""
    found = _stated(result) if result.kind == "reported" else _measured(result)
    return Line(result.title(language), tuple(Dot(n, f"n_max {n}", cost) for n, cost in found))


def _measured(result: Result) -> list[tuple[int, float]]:
    points = result.summary.points
    return [(p.n_max, p.step_cost) for p in points if p.n_max and p.step_cost]


def _stated(result: Result) -> list[tuple[int, float]]:
    claims = result.measurement.claims
    plain = next((c for c in claims if c.settings.spec_type == NO_SPECULATION), None)
    if plain is None or not plain.tokens_per_second:
        return []
    costs = [(c.settings.n_max, _cost(c, plain.tokens_per_second)) for c in claims]
    return [(n, cost) for n, cost in costs if n and cost]


def _cost(claim: Claim, plain: float) -> float | None:
    """The tokens of a step follow from the acceptance rate where every draft has n_max tokens."""
    if not claim.settings.n_max or not claim.acceptance_rate or not claim.tokens_per_second:
        return None
    length = 1 + claim.settings.n_max * claim.acceptance_rate
    return metrics.step_cost(length, claim.tokens_per_second / plain)


def step_cost_values(lines: Sequence[Line], language: Language) -> Table:
    """The values behind the figure."""
    heads = ("result", "setting", "step_cost")
    return Table(
        label("data_table", language),
        tuple(label(head, language) for head in heads),
        tuple(
            (Cell(line.label), Cell(dot.name), Cell(number(dot.value, language)))
            for line in lines
            for dot in line.dots
        ),
    )
