"""Requests whose lines stand among those of other slots, made whole.

Within one slot the lines keep their order, so that a request is found only where the reader of
lines would find it whole.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from speculoos.read.plain import Plain, Rows, surely_whole
from speculoos.read.template import NEWLINE, Bytes, Ints, Mask
from speculoos.read.words import Words

HEADS = Words((b"slot print_timing: id", b"slot      release: id", b"slot launch_slot_: id"))
SLOT, TASK, LONGEST_TASK = 22, 32, 12
"""Behind a head's start: two characters of the slot; the task."""
FIRST_WORD = 16
TIMES = b"0123456789{\x1b"
"""A line that starts so starts with a time, not with who writes it."""
FACTOR = np.uint64(0x9E3779B97F4A7C15)

Spans = tuple[Ints, Ints]


@dataclass(frozen=True, slots=True)
class Lines:
    """Those whole lines of a text that name slot and task."""

    start: Ints
    end: Ints
    own: Ints
    """Where the words behind slot and task begin."""
    slot: NDArray[np.uint64]
    """One number for each slot of each server."""

    def take(self, which: Mask | Ints) -> "Lines":
        """Some of the lines."""
        return Lines(self.start[which], self.end[which], self.own[which], self.slot[which])

    def hold(self, places: Ints) -> bool:
        """Whether every place is in one of the lines, which are in order."""
        if not len(places) or not len(self.start):
            return not len(places)
        at = np.searchsorted(self.start, places, "right") - 1
        return bool(((at >= 0) & (places < self.end[at])).all())


class Regrouped:
    """The requests of a text that are whole once each slot's lines stand together."""

    def __init__(self, text: bytes, lines: Lines, plain: Plain, prompts: Ints) -> None:
        self.lines = lines.take(np.argsort(lines.slot, kind="stable"))
        start, end, own = self.lines.start, self.lines.end, self.lines.own
        again = b"".join(map(text.__getitem__, map(slice, start.tolist(), end.tolist())))
        self.begins = np.concatenate([[0], np.cumsum(end - start)])
        is_prompt = np.isin(own, prompts)
        found = plain.find(again, (self.begins[:-1] + own - start)[is_prompt])
        self.rows = [self._in_order(rows) for rows in found]

    @classmethod
    def of(cls, text: bytes, plain: Plain, prompts: Ints, values: Ints) -> "Regrouped | None":
        """The requests of these prompts; None if another line, too, holds one of the values."""
        lines = _lines(text)
        return cls(text, lines, plain, prompts) if lines.hold(values) else None

    def _in_order(self, rows: Rows) -> Rows:
        """In the log's order, without a slot's last, whose last line may be still to come."""
        first_line = np.searchsorted(self.begins, rows.start, "right") - 1
        rows = surely_whole(replace(rows, first=self.lines.start[first_line]))
        return rows.take(np.argsort(rows.first))

    def spans(self) -> Spans:
        """Where the lines of these requests are."""
        mine = np.zeros(len(self.begins) + 1, np.int64)
        for rows in self.rows:
            np.add.at(mine, np.searchsorted(self.begins, rows.start, "right") - 1, 1)
            np.add.at(mine, np.searchsorted(self.begins, rows.end), -1)
        kept = self.lines.take(np.flatnonzero(np.cumsum(mine)[: len(self.lines.start)]))
        return np.sort(kept.start), np.sort(kept.end)


def _lines(text: bytes) -> Lines:
    _, at = HEADS.find(text)
    data = np.frombuffer(text, np.uint8)
    newlines = np.flatnonzero(data == NEWLINE)
    which = np.searchsorted(newlines, at)
    whole = (which < len(newlines)) & (at < len(text) - TASK - LONGEST_TASK - FIRST_WORD)
    at, which = at[whole], which[whole]
    start = np.where(which > 0, newlines[which - 1] + 1, 0)
    own = at + TASK + (_window(data, at + TASK, LONGEST_TASK) == ord("|")).argmax(axis=1) + 2
    slot = _writer(data, start, at) * FACTOR
    slot += data[at + SLOT] * np.uint64(256) + data[at + SLOT + 1]
    return Lines(start, newlines[which] + 1, own, slot).take(~_is_progress(data, own))


def _window(data: Bytes, at: Ints, width: int) -> Bytes:
    window: Bytes = data[at[:, None] + np.arange(width)]
    return window


def _is_progress(data: Bytes, own: Ints) -> Mask:
    """Lines `n_gen = …` and `prompt processing …`."""
    first, second = data[own], data[own + len(b"prompt ")]
    found: Mask = (first == ord("n")) | ((first == ord("p")) & (second == ord("p")))
    return found


def _writer(data: Bytes, start: Ints, head: Ints) -> NDArray[np.uint64]:
    """A line's first word as a number, if it is not a time."""
    window = _window(data, start, FIRST_WORD)
    word = window * ~np.logical_or.accumulate(window == ord(" "), axis=1)
    low, high = np.ascontiguousarray(word).view(np.uint64).T
    time = np.isin(window[:, 0], np.frombuffer(TIMES, np.uint8)) | (start == head)
    return np.where(time, np.uint64(0), low * FACTOR + high)
