"""How a measurement looks in a terminal, with colours or without, live or in a plain log."""

import sys
import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from speculoos.measure.plan import Plan
from speculoos.measure.run import Event, Failed, Sampled, Started
from speculoos.measure.schedule import most_requests
from speculoos.publish import sentences
from speculoos.record.metrics import Interval, tokens_per_second
from speculoos.record.problem import Problem
from speculoos.record.summary import Point, Summary
from speculoos.record.types import Run

_NONE = "-"


def console(*, err: bool = False) -> Console:
    """A console that wraps nothing in a plain log."""
    stream = sys.stderr if err else sys.stdout
    width = None if stream.isatty() else 200
    return Console(file=stream, highlight=False, width=width, soft_wrap=not stream.isatty())


class Display:
    """The progress of one measurement: a bar in a terminal, a line per start in a log."""

    def __init__(self, out: Console, plan: Plan, runs: Sequence[Run]) -> None:
        self.out, self.plan = out, plan
        self.progress = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("requests, left"),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[said]}"),
            console=out,
            disable=not out.is_terminal,
        )
        self.requests = most_requests(plan) - sum(len(run.samples) for run in runs)
        self.task = self.progress.add_task(plan.model.stem, total=self.requests, said="starting")
        self.samples: dict[str, list[Sampled]] = {}
        self.start = time.monotonic()

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.progress.stop()

    def show(self, event: Event) -> None:
        """One event of the measurement."""
        if isinstance(event, Started):
            self._started(event)
        elif isinstance(event, Sampled):
            self._sampled(event)
        elif isinstance(event, Failed):
            self._failed(event)

    def _started(self, event: Started) -> None:
        start = event.start
        where = f"block {start.block}, {start.settings.label} ({start.position} of {start.of})"
        self.progress.update(self.task, said=where)
        if not self.out.is_terminal:
            self.out.print(f"  {where}{self._left()}", markup=False)

    def _left(self) -> str:
        """The time left, from the requests so far; nothing before the first one."""
        done = sum(map(len, self.samples.values()))
        if not done:
            return ""
        seconds = (time.monotonic() - self.start) * (self.requests - done) / done
        return f", about {seconds:.0f} s left"

    def _sampled(self, event: Sampled) -> None:
        label = event.settings.label
        self.samples.setdefault(label, []).append(event)
        rate = tokens_per_second(seen.sample for seen in self.samples[label])
        said = f"block {event.sample.block}, {label}, {event.sample.prompt}: {_rate(rate)} tokens/s"
        self.progress.update(self.task, advance=1, said=said)
        for wrong in event.wrong:
            self.out.print(f"  [yellow]invalid[/] {label}, {event.sample.prompt}: {wrong}")

    def _failed(self, event: Failed) -> None:
        self.out.print(f"  [red]{event.settings.label} failed[/]:", end=" ")
        self.out.print(event.sentence, markup=False)


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
    for name in ("tokens/s", "speed-up", "95 % interval", "accepted", "tokens/step", "step cost"):
        table.add_column(name, justify="right")
    if summary.baseline is not None:
        table.add_row("baseline", _rate(summary.baseline.tokens_per_second), *[_NONE] * 5)
    for point in summary.points:
        table.add_row(*_row(point))
    return table


def _row(point: Point) -> Iterable[str]:
    yield point.settings.label
    yield _rate(point.tokens_per_second)
    yield f"{point.speedup.value:.2f}x" if point.speedup else _failure(point)
    yield _bounds(point.speedup)
    yield _NONE if point.acceptance_rate is None else f"{100 * point.acceptance_rate:.0f} %"
    yield _NONE if point.mean_acceptance_length is None else f"{point.mean_acceptance_length:.2f}"
    yield _NONE if point.step_cost is None else f"{point.step_cost:.2f}"


def _failure(point: Point) -> str:
    return point.incident.kind if point.incident else _NONE


def _rate(value: float | None) -> str:
    return _NONE if value is None else f"{value:.1f}"


def _bounds(interval: Interval | None) -> str:
    if interval is None or interval.low is None or interval.high is None:
        return _NONE
    return f"{interval.low:.2f} to {interval.high:.2f}"


def show_problems(out: Console, problems: Iterable[Problem]) -> None:
    """One line per problem, as compilers print them."""
    for problem in problems:
        mark = "warning: " if problem.severity == "warning" else ""
        out.print(f"{mark}{problem}", markup=False, soft_wrap=True)
