"""Requests whose lines stand among those of other slots, made whole.

Within one slot the lines keep their order, so that a request is found only where the reader of
lines would find it whole.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from speculoos.read.digits import WORD, Bytes, Ints, Mask
from speculoos.read.plain import Plain, Rows, surely_whole
from speculoos.read.spans import Spans
from speculoos.read.template import NEWLINE

HEADS = (b"slot print_timing: id", b"slot      release: id", b"slot launch_slot_: id")
LAST_WORD = len(HEADS[0]) - WORD
HEAD_WORDS = [
    [np.uint64(int.from_bytes(head[at : at + WORD], "little")) for at in (0, WORD, LAST_WORD)]
    for head in HEADS
]
SLOT, TASK, LONGEST_TASK = 22, 32, 12
"""Behind a head's start: two characters of the slot; the task."""
FIRST_WORD = 16
NEAR = 1 << 12
"""So many bytes hold the lines of most requests and those between them."""
TIMES = b"0123456789{\x1b"
"""A line that starts so starts with a time, not with who writes it."""
FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Lines:
    """Those whole lines of a text that name slot and task."""

    start: Ints
    end: Ints
    own: Ints
    """Where the words behind slot and task begin."""
    slot: NDArray[np.uint16] | NDArray[np.uint64]
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

    def begin_with(self, places: Ints) -> Mask:
        """Which lines' own words begin at one of the places; lines and places are in order."""
        found = np.zeros(len(self.own), bool)
        at = np.minimum(np.searchsorted(self.own, places), len(found) - 1)
        found[at[self.own[at] == places]] = True
        return found


class Regrouped:
    """The requests of a text that are whole once each slot's lines stand together."""

    def __init__(self, text: bytes, lines: Lines, plain: Plain, prompts: Ints) -> None:
        self.in_order, self.order = lines, np.argsort(lines.slot, kind="stable")
        is_prompt = lines.begin_with(prompts)[self.order]
        self.lines = lines.take(self.order)
        start, end, own = self.lines.start, self.lines.end, self.lines.own
        self.begins = np.concatenate([[0], np.cumsum(end - start)])
        again = _joined(text, start, self.begins)
        found = plain.find(again, (self.begins[:-1] + own - start)[is_prompt])
        self.rows = Rows.merged(text, [self._in_order(text, rows) for rows in found])

    @classmethod
    def of(cls, text: bytes, plain: Plain, prompts: Ints, values: Ints) -> "Regrouped | None":
        """The requests of these prompts; None if another line, too, holds one of the values."""
        newlines = np.flatnonzero(np.frombuffer(text, np.uint8) == NEWLINE)
        for near in (NEAR, len(text)):
            lines = _lines(text, newlines, prompts, near)
            if lines.hold(values):
                return cls(text, lines, plain, prompts)
        return None

    def _in_order(self, text: bytes, rows: Rows) -> Rows:
        """Where the log has them, without a slot's last, whose last line may be still to come."""
        first, last = self._shift(rows.start), self._shift(rows.end - 1)
        tail = np.where(rows.tail < 0, -1, rows.tail + last)
        found = replace(rows, data=text, start=rows.start + first, end=rows.end + last, tail=tail)
        return surely_whole(found.take(np.argsort(found.start)))

    def _shift(self, places: Ints) -> Ints:
        """How much further on the log has the line that holds each place."""
        line = np.searchsorted(self.begins, places, "right") - 1
        shift: Ints = self.lines.start[line] - self.begins[line]
        return shift

    def spans(self) -> Spans:
        """Where the lines of these requests are."""
        place = np.empty_like(self.order)
        place[self.order] = np.arange(len(place))
        lines = self.in_order
        first, last = (place[np.searchsorted(lines.start, at, "right") - 1]
                       for at in (self.rows.start, self.rows.end - 1))  # fmt: skip
        is_mine = np.sort(self.order[_steps(first, last + 1, len(place))])
        return lines.start[is_mine], lines.end[is_mine]


def _steps(first: Ints, behind: Ints, size: int) -> Mask:
    """Which of so many places lie in one of the ranges."""
    change = np.bincount(first, minlength=size + 1) - np.bincount(behind, minlength=size + 1)
    within: Mask = np.cumsum(change[:size]) > 0
    return within


