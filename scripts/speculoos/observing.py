"""How an observation looks: a line an interval, which reads in a plain log too, and its summary."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console

from speculoos.measure.observe.address import Told
from speculoos.measure.observe.lives import Back, Gained, Happened, Idle, Lost
from speculoos.publish import sentences
from speculoos.record import metrics
from speculoos.record.types import Observation, Silence, Window
from speculoos.record.usage import Range, Usage, cautions
from speculoos.record.warn import Warn

_NONE = "-"
_HEAD = f"{'at':>8} {'tokens':>8} {'tokens/s':>9} {'accepted':>9} {'steps':>7} {'per step':>9}"
_COARSE = 0.01
"""Share of a rate from which its rounding is shown beside it."""


def about(told: Told) -> str:
    """What the server says of itself, on one line."""
    speculation = {True: "speculation on", False: "speculation off", None: "speculation unknown"}
    slots = f"{told.slots} slot{'s' if (told.slots or 0) > 1 else ''}" if told.slots else None
    parts = (told.build and f"build {told.build}", told.model_file, told.quantization, slots)
    return ", ".join([part for part in parts if part] + [speculation[told.speculative]])


class Lines:
    """One line for each event; a quiet time is told once."""

    def __init__(self, out: Console) -> None:
        self.out, self.quiet, self.headed = out, False, False

    def show(self, event: Happened) -> None:
        """Print what happened."""
        if isinstance(event, Idle):
            self._idle(event)
            return
        self.quiet = False
        if isinstance(event, Gained):
            if not self.headed:
                self._print(f"{_HEAD}  by position")
                self.headed = True
            self._print(_row(event))
        elif isinstance(event, Lost):
            self._print(f"{event.at_s:7.0f}s no answer: {event.why}")
        else:
            self._print(f"{event.at_s:7.0f}s {_back(event)}")

    def _idle(self, event: Idle) -> None:
        if not self.quiet:
            running = f", {event.running} running" if event.running else ""
            self._print(f"{event.at_s:7.0f}s nothing finished{running}")
        self.quiet = True

    def _print(self, line: str) -> None:
        self.out.print(line, markup=False)


def _back(event: Back) -> str:
    silence = event.silence
    took = f"{(silence.to_s or 0) - silence.from_s:.0f} s after the last answer"
    if silence.restarted:
        return f"restarted: its counters began anew, at most {took}; what ran before is not counted"
    return f"it answers again, {took}; it was not restarted"


def _row(event: Gained) -> str:
    window = event.window
    one = [window]
    rate = metrics.rate_in_use(one)
    length = metrics.mean_acceptance_length(one)
    shares = metrics.acceptance_by_position(one)
    off = f" ±{100 * event.coarse:.0f} %" if event.coarse > _COARSE else ""
    return (
        f"{window.to_s or 0:7.0f}s {window.predicted_n:8d} {_text(rate, 1):>9} "
        f"{_percent(metrics.acceptance_rate(one)):>9} {_text(window.verify_steps):>7} "
        f"{_text(length, 2):>9}  {' '.join(map(_percent, shares)) or _NONE}{off}"
    )


def _text(value: float | None, digits: int = 0) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


def _percent(value: float | None) -> str:
    return _NONE if value is None else f"{100 * value:.0f} %"


def show_usage(out: Console, found: Usage) -> None:
    """Summary and notes."""
    for line in (*_watched(found), *_figures(found)):
        out.print(line, markup=False)
    for warn in cautions(found):
        out.print(
            f"[yellow]Note:[/] {sentences.warning(warn, 'en')} "
            f"See pitfalls#{sentences.pitfall_of(warn)}."
        )


def _watched(found: Usage) -> Iterator[str]:
    observed = found.observation
    if observed.watched_s is not None:
        yield f"Watched for {observed.watched_s:.0f} s, {len(observed.windows)} busy interval(s)."
    yield from (_silence(silence) for silence in observed.silences)


def _silence(silence: Silence) -> str:
    if silence.to_s is None:
        return f"No answer from {silence.from_s:.0f} s on, until the end."
    what = "Restarted" if silence.restarted else "Silent"
    return f"{what} between {silence.from_s:.0f} s and {silence.to_s:.0f} s."


def _figures(found: Usage) -> Iterator[str]:
    if not found.observation.windows:
        yield "No request ended meanwhile: nothing to sum up."
        return
    rate, requests = found.tokens_per_second, found.requests
    count = f"{requests} request(s), " if requests is not None else ""
    tokens = f"{count}{found.predicted_n} tokens"
    yield f"  tokens/s while busy  {_text(rate, 1)}{_between(found.rates, 1)}; {tokens}"
    share = _text(None if found.acceptance_rate is None else 100 * found.acceptance_rate, 1)
    yield f"  accepted             {share} %{_between(_hundred(found.acceptance_rates), 0)}"
    yield f"  steps                {_text(found.verify_steps)}"
    yield f"  tokens per step      {_text(found.mean_acceptance_length, 2)}"
    yield f"  by position          {' '.join(map(_percent, found.acceptance_by_position)) or _NONE}"


def _hundred(found: Range | None) -> Range | None:
    return None if found is None else (100 * found[0], 100 * found[1])


def _between(found: Range | None, digits: int) -> str:
    if found is None:
        return ""
    return f" (intervals: {found[0]:.{digits}f} to {found[1]:.{digits}f})"


def as_data(found: Usage) -> dict[str, Any]:
    """A summary and its intervals as `observe --json` prints them; unknown is null."""
    observed: Observation = found.observation
    return {
        "watched_s": observed.watched_s,
        "requests": found.requests,
        "prompt_n": found.prompt_n,
        "predicted_n": found.predicted_n,
        "tokens_per_second": found.tokens_per_second,
        "tokens_per_second_error": found.tokens_per_second_error,
        "draft_n": found.draft_n,
        "verify_steps": found.verify_steps,
        "acceptance_rate": found.acceptance_rate,
        "acceptance_by_position": list(found.acceptance_by_position),
        "mean_acceptance_length": found.mean_acceptance_length,
        "busy_slots": found.busy_slots,
        "restarts": found.restarts,
        "silences": [silence.model_dump() for silence in observed.silences],
        "running_at_end": observed.running_at_end,
        "intervals": _intervals(observed.windows),
        "notes": [_note(warn) for warn in cautions(found)],
    }


def _note(warn: Warn) -> dict[str, str | None]:
    text, anchor = sentences.warning(warn, "en"), sentences.pitfall_of(warn)
    return {"kind": warn.kind, "text": text, "pitfall": anchor}


def _intervals(windows: Sequence[Window]) -> list[dict[str, Any]]:
    return [
        {
            **window.model_dump(),
            "tokens_per_second": metrics.rate_in_use([window]),
            "acceptance_rate": metrics.acceptance_rate([window]),
        }
        for window in windows
    ]
