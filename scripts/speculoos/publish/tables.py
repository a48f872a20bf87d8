"""The tables of the pages, as cells of text; `pages` turns them into HTML."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from speculoos.publish.results import Result, advised
from speculoos.publish.series import Line
from speculoos.publish.text import (
    ABSENT,
    Language,
    between,
    number,
    percent,
    span,
    times,
)
from speculoos.publish.words import label
from speculoos.record.blocks import BASELINE
from speculoos.record.costs import Cost, costs
from speculoos.record.metrics import Interval
from speculoos.record.point import Point
from speculoos.record.workloads import Way, side_by_side


@dataclass(frozen=True)
class Cell:
    """One cell; `anchor` leads to a result, `struck` marks what no longer counts."""

    text: str
    anchor: str | None = None
    struck: bool = False


@dataclass(frozen=True)
class Table:
    """A caption, the heads of the columns, and rows whose first cell heads the row.

    `note` is what holds for every row, and stands under them.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def made_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str | Cell]]) -> Table:
    """Make a table whose cells may be plain text."""
    cells = (tuple(c if isinstance(c, Cell) else Cell(c) for c in row) for row in rows)
    return Table(caption, tuple(head), tuple(cells))


def labelled(
    caption: str, heads: Iterable[str], rows: Sequence[Sequence[str | Cell]], language: Language
) -> Table:
    """A table whose caption and heads are names of labels."""
    return made_table(label(caption, language), [label(h, language) for h in heads], rows)


def overview(results: Sequence[Result], language: Language) -> Table:
    """One row a measurement: what it advises, with which setting, and what that gives."""
    heads = ("result", "verdict", "best", "speedup", "interval", "machine")
    return made_table(
        label("result", language).capitalize(),
        [label(name, language) for name in heads],
        [_overview_row(result, language) for result in results],
    )


def _overview_row(result: Result, language: Language) -> list[str | Cell]:
    advice = result.summary.recommendation
    point = advised(result)
    link = Cell(result.title(language), result.anchor, bool(result.measurement.withdrawn))
    said = "withdrawn" if result.measurement.withdrawn else f"verdict_{advice.verdict}"
    head: list[str | Cell] = [link, label(said, language)]
    machine = result.machine_label(language)
    if point is None:
        return [*head, ABSENT, ABSENT, ABSENT, machine]
    return [*head, point.settings.label, *_speedup(point, language), machine]


def points(result: Result, language: Language) -> Table:
    """Every setting of one measurement, the baseline first, incidents in their place."""
    heads = (
        "setting", "tokens_per_second", "speedup", "interval", "interval_such", "acceptance_rate",
        "mean_acceptance_length", "step_cost", "same_text", "samples",
    )  # fmt: skip
    summary = result.summary
    rows = [_baseline_row(summary.baseline, language)] if summary.baseline else []
    rows += [_point_row(point, language) for point in summary.points]
    return labelled("points_title", heads, rows, language)


def _baseline_row(point: Point, language: Language) -> list[str]:
    speed = or_absent(point.tokens_per_second, lambda value: number(value, language, 1))
    name, count = label("baseline", language), str(point.texts)
    return [name, speed, "1", *[ABSENT] * 5, _equal(point), count]


def _point_row(point: Point, language: Language) -> list[str]:
    return [
        point.settings.label,
        or_absent(point.tokens_per_second, lambda value: number(value, language, 1)),
        *_speedup(point, language),
        _bounds(point.speedup_of_such_prompts, language),
        _acceptance(point, language),
        or_absent(point.mean_acceptance_length, lambda value: number(value, language)),
        or_absent(point.step_cost, lambda value: number(value, language)),
        _equal(point),
        str(point.texts),
    ]


def _equal(point: Point) -> str:
    """Equal texts of those compared; for the baseline, its repeats with its own first text."""
    return f"{point.same_text[0]} / {point.same_text[1]}" if point.same_text else ABSENT


def _speedup(point: Point, language: Language) -> tuple[str, str]:
    ratio = point.speedup
    if ratio is None:
        return (label("incident", language) if point.incident else ABSENT), ABSENT
    return times(ratio.value, language), _bounds(ratio, language)


def _bounds(ratio: Interval | None, language: Language) -> str:
    if ratio is None or ratio.low is None or ratio.high is None:
        return ABSENT
    return between(ratio.low, ratio.high, language)


