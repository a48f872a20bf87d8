"""Finds what matters in a log of any size, in constant memory.

Chunks of whole lines are searched for all words at once before any line is cut out: a log is
mostly lines that say nothing about a finished request. `ahocorasick_rs` does that at the speed of
a search for one word.
"""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, pairwise
from typing import NamedTuple, TypeVar

import numpy as np

from speculoos.read import log_findings, signs
from speculoos.read.chunks import PROMPT, chunks
from speculoos.read.plain import Plain, Rows, find_by, surely_whole, writer_of
from speculoos.read.regroup import Regrouped, Spans
from speculoos.read.template import NEWLINE, Ints, Mask
from speculoos.read.unpack import Bytes
from speculoos.read.words import Words

SLICE = 1 << 17
VALUES = (b"eval time", b"draft accep", b"acc per pos")
ENDS = (b"release: id", b"slot released", b"launch_slot_")
BARE = (b"total time", b"print_timing")
START = b"loading model"
MIXED = 16
"""So many requests whose lines stand apart are worth to be regrouped."""
FEW = 16
"""Of so few lines that belong to no plain request the end is looked for one by one."""
SLOT = re.compile(rb"id ([ \d]\d) \| (task -?\d+) \|")
KEY = re.compile(rb"\| task (-?\d+) \||(?:id_task|task_id)\D{1,3}(\d+)")


T = TypeVar("T")
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


USUAL = Words(VALUES, (*signs.NEEDLES, START))
ENDING = Words((*VALUES, *ENDS), signs.NEEDLES)
CLOSE = Words((*VALUES, *ENDS, *BARE), log_findings.NEEDLES)


def hits(stream: Bytes) -> Iterator[Hit | Rows]:
    """Each line that may matter and the plain requests between them, in order.

    Around the start of a server, at both ends and where lines do not name their request, every
    word is searched for.
    """
    last = None
    for before, chunk in pairwise(chain(_read(stream), [None])):
        if before:
            yield from before.parts(last, chunk)
        last = before


def _read(stream: Bytes) -> Iterator["Chunk"]:
    plain, number = Plain(), 1
    for text, words, places, lines in _ahead(map(_search, chunks(stream))):
        chunk = Chunk(text, number, plain)
        chunk.look(words, places)
        number += lines
        yield chunk


def _ahead(chunks: Iterator[T]) -> Iterator[T]:
    """The same, each made in another thread while the one before is used.

    The search leaves other threads their processor: with two of them, a log is read half as long.
    """
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, chunks, None)
        while (chunk := coming.result()) is not None:
            coming = pool.submit(next, chunks, None)
            yield chunk


def _search(text: bytes) -> tuple[bytes, Ints, Ints, int]:
    """A chunk with the words of a first search, their places, and its number of lines."""
    return text, *USUAL.find(text), _newlines(text)


def _newlines(text: bytes) -> int:
    """How many there are, in pieces that fit a processor's cache: faster than `bytes.count`."""
    data = np.frombuffer(text, np.uint8)
    pieces = range(0, len(data), SLICE)
    return sum(int(np.count_nonzero(data[at : at + SLICE] == NEWLINE)) for at in pieces)


