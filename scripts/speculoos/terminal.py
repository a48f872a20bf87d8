"""How a measurement looks in a terminal, with colours or without, live or in a plain log."""

import sys
from collections.abc import Iterable

import click
from rich.console import Console
from rich.table import Table

from speculoos.publish import sentences
from speculoos.record.metrics import Interval
from speculoos.record.problem import Problem
from speculoos.record.summary import Point, Summary

_NONE = "-"


def console(*, err: bool = False) -> Console:
    """A console that wraps nothing in a plain log."""
    stream = sys.stderr if err else sys.stdout
    width = None if stream.isatty() else 200
    return Console(file=stream, highlight=False, width=width, soft_wrap=not stream.isatty())


def show_summary(out: Console, summary: Summary) -> None:
    """Table, verdict and warnings."""
    out.print(points_table(summary))
    out.print(f"[bold]{sentences.verdict(summary.recommendation, 'en')}[/]")
    for warn in summary.warnings:
        out.print(f"[yellow]Note:[/] {sentences.warning(warn, 'en')}")


def points_table(summary: Summary) -> Table:
    """One row per setting: rate, speed-up with its interval, acceptance, step cost."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("setting")
    for name in (
        "tokens/s",
        "speed-up",
        "95 % interval",
        "such prompts",
        "accepted",
        "tokens/step",
        "step cost",
    ):
        table.add_column(name, justify="right")
    if summary.baseline is not None:
        table.add_row("baseline", rate_text(summary.baseline.tokens_per_second), *[_NONE] * 6)
    for point in summary.points:
        table.add_row(*_row(point))
    return table


def _row(point: Point) -> Iterable[str]:
    yield point.settings.label
    yield rate_text(point.tokens_per_second)
    yield f"{point.speedup.value:.2f}x" if point.speedup else _failure(point)
    yield "explored only" if point.explored else _bounds(point.speedup)
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
    return f"{interval.low:.2f} to {interval.high:.2f}"


def show_problems(problems: Iterable[Problem]) -> None:
    """One line per problem, as compilers print them; not through rich, which reads `:100:`."""
    for problem in problems:
        mark = "warning: " if problem.severity == "warning" else ""
        click.echo(f"{mark}{problem}")
