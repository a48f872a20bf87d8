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
    "nothing-drafted": "speculation is set up, but no request drafted; use an n_min below n_max "
    "and a smaller p_min",
    "n-max-zero": "the server stopped on {what}; seen with n_max 0 and with n_max above the batch",
    "n-max-too-large": "the server stopped on {what}{todo}",
    "broken-releases": "the server stopped on {what}; seen in b10741 to b10743 with an MTP head",
    "split-mode-tensor": "the server stopped on {what}; go back to --split-mode layer",
    "crash": "the server died: {what}",
    "killed": "something killed the server: {what}",
    "illegal-instruction": "this processor lacks what the server was built for: {what}{todo}",
    "out-of-memory": "memory ran out: {what}{todo}",
    "no-head": "the model has no MTP head: {what}{todo}",
    "no-model": "a router without a model: {what}",
    "draft-mismatch": "the draft model does not fit: {what}{todo}",
    "broken-draft-model": "the draft model could not be loaded: {what}{todo}",
    "broken-model": "the model could not be loaded: {what}{todo}",
    "port-taken": "the port was taken: {what}{todo}",
    "context-too-small": "a prompt did not fit: {what}{todo}",
    "unknown-spec-type": "this build does not know the type: {what}{todo}",
    "invalid-argument": "the server refused an argument: {what}{todo}",
    "mixed-types": "several types of speculation at once: {what}",
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
