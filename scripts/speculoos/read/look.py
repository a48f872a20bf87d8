"""What one chunk of a log holds: its plain requests, and where other lines may matter.

All words are searched for at once before any line is cut out: a log is mostly lines that say
nothing about a finished request. `ahocorasick_rs` does that at the speed of a search for one word.
"""

import re

import numpy as np

from speculoos.read import signs
from speculoos.read.chunk import VALUES, Chunk, newlines_of
from speculoos.read.chunks import PROMPT
from speculoos.read.digits import Ints, Mask
from speculoos.read.plain import Plain, Rows, surely_whole
from speculoos.read.regroup import Regrouped
from speculoos.read.spans import Rest, Span, Spans, line_around, outside
from speculoos.read.words import Words

START = b"loading model"
MIXED = 16
"""So many requests whose lines stand apart are worth to be regrouped."""
LITTLE = 3
"""Requests that fill less than one in so many bytes are not worth to be left out of a search."""
KEY = re.compile(rb"\| task (-?\d{1,9}) \||(?:id_task|task_id)\D{1,3}(\d{1,9})\b")
PROMPTS = Words((PROMPT,))
USUAL = Words(VALUES, (*signs.NEEDLES, START))


class Look:
    """Looks through one chunk behind the other; learns how requests look."""

    def __init__(self) -> None:
        self.plain = Plain()

    def __call__(self, text: bytes) -> Chunk:
        """A chunk of which everything is known but what stands around it."""
        return _Looking(text, self.plain).chunk()


class _Looking:
    def __init__(self, text: bytes, plain: Plain) -> None:
        self.text = text
        _, prompts = PROMPTS.find(text)
        self.alone = Rows.merged(text, [surely_whole(rows) for rows in plain.find(text, prompts)])
        self.mixed: Regrouped | None = None
        self.spans = self._spans()
        self._search_rest()
        self._regroup(plain, prompts)

    def chunk(self) -> Chunk:
        """What was found, without requests of which another line says something."""
        odd, keys = self._odd()
        if self._leave_out([int(key[1] or key[2]) for key in keys if key]):
            self._search_rest()
            odd, keys = self._odd()
        bare = not all(keys)
        rows = Rows.merged(self.text, [self.alone, *([self.mixed.rows] if self.mixed else ())])
        return Chunk(
            self.text, newlines_of(self.text), rows, self.spans, self.places, self.more,
            odd, bare, special=self.starts or bare,
        )  # fmt: skip

    def _search_rest(self) -> None:
        """Search what the requests leave; all of the text where that is nearly the same."""
        start, end = self.spans[0]
        covered = int((end - start).sum())
        if covered * LITTLE < len(self.text):
            words, self.places = USUAL.find(self.text)
        else:
            rest = Rest.of(self.text, self.spans[:1])
            words, at = USUAL.find(rest.text)
            self.places = rest.whole(at)
        self.more = words >= USUAL.values
        self.starts = bool((words == len(USUAL.all) - 1).any())

    def _regroup(self, plain: Plain, prompts: Ints) -> None:
        """Read those requests, too, whose lines stand among others."""
        left = prompts[self._uncovered(prompts)]
        bare = any(kind.bare for kind in self.alone.kinds)
        if len(left) >= MIXED and not (bare or self.starts):
            values = self.places[~self.more]
            values = values[self._uncovered(values)]
            self.mixed = Regrouped.of(self.text, plain, left, values)
            self.spans = self._spans()

    def _odd(self) -> tuple[list[Span], list[re.Match[bytes] | None]]:
        """The odd lines, those of figures outside every plain request, and their tasks."""
        values = self.places[~self.more]
        odd = [line_around(self.text, at) for at in values[self._uncovered(values)].tolist()]
        return odd, [KEY.search(self.text, *span) for span in odd]

    def _leave_out(self, tasks: list[int]) -> bool:
        """Take no request of these tasks; whether there was one."""
        before = self._count()
        self.alone = _without(self.alone, tasks)
        if self.mixed:
            self.mixed.rows = _without(self.mixed.rows, tasks)
        self.spans = self._spans()
        return self._count() < before

    def _count(self) -> int:
        return len(self.alone) + (len(self.mixed.rows) if self.mixed else 0)

    def _spans(self) -> list[Spans]:
        """Where the lines of requests are that stand alone, and of others."""
        return [(self.alone.start, self.alone.end), *([self.mixed.spans()] if self.mixed else ())]

    def _uncovered(self, places: Ints) -> Mask:
        """Which places lie outside every plain request."""
        return outside(places, self.spans)


def _without(rows: Rows, tasks: list[int]) -> Rows:
    return rows.take(~np.isin(rows["task"], tasks)) if tasks else rows
