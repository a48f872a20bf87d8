"""The figures that a page may ask for: what each is made of, and what it may not mix."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from speculoos.publish import tables
from speculoos.publish.beside import beside, beside_values
from speculoos.publish.figures import draw_acceptance, draw_beside, draw_speedup, draw_step_cost
from speculoos.publish.findings import (
    Finding,
    acceptance_finding,
    beside_finding,
    speedup_finding,
    step_cost_finding,
)
from speculoos.publish.results import Result, told_apart
from speculoos.publish.series import Line, acceptance, speedups
from speculoos.publish.step_costs import step_cost_values, step_costs
from speculoos.publish.text import Language

BESIDE = "bench_and_life"
"""The only figure that shows what was measured and what was observed: each with its own sign."""


@dataclass(frozen=True)
class Kind:
    """How a figure is made: its lines, its drawing, its values, its texts."""

    series: Callable[[Sequence[Result], Language], list[Line]]
    draw: Callable[[tuple[Line, ...], str, Language], str]
    values: Callable[[list[Line], Language], tables.Table]
    title: Finding
    note: str


def _each(
    read: Callable[[Result, Language], Line],
) -> Callable[[Sequence[Result], Language], list[Line]]:
    """A line for every result."""

    def lines(results: Sequence[Result], language: Language) -> list[Line]:
        found = [read(result, language) for result in results]
        names = told_apart([line.label for line in found], results, language)
        return [replace(line, label=name) for line, name in zip(found, names, strict=True)]

    return lines


FIGURES = {
    "speedup_by_n_max": Kind(
        _each(speedups),
        draw_speedup,
        tables.speedup_values,
        speedup_finding,
        "speedup_note",
    ),
    "acceptance_by_position": Kind(
        _each(acceptance),
        draw_acceptance,
        tables.acceptance_values,
        acceptance_finding,
        "acceptance_note",
    ),
}
ASKED_FOR = {
    BESIDE: Kind(beside, draw_beside, beside_values, beside_finding, "beside_note"),
    "step_cost_by_n_max": Kind(
        _each(step_costs),
        draw_step_cost,
        step_cost_values,
        step_cost_finding,
        "step_cost_note",
    ),
}
"""Figures that a page asks for, and that a result's card does not show by itself."""
ALL = FIGURES | ASKED_FOR


def refuse_mixed(name: str, results: Sequence[Result]) -> None:
    """What was measured, observed or reported shares no axes; raises `ValueError`."""
    if len({result.kind == "reported" for result in results}) > 1:
        raise ValueError(f'figure "{name}": what others report never stands beside measurements')
    if name != BESIDE and len({result.kind == "observed" for result in results}) > 1:
        raise ValueError(
            f'figure "{name}": what was observed in use never stands beside measurements; '
            f'"{BESIDE}" draws each with its own sign'
        )


def note_of(kind: Kind, lines: Sequence[Line]) -> str:
    """What the bars mean, or why there are none.

    Of a server in use there are intervals of time, and no prompts.
    """
    if kind.note == "step_cost_note" and not any(dot.bounded for one in lines for dot in one.dots):
        return "step_cost_note_bare"
    in_use = kind.note == "acceptance_note" and all(line.observed for line in lines)
    return "acceptance_note_observed" if in_use else kind.note
