"""What a source says about one request, and what else it gives away: plain values."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal

Source = Literal["server_log", "mtp_bench", "llama_bench", "speed_bench", "metrics", "timings"]
Speculation = Literal["drafted", "none", "unknown"]
RateDivisor = Literal["n", "n-1"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as its source shows it; what is not shown is None, never 0."""

    source: Source
    slot: int | None = None
    task: int | None = None
    label: str | None = None
    """The prompt's or test's name where the source has one."""
    prompt_n: int | None = None
    prompt_ms: float | None = None
    predicted_n: int | None = None
    predicted_ms: float | None = None
    printed_tokens_per_second: float | None = None
    """As printed; for a test that generates nothing, the prompt's rate."""
    rate_divisor: RateDivisor | None = None
    """What the printed rate counts; None where both fit or neither does."""
    draft_n: int | None = None
    draft_n_accepted: int | None = None
    speculation: Speculation = "unknown"
    mean_acceptance_length: float | None = None
    accepted_per_position: tuple[int, ...] | None = None
    """Counts; a log prints rates, which are kept only where they give one set of counts."""
    n_max: int | None = None
    build: str | None = None

    @property
    def generates(self) -> bool:
        """Whether tokens and time of a generation are both known."""
        return bool(self.predicted_n and self.predicted_ms)

    def as_dict(self) -> dict[str, Any]:
        """The request as `--json` prints it, its keys in a fixed order."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        positions = self.accepted_per_position
        return values | {"accepted_per_position": positions and list(positions)}


@dataclass(frozen=True, slots=True)
class Hint:
    """Something a reader should know; `kind` is also the anchor of its pitfall."""

    kind: str
    line_number: int
    figures: tuple[tuple[str, str | float], ...] = ()

    @property
    def message(self) -> str:
        """One English sentence with the figures filled in."""
        return MESSAGES[self.kind].format_map(_Figures(self.figures))


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about the server: its build, models, command, memory and so on."""

    name: str
    line_number: int
    value: str | float
    detail: str = ""
    """For memory: what the buffer holds and on which device."""


Event = Request | Hint | Finding


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that one input says."""

    name: str
    forms: tuple[str, ...]
    """What the input was recognised as; empty where nothing was."""
    requests: tuple[Request, ...]
    hints: tuple[Hint, ...]
    findings: tuple[Finding, ...]

    @classmethod
    def of(cls, name: str, forms: Iterable[str], events: Iterable[Event]) -> "Reading":
        """Sort a stream of events into a reading."""
        kept = list(events)
        return cls(
            name,
            tuple(forms),
            tuple(e for e in kept if isinstance(e, Request)),
            tuple(e for e in kept if isinstance(e, Hint)),
            tuple(e for e in kept if isinstance(e, Finding)),
        )


class _Figures(dict[str, Any]):
    """A figure that a hint lacks shows as a question mark."""

    def __missing__(self, key: str) -> str:
        return "?"


MESSAGES = {
    "silently-off": "speculation was off: {what}; {todo}",
    "removed-flags": "{flag}: {what}; use {today}",
    "n-max-zero": "the server stopped on {what}; seen with n_max 0 and with n_max above the batch",
    "crash": "the server died: {what}",
    "out-of-memory": "memory ran out: {what}",
    "no-head": "the model has no MTP head: {what}",
    "draft-mismatch": "the draft model does not fit, the server runs without it: {what}",
    "load-failed": "the model could not be loaded: {what}",
    "stale-server": "the port was taken: {what}",
    "synthetic": "acceptance is made up for benchmarking, the text is not valid: {what}",
    "rate-mismatch": "the printed {printed} tokens/s fits neither {n} tokens nor one less",
    "rounded-rate": "{label}: printed {printed}, the counts give {computed:.4f}",
    "mean-of-rates": "the mean of the rates is {printed:.2f}, all tokens over all time give "
    "{computed:.2f}",
    "prompt-in-wall-time": "{wall_s} s is wall time with prompts: {computed:.1f} tokens/s is no "
    "generation rate",
    "totals-differ": "{key} is {printed} in the summary, the rows give {computed}",
    "window-gauge": "{name} is a window since the last reading ({printed}), not an average",
    "request-failed": "{label} failed: {what}",
    "cut": "the input ends early: {what}",
    "progress-only": "only progress lines: no request ends in this input",
}
"""One sentence for each kind of hint."""
