"""The progress of one measurement: a bar in a terminal, a line per start in a plain log."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil, inf
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn

from speculoos.measure.clock import Clock
from speculoos.measure.pace import Timing
from speculoos.measure.plan import Plan
from speculoos.measure.run import Event, Failed, Sampled, Started
from speculoos.measure.schedule import Limit, most_requests, requests_left
from speculoos.record import batches, metrics
from speculoos.record.blocks import asked
from speculoos.record.types import Batch, Measurement, Sample
from speculoos.terminal import rate_text

_WIDE = 100
"""Columns from which on there is room for the model's name and a bar."""
_NARROW = "{task.completed}/{task.total} {task.fields[said]} {task.fields[left]}"
"""What matters most comes first: the rest may not fit."""
_MINUTE = 60
_LONG_S = 90
STOPPED: dict[Limit, str] = {
    "blocks": "Stopped: all blocks are measured.",
    "narrow": "Stopped: the interval of the best setting is narrow enough.",
    "budget": "Stopped: the budget is spent; the same command with --resume measures more.",
}


@dataclass(frozen=True)
class Sitting:
    """One measurement from here to its end: what, into which file, and with how much time."""

    plan: Plan
    start: Measurement
    target: Path
    clock: Clock = field(default_factory=Clock)
    timing: Timing | None = None

    @property
    def requests(self) -> int:
        """Requests that are left at most."""
        return most_requests(self.plan) - sum(len(asked(run)) for run in self.start.runs)

    @property
    def request_s(self) -> float | None:
        """Seconds that a request may take, its share of the start included; from a first start."""
        if self.timing is None:
            return None
        return self.timing.start_s(self.plan) / len(self.plan.asked)


def expected(sitting: Sitting) -> str:
    """How long it may take and where that figure comes from, before anything is measured."""
    starts = ceil(sitting.requests / len(sitting.plan.asked))
    if sitting.request_s is None or sitting.timing is None:
        return f"At most {starts} starts of the server."
    longest = min(sitting.requests * sitting.request_s, sitting.clock.left_s)
    rate = 1 / sitting.timing.token_s if sitting.timing.token_s else inf
    return (
        f"At most about {duration(longest)} for {starts} starts of {len(sitting.plan.asked)} "
        f"prompts: one start of the baseline took {sitting.timing.ready_s:.1f} s and wrote "
        f"{rate:.1f} tokens/s.{_again(sitting.plan)}"
    )


def _again(plan: Plan) -> str:
    if not plan.repeats:
        return ""
    return f" Up to {plan.repeats} blocks more if other programs use the machine meanwhile."


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `1 h 30 min`."""
    if seconds < _LONG_S:
        return f"{seconds:.0f} s"
    minutes = round(seconds / _MINUTE)
    hours, rest = divmod(minutes, _MINUTE)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"


class Display:
    """Setting, prompt, block, tokens per second so far and the time left."""

    def __init__(self, out: Console, sitting: Sitting) -> None:
        self.out, self.sitting = out, sitting
        self.wide = out.width >= _WIDE
        columns = _wide_columns() if self.wide else [TextColumn(_NARROW)]
        self.progress = Progress(*columns, console=out, disable=not out.is_interactive)
        self.left, self.done = sitting.requests, 0
        title = sitting.plan.model.stem
        self.task = self.progress.add_task(title, total=self.left, said="starting", left="")
        self.samples: dict[str, list[Sampled]] = {}
        self.current: list[Sampled] = []
        self.began = time.monotonic()

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
        if isinstance(event, Sampled):
            self._sampled(event)
            return
        self._ended()
        if isinstance(event, Started):
            self._started(event)
        elif isinstance(event, Failed):
            self._failed(event)
        else:
            self.progress.update(self.task, total=self.done, said="done", left="")
            self.out.print(STOPPED[event.limit])

    def _ended(self) -> None:
        """In a plain log, what the start before this event has given."""
        if self.current and not self.out.is_interactive:
            count = sum(_prompts(seen) for seen in self.current)
            self.out.print(f"    {count} prompts, {_rate(self.current)}", markup=False)
        self.current = []

    def _started(self, event: Started) -> None:
        start = event.start
        self.left = requests_left(self.sitting.plan, start)
        phase = "exploring" if start.phase else f"block {start.block}"
        where = f"{phase}, {start.settings.label} ({start.position} of {start.of})"
        self.progress.update(self.task, total=self.done + self.left, said=where, left=self._time())
        if not self.out.is_interactive:
            left = self._time()
            self.out.print(f"  {where}{', ' if left else ''}{left}", markup=False)

    def _time(self) -> str:
        """The time left at most, from the requests so far, before them from the first timing."""
        each = self.sitting.request_s
        if self.done:
            each = (time.monotonic() - self.began) / self.done
        if each is None:
            return ""
        return f"at most {duration(min(self.left * each, self.sitting.clock.left_s))} left"

    def _sampled(self, event: Sampled) -> None:
        label = event.settings.label
        self.samples.setdefault(label, []).append(event)
        self.current.append(event)
        count = _prompts(event)
        self.done, self.left = self.done + count, self.left - count
        what = event.sample.prompt if isinstance(event.sample, Sample) else f"{count} prompts"
        said = f"{label} {_rate(self.samples[label])}"
        if self.wide:
            said = f"block {event.sample.block}, {label}, {what}: {_rate(self.samples[label])}"
        self.progress.update(self.task, completed=self.done, said=said, left=self._time())
        for wrong in event.wrong:
            self.out.print(f"  [yellow]invalid[/] {label}, {what}: {wrong}")

    def _failed(self, event: Failed) -> None:
        self.out.print(f"  [red]{event.settings.label} failed[/]:", end=" ")
        self.out.print(event.sentence, markup=False)


def _wide_columns() -> list[ProgressColumn]:
    return [
        TextColumn("[bold]{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[said]}"),
    ]


def _prompts(event: Sampled) -> int:
    return 1 if isinstance(event.sample, Sample) else len(event.sample.prompts)


def _rate(seen: Sequence[Sampled]) -> str:
    """Of one slot, or of several together."""
    samples = [each.sample for each in seen if isinstance(each.sample, Sample)]
    together = [each.sample for each in seen if isinstance(each.sample, Batch)]
    if together:
        return f"{rate_text(batches.tokens_per_second(together))} tokens/s of all slots"
    return f"{rate_text(metrics.tokens_per_second(samples))} tokens/s"
