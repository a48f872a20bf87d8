"""How what was read looks in a terminal: requests, their summary, and what else was found.

Lines of fixed width, printed as they come: a log of any size takes no memory here.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from rich.console import Console

from speculoos.read import Batch, Event, Finding, Hint, Request, Summary, tokens_per_second

_NONE = "-"
_ROWS = 20
"""Requests shown at either end of a long input."""
_ALIKE = 3
"""Hints of one kind that are shown."""
_HEADER = ("request", "prompt", "tokens", "tokens/s", "printed", "accepted", "n_max")
_BOTH_RATES = (
    "rates printed with (n) count each text's first token, which the prompt's pass gives; "
    "tokens/s leaves it out, as newer servers do (n-1)"
)


@dataclass
class Shown:
    """Takes the events of one input and prints them; the last requests wait for the end."""

    out: Console
    every: bool = False
    """Whether all requests are printed."""
    summary: Summary = field(default_factory=Summary)
    last: deque[Request] = field(default_factory=lambda: deque(maxlen=_ROWS))
    hints: dict[str, list[Hint]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    counts_first_token: bool = False

    def take(self, event: Event | Batch) -> None:
        """Print, keep or count one event."""
        if isinstance(event, Batch):
            self._many(event)
        elif isinstance(event, Request):
            self._request(event)
            self.summary.add(event)
        elif isinstance(event, Hint):
            self.counts[event.kind] = self.counts.get(event.kind, 0) + 1
            alike = self.hints.setdefault(event.kind, [])
            alike += [event] if len(alike) < _ALIKE else []
        else:
            self.findings.setdefault(event.name, []).append(event)

    def _many(self, batch: Batch) -> None:
        early = len(batch) if self.every else max(0, _ROWS - self.summary.requests)
        for request in islice(batch, early):
            self._request(request)
            self.summary.requests += 1
        self.summary.requests -= min(early, len(batch))
        for request in batch[max(early, len(batch) - _ROWS) :]:
            self.last.append(request)
            self._first_token(request)
        self.summary.add_all(batch)

    def _request(self, request: Request) -> None:
        self._first_token(request)
        if not self.every and self.summary.requests >= _ROWS:
            self.last.append(request)
            return
        if not self.summary.requests:
            self._print(_line(_HEADER))
        self._print(_line(_cells(request)))

    def _first_token(self, request: Request) -> None:
        self.counts_first_token |= request.rate_divisor == "n" and request.generates

    def _print(self, line: str) -> None:
        self.out.print(line, markup=False, soft_wrap=True)

    def end(self) -> None:
        """Print the last requests, the summary, the hints and the findings."""
        left_out = self.summary.requests - _ROWS - len(self.last)
        if not self.every and left_out > 0:
            self._print(f"… {left_out} more; --all shows them, --json has every figure")
        for request in self.last:
            self._print(_line(_cells(request)))
        for line in (*_totals(self.summary), *self._notes(), *self._facts()):
            self._print(line)

    def _notes(self) -> Iterator[str]:
        if self.counts_first_token:
            yield f"Note: {_BOTH_RATES}"
        for kind, hints in self.hints.items():
            for hint in hints:
                place = f"line {hint.line_number}: " if hint.line_number else ""
                yield f"Note: {place}{hint.message} (pitfalls#{kind})"
            more = self.counts[kind] - len(hints)
            if more:
                yield f"Note: {more} more of these (pitfalls#{kind})"

    def _facts(self) -> Iterator[str]:
        for name, found in self.findings.items():
            parts = (f"{f.detail} {f.value:g}" if f.detail else str(f.value) for f in found)
            yield f"{name}: {', '.join(parts)}"


def _line(cells: tuple[str, ...]) -> str:
    label, *others = cells
    widths = (6, 7, 9, 13, 14, 5)
    right = " ".join(cell.rjust(width) for cell, width in zip(others, widths, strict=True))
    return f"{label[:20]:20} {right}"


def _cells(request: Request) -> tuple[str, ...]:
    place = [f"slot {request.slot}"] if request.slot is not None else []
    place += [f"task {request.task}"] if request.task is not None else []
    divisor = f" ({request.rate_divisor})" if request.rate_divisor else ""
    return (
        request.label or ", ".join(place) or request.source,
        _text(request.prompt_n),
        _text(request.predicted_n),
        _text(tokens_per_second(request), 2),
        _text(request.printed_tokens_per_second, 2) + divisor,
        _accepted(request),
        _text(request.n_max),
    )


def _accepted(request: Request) -> str:
    if request.speculation != "drafted" or not request.draft_n:
        return request.speculation
    if request.draft_n_accepted is None:
        return f"?/{request.draft_n}"
    share = 100 * request.draft_n_accepted / request.draft_n
    return f"{request.draft_n_accepted}/{request.draft_n} {share:.0f} %"


def _text(value: float | None, digits: int = 0) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


def _totals(summary: Summary) -> Iterator[str]:
    if not summary.requests:
        yield "No finished request."
        return
    kinds = ", ".join(f"{kind} {count}" for kind, count in summary.speculation.items() if count)
    yield f"Requests:   {summary.requests} (speculation: {kinds})"
    yield f"Tokens:     {summary.predicted_n}, after {summary.prompt_n} of prompts"
    if summary.tokens_per_second is not None:
        yield f"Tokens/s:   {summary.tokens_per_second:.2f} {_how(summary)}"
    if summary.spread is not None:
        yield (
            f"Spread:     {summary.slowest:.2f} to {summary.fastest:.2f} tokens/s between "
            f"requests, {100 * summary.spread:.0f} % of the rate"
        )
    if summary.acceptance_rate is not None:
        yield (
            f"Acceptance: {100 * summary.acceptance_rate:.1f} % "
            f"({summary.draft_n_accepted} of {summary.draft_n} drafted tokens, pooled)"
        )


def _how(summary: Summary) -> str:
    """What the rate of all was divided by what, and what it is with every token."""
    seconds = summary.timed_ms / 1000
    said = f"{summary.timed_n} tokens over {seconds:.1f} s"
    if summary.with_first_n == summary.timed_n:
        return f"({said})"
    return f"({said}; {summary.with_first_n / seconds:.2f} with first tokens)"