def ways(results: Sequence[Result], language: Language) -> Table:
    """Every setting in each way that the same prompts were asked; no row for a single way."""
    heads = (
        "setting", "reasoning", "depth", "tokens_per_second", "speedup", "interval",
        "acceptance_rate", "change",
    )  # fmt: skip
    rows = [_way_row(way, language) for way in side_by_side(r.summary for r in results)]
    return labelled("ways_title", heads, rows, language)


def _way_row(way: Way, language: Language) -> list[str]:
    baseline = way.point.settings.label == BASELINE
    return [
        label("baseline", language) if baseline else way.point.settings.label,
        label("yes" if way.reasoning else "no", language),
        number(way.depth, language, 0),
        or_absent(way.point.tokens_per_second, lambda value: number(value, language, 1)),
        *(("1", ABSENT) if baseline else _speedup(way.point, language)),
        _acceptance(way.point, language),
        ABSENT if way.change is None else _ratio_with_bounds(way.change, language),
    ]


def _ratio_with_bounds(ratio: Interval, language: Language) -> str:
    return f"{times(ratio.value, language)} ({_bounds(ratio, language)})"


def _acceptance(point: Point, language: Language) -> str:
    return or_absent(point.acceptance_rate, lambda value: percent(value, language, 1))


def or_absent(value: float | None, shown: Callable[[float], str]) -> str:
    """The value as text, or the sign of what is absent."""
    return ABSENT if value is None else shown(value)


Column = tuple[str, Callable[[Cost], float | None], Callable[[float, Language], str]]


def _whole(value: float, language: Language) -> str:
    return number(value, language, 1)


_COSTS: tuple[Column, ...] = (
    ("prompt_rate", lambda cost: cost.prompt_tokens_per_second, _whole),
    ("prompt_ratio", lambda cost: cost.prompt_ratio, times),
    ("buffers", lambda cost: cost.buffers_mib, _whole),
    ("buffers_more", lambda cost: cost.buffers_more_mib, _whole),
    ("resident", lambda cost: cost.resident_mib, _whole),
    ("device", lambda cost: cost.device_mib, _whole),
    ("joules_per_token", lambda cost: cost.joules_per_token, number),
)


def other_costs(result: Result, language: Language) -> Table:
    """Prompt, memory and energy of every setting; columns of which nothing is known are left."""
    found = costs(result.measurement)
    columns = [c for c in _COSTS if any(c[1](cost) is not None for cost in found)]
    heads = ("setting", *(name for name, _, _ in columns))
    rows = [_cost_row(cost, columns, language) for cost in found]
    return labelled("costs_title", heads, rows, language)


def _cost_row(cost: Cost, columns: Sequence[Column], language: Language) -> list[str]:
    name = label("baseline", language) if cost.setting == BASELINE else cost.setting
    cells = [(read(cost), shown) for _, read, shown in columns]
    return [name, *(ABSENT if v is None else shown(v, language) for v, shown in cells)]


def speedup_values(lines: Sequence[Line], language: Language) -> Table:
    """The values behind the figure of speed-ups."""
    heads = ("result", "setting", "speedup", "interval")
    rows = [
        [line.label, dot.name, times(dot.value, language), _range(dot.low, dot.high, language)]
        for line in lines
        for dot in line.dots
    ]
    rows += [
        [line.label, name, label("incident", language), ABSENT]
        for line in lines
        for _, name in line.broken
    ]
    return labelled("data_table", heads, rows, language)


def _range(low: float | None, high: float | None, language: Language) -> str:
    return ABSENT if low is None or high is None else between(low, high, language)


def acceptance_values(lines: Sequence[Line], language: Language) -> Table:
    """The values behind the figure of acceptance."""
    heads = ("result", "position", "acceptance_rate", "range_prompts")
    rows = [
        [
            line.label,
            dot.name,
            percent(dot.value, language, 1),
            shares(dot.low, dot.high, language),
        ]
        for line in lines
        for dot in line.dots
    ]
    return labelled("data_table", heads, rows, language)


def shares(low: float | None, high: float | None, language: Language) -> str:
    """Two bounds as percentages."""
    if low is None or high is None:
        return ABSENT
    return span((percent(end, language, 1) for end in (low, high)), language)