def _joined(text: bytes, start: Ints, begins: Ints) -> bytes:
    """Lines one behind the other: all of one length are copied at once."""
    joined = np.empty(begins[-1], np.uint8)
    lengths = np.diff(begins)
    order = np.argsort(lengths, kind="stable")
    for some in np.split(order, np.flatnonzero(np.diff(lengths[order])) + 1):
        if len(some):
            width = int(lengths[some[0]])
            _rows(joined, width)[begins[some]] = _rows(text, width)[start[some]]
    return joined.tobytes()


def _lines(text: bytes, newlines: Ints, prompts: Ints, near: int) -> Lines:
    """The lines that name slot and task behind a prefix as long as one of the prompts' lines.

    Those that stand further than `near` behind the text's start and every prompt are left out.
    """
    data = np.frombuffer(text, np.uint8)
    start, end = np.concatenate([[0], newlines[:-1] + 1]), newlines + 1
    heads = np.concatenate([[0], prompts])
    first, behind = np.searchsorted(end, heads, "right"), np.searchsorted(start, heads + near)
    is_near = _steps(first, behind, len(start))
    start, end = start[is_near], end[is_near]
    head = np.full(len(end), -1)
    for width in _prefix_widths(text, prompts, start):
        at = start + width
        known = np.flatnonzero(at < len(text) - TASK - LONGEST_TASK - FIRST_WORD)
        named = known[_begin(text, at[known])]
        head[named] = at[named]
    kept = np.flatnonzero((head >= 0) & (head < end))
    start, end, head = start[kept], end[kept], head[kept]
    own = _own(text, head)
    return Lines(start, end, own, _slot(text, start, head)).take(~_is_progress(data, own))


def _prefix_widths(text: bytes, prompts: Ints, start: Ints) -> list[int]:
    """How many characters stand before `slot print_timing` in the prompts' lines."""
    prompts = prompts[prompts >= TASK + LONGEST_TASK]
    line = start[np.searchsorted(start, prompts, "right") - 1]
    task_end = prompts - len(" | ")
    before = _rows(text, LONGEST_TASK)[task_end - LONGEST_TASK]
    digits = (before == ord(" "))[:, ::-1].argmax(axis=1)
    at = task_end - digits - TASK
    fits = (at >= line) & _begin(text, np.maximum(at, 0))
    return sorted(set((at - line)[fits].tolist()))


def _begin(text: bytes, at: Ints) -> Mask:
    """Where one of `HEADS` begins."""
    words = np.ndarray((len(text) - WORD + 1,), "<u8", text, 0, (1,))
    middle = words[at + WORD]
    found = np.zeros(len(at), bool)
    for first, second, last in HEAD_WORDS:
        some = np.flatnonzero(middle == second)
        begin = at[some]
        is_head = (words[begin] == first) & (words[begin + LAST_WORD] == last)
        found[some[is_head]] = True
    return found


def _own(text: bytes, head: Ints) -> Ints:
    is_behind = _rows(text, LONGEST_TASK)[head + TASK] == ord("|")
    own: Ints = head + TASK + is_behind.argmax(axis=1) + len("| ")
    return own


def _slot(text: bytes, start: Ints, head: Ints) -> NDArray[np.uint16] | NDArray[np.uint64]:
    data = np.frombuffer(text, np.uint8)
    slot = data[head + SLOT] * np.uint16(256) + data[head + SLOT + 1]
    writer = _writer(text, start, head)
    return writer * FACTOR + slot if writer.any() else slot


def _rows(text: bytes | Bytes, width: int) -> Bytes:
    """All windows of some width, a row for each place where one can begin."""
    return np.ndarray((max(0, len(text) - width + 1), width), np.uint8, text, 0, (1, 1))


def _is_progress(data: Bytes, own: Ints) -> Mask:
    """Lines `n_gen = …` and `prompt processing …`."""
    first, second = data[own], data[own + len(b"prompt ")]
    found: Mask = (first == ord("n")) | ((first == ord("p")) & (second == ord("p")))
    return found


def _writer(text: bytes, start: Ints, head: Ints) -> NDArray[np.uint64]:
    """A line's first word as a number, if it is not a time."""
    data = np.frombuffer(text, np.uint8)
    named = ~np.isin(data[start], np.frombuffer(TIMES, np.uint8)) & (start != head)
    writer = np.zeros(len(start), np.uint64)
    window = _rows(text, FIRST_WORD)[start[named]]
    word = window * ~np.logical_or.accumulate(window == ord(" "), axis=1)
    low, high = np.ascontiguousarray(word).view(np.uint64).T
    writer[named] = low * FACTOR + high
    return writer
