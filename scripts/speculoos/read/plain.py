"""Whole requests as the present server prints them, found by the thousand.

A long log holds one every few dozen lines. What fits no template exactly is left to the reader of
lines.
"""

from dataclasses import dataclass

import numpy as np

from speculoos.read.digits import Floats, Ints, Mask
from speculoos.read.lines import clean
from speculoos.read.template import COLUMNS, NEWLINE, Form, Found, Template

TEMPLATES = 16
"""Tried on a chunk: with and without a draft, of each width and each child of a router."""
TRIES = 24
"""New templates that a chunk may give."""
SLOTS = 100
NEAR = 128
"""So many bytes hold what stands behind the last number in most requests."""
FAILURES = 8
"""So many requests of which no template can be made: another way reads a chunk like that."""
FAR = 0.000011
"""By how much a printed acceptance may miss its counts."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Requests of one server, one by index."""

    form: Form
    data: bytes
    start: Ints
    end: Ints
    """Where the request's last line ends."""
    values: Floats
    """A column for each of `COLUMNS`, in units of the last digit printed."""
    tail: Ints
    """Where the rates by position begin, if the template is open."""
    first: Ints
    """Where the request's first line stands in the log's text."""

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, column: str) -> Floats:
        found: Floats = self.values[COLUMNS.index(column)]
        return found

    def take(self, which: Mask | Ints | slice) -> "Rows":
        """Some of the rows."""
        if isinstance(which, np.ndarray) and which.dtype == bool and which.all():
            return self
        return Rows(
            self.form, self.data, self.start[which], self.end[which], self.values[:, which],
            self.tail[which], self.first[which],
        )  # fmt: skip


class Plain:
    """Finds plain requests chunk by chunk; learns how they look."""

    def __init__(self) -> None:
        self.templates: list[Template] = []
        """The one used last comes first."""

    def find(self, text: bytes, at: Ints) -> list[Rows]:
        """The plain requests whose prompt's time is written at one of the places."""
        found: list[Rows] = []
        for template in self.templates[:TEMPLATES]:
            at = self._take(text, at, template, found)
        tries, failures = TRIES, FAILURES
        while len(at) and tries and failures:
            new = Template.of(text, int(at[0]))
            at = self._take(text, at, new, found) if new else at[1:]
            tries, failures = tries - 1, failures - (new is None)
        return found

    def _take(self, text: bytes, at: Ints, template: Template, found: list[Rows]) -> Ints:
        """Add the requests that fit a template; what is left."""
        if not len(at):
            return at
        such = template.read(text, at)
        if len(such.start):
            found.append(_rows(text, template, such))
            others = (each for each in self.templates if each is not template)
            self.templates = [template, *others][: 2 * TEMPLATES]
        return at[~such.good]


def _rows(text: bytes, template: Template, found: Found) -> Rows:
    form, end = template.form, found.end
    if form.open or not form.drafts:
        end = _line_ends(text, end, form.suffix)
    rows = Rows(form, text, found.start, end, found.values, found.end, found.start)
    return rows.take((end >= 0) & _right_rate(rows) if form.drafts else end >= 0)


def _line_ends(text: bytes, at: Ints, suffix: bytes) -> Ints:
    """Where the lines end; -1 where one does not end as the others do."""
    ends = _near_line_ends(text, at)
    far = np.flatnonzero(ends < 0)
    ends[far] = [text.find(b"\n", start) for start in at[far].tolist()]
    begins = ends - len(suffix)
    data = np.frombuffer(text, np.uint8)
    right = begins >= at
    for place, character in enumerate(suffix):
        right[right] = data[begins[right] + place] == character
    return np.where(right, ends, -1)


def _near_line_ends(text: bytes, at: Ints) -> Ints:
    """Where the lines end that do so within `NEAR` bytes; -1 for others."""
    windows = np.ndarray((max(0, len(text) - NEAR + 1), NEAR), np.uint8, text, 0, (1, 1))
    known = at < len(windows)
    is_end = windows[at[known]] == NEWLINE
    length = is_end.argmax(axis=1)
    ends = np.full(len(at), -1)
    ends[known] = np.where(is_end.any(axis=1), at[known] + length, -1)
    return ends


def _right_rate(rows: Rows) -> Mask:
    """Whether a draft line's rate follows from its counts, of which one is drafted at least."""
    drafted = rows["drafted"]
    rate = rows["accepted"] / np.where(drafted > 0, drafted, 1)
    return (drafted > 0) & (np.abs(rows["draft_rate"] / 100_000 - rate) <= FAR)


def surely_whole(rows: Rows) -> Rows:
    """Without a slot's last request that drafted and may go on behind this text."""
    kept, writer = np.ones(len(rows), bool), rows.form.origin
    if rows.form.drafts:
        slots = rows["slot"].astype(np.int64)
        last = np.full(SLOTS, -1)
        last[slots] = np.arange(len(rows))
        for at in last[last >= 0].tolist():
            key = b"id %2d | task %d |" % (slots[at], rows["task"][at])
            kept[at] = find_by(writer, key, rows.data, int(rows.end[at])) >= 0
    return rows.take(kept)


def find_by(writer: str, word: bytes, text: bytes, behind: int) -> int:
    """Where the next line of this server holds a word; -1 where none does.

    Servers that share a log have the same slots and tasks.
    """
    while (at := text.find(word, behind)) >= 0:
        end = _end_of_line(text, at)
        if writer_of(text[text.rfind(b"\n", 0, at) + 1 : end]) == writer:
            break
        behind = end
    return at


def writer_of(line: bytes) -> str:
    """The server that writes a line."""
    return next((part.origin for part in clean(line)), "")


def _end_of_line(text: bytes, at: int) -> int:
    end = text.find(b"\n", at)
    return end if end >= 0 else len(text)
