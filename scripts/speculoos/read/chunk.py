"""One chunk of a log: whole lines, of which some are whole requests; what it tells among others."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from speculoos.read import log_findings, signs
from speculoos.read.digits import Ints, Mask
from speculoos.read.plain import Rows, find_by, writer_of
from speculoos.read.spans import Span, Spans, line_around, outside
from speculoos.read.template import NEWLINE
from speculoos.read.words import Words

SLICE = 1 << 17
"""Newlines are counted in pieces that fit a processor's cache: faster than `bytes.count`."""
VALUES = (b"eval time", b"draft accep", b"acc per pos")
ENDS = (b"release: id", b"slot released", b"launch_slot_")
BARE = (b"total time", b"print_timing")
FEW = 16
"""Of so few lines that belong to no plain request the end is looked for one by one."""
SLOT = re.compile(rb"id ([ \d]\d) \| (task -?\d+) \|")
ENDING = Words((*VALUES, *ENDS), signs.NEEDLES)
CLOSE = Words((*VALUES, *ENDS, *BARE), log_findings.NEEDLES)

Key = tuple[str, bytes, bytes]
"""Who writes a line, and its slot and task as written."""


class Hit(NamedTuple):
    """A line that may matter."""

    number: int
    raw: bytes
    whole: bool
    """Whether a newline ends it."""
    says_more: bool
    """Whether it may say something beside a request's figures."""


@dataclass(slots=True)
class Chunk:
    """Whole lines of the log, and what was found in them."""

    text: bytes
    newlines: Ints
    """How many there are above each slice, and in all."""
    rows: Rows
    """The plain requests."""
    spans: list[Spans]
    """Where their lines are."""
    places: Ints
    """Where other lines hold a word that matters."""
    more: Mask
    """Which of them say something beside a request's figures."""
    odd: list[Span]
    """The lines of figures outside every plain request."""
    bare: bool
    """Whether one of them does not name its request."""
    special: bool
    """Whether every word matters here and in the chunks around."""
    number: int = 1
    """Of its first line in the log."""
    open: list[Key] = field(default_factory=list)
    """Requests of which some line is here, their end not yet."""

    def parts(self, before: "Chunk | None", behind: "Chunk | None") -> Iterator[Hit | Rows]:
        """Its lines and plain requests in order.

        Near bare lines whose request is not plain, every line counts for those behind it.
        """
        around = [chunk for chunk in (before, self, behind) if chunk]
        if any(chunk.bare for chunk in around):
            self.rows, self.spans = self.rows.take(slice(0)), []
        self._find_ends(before.open if before else [])
        if not (before and behind) or any(chunk.special for chunk in around):
            self._search(CLOSE)
        lines = self._lines()
        starts = [start for start, _ in lines]
        parts: list[tuple[int, Hit | Rows]] = list(zip(starts, self._hits(lines), strict=True))
        parts += [(int(piece.start[0]), piece) for piece in _pieces(self.rows, starts)]
        parts.sort(key=lambda part: part[0])
        return (part for _, part in parts)

    def with_text(self, text: bytes) -> "Chunk":
        """The same with another copy of its text: it does not travel between processes."""
        return replace(self, text=text, rows=replace(self.rows, data=text))

    def _search(self, words: Words) -> None:
        found, self.places = words.find(self.text)
        self.more = found >= words.values

    def _find_ends(self, still_open: list[Key]) -> None:
        """Add the lines that end the requests of odd lines, here or above."""
        keys = {self._key(span): span[1] for span in self.odd[-FEW * FEW :]}
        behind = dict.fromkeys(still_open, 0) | {key: at for key, at in keys.items() if key}
        ends = {key: self._end(key, at) for key, at in [*behind.items()][-FEW:]}
        self.open = [key for key, at in ends.items() if at < 0]
        if len(self.odd) > FEW or None in keys:
            self._search(ENDING)
            return
        lines = np.array(sorted({*ends.values()} - {-1}), np.int64)
        at = np.searchsorted(self.places, lines)
        self.places = np.insert(self.places, at, lines)
        self.more = np.insert(self.more, at, values=False)

    def _key(self, span: Span) -> Key | None:
        line = self.text[slice(*span)]
        slot = SLOT.search(line)
        return (writer_of(line), slot[1], slot[2]) if slot else None

    def _end(self, key: Key, behind: int) -> int:
        """Where the next line of the same server says that a task has left its slot; or -1."""
        writer, slot, task = key
        return find_by(writer, b"release: id %b | %b |" % (slot, task), self.text, behind)

    def _lines(self) -> dict[Span, bool]:
        """The lines that matter, and whether they say something beside figures."""
        free = outside(self.places, self.spans)
        lines: dict[Span, bool] = {}
        for at, more in zip(self.places[free].tolist(), self.more[free].tolist(), strict=True):
            span = line_around(self.text, at)
            lines[span] = lines.get(span, False) or more
        if not self.text.endswith(b"\n"):  # a last line that was cut says so, whatever it holds
            lines.setdefault((self.text.rfind(b"\n") + 1, len(self.text)), False)
        return lines

    def _hits(self, lines: dict[Span, bool]) -> Iterator[Hit]:
        number, counted = self.number, 0
        for (start, end), more in lines.items():
            if start // SLICE > counted // SLICE:
                counted = start - start % SLICE
                number = self.number + int(self.newlines[start // SLICE])
            number += _newlines(self.text, counted, start)
            counted = start
            yield Hit(number, self.text[start:end], end < len(self.text), more)


def newlines_of(text: bytes) -> Ints:
    """How many there are above each slice of a text, and in all."""
    slices = [_newlines(text, at, at + SLICE) for at in range(0, len(text), SLICE)]
    return np.cumsum([0, *slices])


def _newlines(text: bytes, start: int, end: int) -> int:
    data = np.frombuffer(text, np.uint8)[start:end]
    return int(np.count_nonzero(data == NEWLINE))


def _pieces(rows: Rows, lines: list[int]) -> Iterator[Rows]:
    """The requests between lines."""
    cuts = np.unique(np.searchsorted(rows.start, lines)).tolist()
    for first, last in pairwise([0, *cuts, len(rows)]):
        if first < last:
            yield rows.take(slice(first, last))
