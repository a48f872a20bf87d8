"""How a measurement looks in a terminal, with colours or without, live or in a plain log."""

import os
import sys
from collections.abc import Callable, Iterable, Sequence

import click
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from speculoos.publish import sentences
from speculoos.publish.text import FIXED, between
from speculoos.record.costs import Cost, costs, energy_absent
from speculoos.record.metrics import Interval
from speculoos.record.point import Point
from speculoos.record.problem import Problem
from speculoos.record.summary import Summary
from speculoos.record.workloads import Way

_NONE = "-"
_WIDE = 1000
_NO_ENERGY = {
    "no-counter": "not measured, this machine shows no counter.",
    "not-permitted": "not measured, only root may read the counter.",
}
_COSTS: tuple[tuple[str, Callable[[Cost], float | None], str], ...] = (
    ("prompt tokens/s", lambda cost: cost.prompt_tokens_per_second, "{:.1f}"),
    ("of baseline", lambda cost: cost.prompt_ratio, "{:.2f}x"),
    ("buffers MiB", lambda cost: cost.buffers_mib, "{:.1f}"),
    ("more MiB", lambda cost: cost.buffers_more_mib, "{:+.1f}"),
    ("resident MiB", lambda cost: cost.resident_mib, "{:.1f}"),
    ("card MiB", lambda cost: cost.device_mib, "{:.1f}"),
    ("J/token", lambda cost: cost.joules_per_token, "{:.3f}"),
)


class _Console(Console):
    """A console whose reader may go away, as `head` does."""

    def on_broken_pipe(self) -> None:
        """What is under way goes on unseen: its result is a file."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.file.fileno())
        os.close(nowhere)


def console(*, err: bool = False) -> Console:
    """A console that wraps nothing in a plain log."""
    stream = sys.stderr if err else sys.stdout
    width = None if stream.isatty() else 200
    return _Console(file=stream, highlight=False, width=width, soft_wrap=not stream.isatty())


def show_summary(out: Console, summary: Summary) -> None:
    """Table, costs, verdict, and the warnings, each with what to do."""
    if summary.parallel > 1:
        out.print(
            f"{summary.parallel} slots at once: tokens of all of them over the time of all, "
            "prompts included; never compare them with figures of one slot."
        )
    show_table(out, points_table(summary))
    show_table(out, costs_table(summary))
    if why := energy_absent(summary.measurement):
        out.print(f"Energy: {_NO_ENERGY[why]}")
    out.print(f"[bold]{sentences.verdict(summary.recommendation, 'en')}[/]")
    for warn in summary.warnings:
        anchor = sentences.pitfall_of(warn)
        see = f" See pitfalls#{anchor}." if anchor else ""
        out.print(f"[yellow]Note:[/] {sentences.warning(warn, 'en')}{see}")


def show_table(out: Console, table: Table) -> None:
    """A table, or where the terminal is too narrow for it a line for each of its cells."""
    if Measurement.get(out, out.options.update(width=_WIDE), table).maximum <= out.width:
        out.print(table)
        return
    heads = [str(column.header) for column in table.columns]
    for first, *cells in zip(*(column.cells for column in table.columns), strict=True):
        out.print(f"[bold]{first}[/]")
        for head, cell in zip(heads[1:], cells, strict=True):
            if cell != _NONE:
                out.print(f"  {head}: {cell}")


def points_table(summary: Summary) -> Table:
    """One row per setting: rate, speed-up with its interval, acceptance, step cost."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("setting")
    for name in (
        "tokens/s",
        "speed-up",
        "95 % interval",
        "df",
        "such prompts",
        "accepted",
        "tokens/step",
        "step cost",
    ):
        table.add_column(name, justify="right")
    if summary.baseline is not None:
        table.add_row("baseline", rate_text(summary.baseline.tokens_per_second), *[_NONE] * 7)
    for point in summary.points:
        table.add_row(*_row(point))
    return table


def show_side_by_side(out: Console, ways: Sequence[Way]) -> None:
    """Each setting in every way that it was asked; nothing where there is one way only."""
    if not ways:
        return
    table = Table(box=None, pad_edge=False, header_style="bold", title="The same prompts")
    for name in ("setting", "reasoning"):
        table.add_column(name)
    for name in ("depth", "tokens/s", "speed-up", "95 % interval", "accepted", "change"):
        table.add_column(name, justify="right")
    for way in ways:
        label, rate, ratio, bounds, _, _, accepted, *_ = _row(way.point)
        about = ("on" if way.reasoning else "off", str(way.depth))
        table.add_row(label, *about, rate, ratio, bounds, accepted, _change(way))
    show_table(out, table)
    out.print("change: the speed-up over that of the first row of the setting, with its interval.")


def _change(way: Way) -> str:
    if way.change is None:
        return _NONE
    bounds = _bounds(way.change)
    return f"{way.change.value:.2f}x" + ("" if bounds == _NONE else f" ({bounds})")


def _row(point: Point) -> Iterable[str]:
    yield point.settings.label
    yield rate_text(point.tokens_per_second)
    yield f"{point.speedup.value:.2f}x" if point.speedup else _failure(point)
    yield "explored only" if point.explored else _bounds(point.speedup)
    yield str(point.speedup.freedom) if point.speedup and point.speedup.high else _NONE
    yield _bounds(point.speedup_of_such_prompts)
    yield _NONE if point.acceptance_rate is None else f"{100 * point.acceptance_rate:.0f} %"
    yield _NONE if point.mean_acceptance_length is None else f"{point.mean_acceptance_length:.2f}"
    yield _NONE if point.step_cost is None else f"{point.step_cost:.2f}"


def _failure(point: Point) -> str:
    return point.incident.kind if point.incident else _NONE


def rate_text(value: float | None) -> str:
    """A rate with one decimal; `-` where there is none."""
    return _NONE if value is None else f"{value:.1f}"


def _bounds(interval: Interval | None) -> str:
    if interval is None or interval.low is None or interval.high is None:
        return _NONE
    return between(interval.low, interval.high, "en").replace(FIXED, " ")


def costs_table(summary: Summary) -> Table:
    """What else changes: prompt, memory, energy, equal texts; a column of nothing is left out."""
    found = costs(summary.measurement)
    points = {point.settings.label: point for point in (summary.baseline, *summary.points) if point}
    columns = [column for column in _COSTS if any(column[1](cost) is not None for cost in found)]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("setting")
    for name in (*(name for name, *_ in columns), "equal texts"):
        table.add_column(name, justify="right")
    for cost in found:
        cells = [(read(cost), form) for _, read, form in columns]
        same = points[cost.setting].same_text
        table.add_row(
            cost.setting,
            *(_NONE if value is None else form.format(value) for value, form in cells),
            f"{same[0]}/{same[1]}" if same else _NONE,
        )
    return table


def show_problems(problems: Iterable[Problem]) -> None:
    """One line per problem, as compilers print them; not through rich, which reads `:100:`."""
    for problem in problems:
        mark = "warning: " if problem.severity == "warning" else ""
        click.echo(f"{mark}{problem}")