class Chunk:
    """Whole lines of the log, and what a first search found in them."""

    def __init__(self, text: bytes, number: int, plain: Plain) -> None:
        self.text, self.number, self.plain = text, number, plain
        self.open: list[Key] = []
        """Requests of which some line is here, their end not yet."""

    def look(self, words: Ints, places: Ints) -> None:
        """Read the plain requests, and see what else the words tell."""
        self.places, self.more = places, words >= USUAL.values
        starts = bool((words == len(USUAL.all) - 1).any())
        values = places[~self.more]
        self._read(values, regroup=not starts)
        keys = self._keys(values)
        if any(keys):
            self._leave_out([int(key[1] or key[2]) for key in keys if key])
            keys = self._keys(values)
        self.bare = not all(keys)
        self.special = starts or self.bare

    def _keys(self, values: Ints) -> list[re.Match[bytes] | None]:
        """The tasks of the odd lines: those of figures outside every plain request."""
        self.odd = [self._line(at) for at in values[self._uncovered(values)].tolist()]
        return [KEY.search(self.text, *span) for span in self.odd]

    def _read(self, values: Ints, *, regroup: bool) -> None:
        prompts = _prompts(self.text, values)
        found = self.plain.find(self.text, prompts)
        whole = map(surely_whole, found)
        self.rows, self.mixed = [rows for rows in whole if len(rows)], None
        left = prompts[self._uncovered(prompts)]
        if regroup and len(left) >= MIXED:
            self.mixed = Regrouped.of(self.text, self.plain, left, values)

    def _leave_out(self, tasks: list[int]) -> None:
        """Take no request of which another line says something."""
        self.rows = [_without(rows, tasks) for rows in self.rows]
        if self.mixed:
            self.mixed.rows = [_without(rows, tasks) for rows in self.mixed.rows]

    def _uncovered(self, places: Ints) -> Mask:
        """Which places lie outside every plain request."""
        spans = [(rows.start, rows.end) for rows in self.rows]
        return _outside(places, [*spans, self.mixed.spans()] if self.mixed else spans)

    def parts(self, before: "Chunk | None", behind: "Chunk | None") -> Iterator[Hit | Rows]:
        """Its lines and plain requests in order.

        Near bare lines whose request is not plain, every line counts for those behind it.
        """
        around = [chunk for chunk in (before, self, behind) if chunk]
        if any(chunk.bare for chunk in around):
            self.rows, self.mixed = [], None
        self._find_ends(before.open if before else [])
        if not (before and behind) or any(chunk.special for chunk in around):
            self._search(CLOSE)
        lines = self._spans()
        starts = [start for start, _ in lines]
        parts: list[tuple[int, Hit | Rows]] = list(zip(starts, self._hits(lines), strict=True))
        for rows in (*self.rows, *(self.mixed.rows if self.mixed else ())):
            parts += [(int(piece.first[0]), piece) for piece in _pieces(rows, starts)]
        parts.sort(key=lambda part: part[0])
        return (part for _, part in parts)

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
        free = np.setdiff1d(np.array(sorted({*ends.values()} - {-1}), np.int64), self.places)
        at = np.searchsorted(self.places, free)
        self.places = np.insert(self.places, at, free)
        self.more = np.insert(self.more, at, values=False)

    def _key(self, span: tuple[int, int]) -> Key | None:
        line = self.text[slice(*span)]
        slot = SLOT.search(line)
        return (writer_of(line), slot[1], slot[2]) if slot else None

    def _end(self, key: Key, behind: int) -> int:
        """Where the next line of the same server says that a task has left its slot; or -1."""
        writer, slot, task = key
        return find_by(writer, b"release: id %b | %b |" % (slot, task), self.text, behind)

    def _spans(self) -> dict[tuple[int, int], bool]:
        free = self._uncovered(self.places)
        spans: dict[tuple[int, int], bool] = {}
        for at, more in zip(self.places[free].tolist(), self.more[free].tolist(), strict=True):
            span = self._line(at)
            spans[span] = spans.get(span, False) or more
        if not self.text.endswith(b"\n"):  # a last line that was cut says so, whatever it holds
            spans.setdefault((self.text.rfind(b"\n") + 1, len(self.text)), False)
        return spans

    def _line(self, at: int) -> tuple[int, int]:
        """Start and end of the line around a place."""
        end = self.text.find(b"\n", at)
        return self.text.rfind(b"\n", 0, at) + 1, end if end >= 0 else len(self.text)

    def _hits(self, lines: dict[tuple[int, int], bool]) -> Iterator[Hit]:
        number, counted = self.number, 0
        for (start, end), more in lines.items():
            number += self.text.count(b"\n", counted, start)
            counted = start
            yield Hit(number, self.text[start:end], end < len(self.text), more)


def _prompts(text: bytes, values: Ints) -> Ints:
    """Where a prompt's time is written, among the places of any time."""
    begins = values - (len(PROMPT) - len(b"eval time ="))
    begins = begins[begins >= 0]
    is_prompt: Mask = np.frombuffer(text, np.uint8)[begins] == PROMPT[0]
    return begins[is_prompt]


def _outside(places: Ints, spans: list[Spans]) -> Mask:
    free = np.ones(len(places), bool)
    for start, end in spans:
        if len(start):
            at = np.searchsorted(start, places, "right") - 1
            free &= (at < 0) | (places >= end[at])
    return free


def _without(rows: Rows, tasks: list[int]) -> Rows:
    return rows.take(~np.isin(rows["task"], tasks))


def _pieces(rows: Rows, lines: list[int]) -> Iterator[Rows]:
    """The requests between lines."""
    cuts = np.unique(np.searchsorted(rows.first, lines)).tolist()
    for first, last in pairwise([0, *cuts, len(rows)]):
        if first < last:
            yield rows.take(slice(first, last))
