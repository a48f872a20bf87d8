"""One reading of `/metrics`: totals since the start of the server, in the record's names."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, log10

from speculoos.measure.counters import readings

_NAMES = {
    "prompt_tokens_total": "prompt_n",
    "prompt_seconds_total": "prompt_ms",
    "tokens_predicted_total": "predicted_n",
    "tokens_predicted_seconds_total": "predicted_ms",
    "spec_decode_num_draft_tokens_total": "draft_n",
    "spec_decode_num_accepted_tokens_total": "draft_n_accepted",
    "spec_decode_num_drafts_total": "verify_steps",
}
_DECODES, _BUSY = "n_decode_total", "n_busy_slots_per_decode"
_RUNNING = "requests_processing"
_WAITING = "requests_deferred"
_DIGITS = 6
"""Significant digits that the server prints; the counters by position are printed exactly."""


@dataclass(frozen=True)
class Page:
    """Totals by the names of `Window`; milliseconds where the server prints seconds."""

    totals: Mapping[str, float]
    per_position: Mapping[int, int]
    running: int
    birth: str
    """What the server says of its start: opaque, another one after a restart; empty if hidden."""

    @property
    def counts_speculation(self) -> bool:
        """Whether this build counts drafts at all (b10068 does not, b10434 does)."""
        return "verify_steps" in self.totals

    def resolution(self, name: str) -> float:
        """The step between two values that the page can print of this total, as it stands."""
        return _step(self.totals[name], name)


def read_page(text: str, birth: str = "") -> Page:
    """The totals of a page; gauges that are windows since the last reading are left out.

    A page without the counter of generated tokens is not llama-server's: `totals` is empty.
    """
    values, per_position = readings(text)
    if "tokens_predicted_total" not in values:
        return Page({}, {}, 0, birth)
    totals = {name: _total(values[key], name) for key, name in _NAMES.items() if key in values}
    if _DECODES in values and _BUSY in values:  # a mean since the start, not a window
        totals["decodes"] = values[_DECODES]
        totals["slot_decodes"] = values[_DECODES] * values[_BUSY]
    running = int(values.get(_RUNNING, 0) + values.get(_WAITING, 0))
    return Page(totals, per_position, running, birth)


def _total(value: float, name: str) -> float:
    return round(value * 1000, 6) if name.endswith("_ms") else value


def _step(value: float, name: str) -> float:
    if value <= 0:
        return 0.0
    seconds = value / 1000 if name.endswith("_ms") else value
    step = 10.0 ** (floor(log10(seconds)) - _DIGITS + 1)
    if not name.endswith("_ms"):
        return step if step > 1 else 0.0  # whole numbers below a million are exact
    return 1000 * step
