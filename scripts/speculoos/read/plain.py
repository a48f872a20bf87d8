"""Whole requests as the present server prints them, found by the thousand.

A long log holds one every few dozen lines. What fits no template exactly is left to the reader of
lines.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from speculoos.read.digits import Floats, Ints, Mask
from speculoos.read.lines import clean
from speculoos.read.template import COLUMNS, NEWLINE, Found, Template

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


class Kind(NamedTuple):
    """Who writes requests, and how."""

    origin: str
    bare: bool
    """Whether one line names the request for those below it."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Requests in the order in which they begin, one by index."""

    data: bytes
    """The text that holds them."""
    kinds: tuple[Kind, ...]
    kind: Ints
    """Which of the kinds each is of."""
    start: Ints
    """Where the request's first line begins."""
    end: Ints
    """Where its last line ends."""
    tail: Ints
    """Where the rates by position begin; -1 where a line holds numbers of a fixed width only."""
    values: Floats
    """A column for each of `COLUMNS`, in units of the last digit printed; 0 for what is absent."""

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, column: str) -> Floats:
        found: Floats = self.values[COLUMNS.index(column)]
        return found

    @property
    def drafted(self) -> Mask:
        """Which of them drafted."""
        found: Mask = self["drafted"] > 0
        return found

    def take(self, which: Mask | Ints | slice) -> "Rows":
        """Some of the rows."""
        if isinstance(which, np.ndarray) and which.dtype == bool and which.all():
            return self
        return Rows(
            self.data, self.kinds, self.kind[which], self.start[which], self.end[which],
            self.tail[which], self.values[:, which],
        )  # fmt: skip

    @classmethod
    def merged(cls, data: bytes, several: list["Rows"]) -> "Rows":
        """Requests of several kinds in one order."""
        kinds = list(dict.fromkeys(kind for rows in several for kind in rows.kinds))
        number = [
            np.array([kinds.index(kind) for kind in rows.kinds], np.int64)[rows.kind]
            for rows in several
        ]
        start, end, tail = (
            _concatenated([getattr(rows, name) for rows in several])
            for name in ("start", "end", "tail")
        )
        values = np.concatenate([np.zeros((len(COLUMNS), 0)), *(r.values for r in several)], axis=1)
        rows = cls(data, tuple(kinds), _concatenated(number), start, end, tail, values)
        return rows.take(np.argsort(start, kind="stable"))


def _concatenated(columns: list[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int64), *columns])


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
    form, end, none = template.form, found.end, np.full(len(found.end), -1)
    if form.open or not form.drafts:
        end = _line_ends(text, end, form.suffix)
    kind, tail = Kind(form.origin, form.bare), found.end if form.open else none
    rows = Rows(text, (kind,), none + 1, found.start, end, tail, found.values)
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
    """Without a slot's last request that drafted and may go on behind this text.

    The rows are of one kind.
    """
    kept = np.ones(len(rows), bool)
    slots = np.where(rows.drafted, rows["slot"], SLOTS).astype(np.int64)
    last = np.full(SLOTS + 1, -1)
    last[slots] = np.arange(len(rows))
    for at in last[:SLOTS][last[:SLOTS] >= 0].tolist():
        key = b"id %2d | task %d |" % (slots[at], rows["task"][at])
        kept[at] = find_by(rows.kinds[0].origin, key, rows.data, int(rows.end[at])) >= 0
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
