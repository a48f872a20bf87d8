"""The text of one whole request as a template, which differs from others in digits only.

The present server prints every figure at a fixed width; numpy compares and reads thousands of
requests behind the same prefix at once.
"""

import re
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from speculoos.read.blocks import OTHER_PROGRAMS
from speculoos.read.lines import clean

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

ZERO, NEWLINE = b"0\n"
BLANK = (ord(" ") - ZERO) % 256
COLUMNS = (
    "slot", "task", "prompt_ms", "prompt_n", "prompt_per_token", "prompt_rate",
    "predicted_ms", "predicted_n", "predicted_per_token", "predicted_rate",
    "drafted", "accepted", "draft_rate", "mean_length",
)  # fmt: skip
LOOSE = ("total_ms", "total_n", "graphs")
"""Numbers that are passed over."""
_AHEAD = r"[^\n]{0,120}?"
_SLOT = r"slot print_timing: id (?P<slot>[ \d]\d) \| task (?P<task>\d{1,9}) \|"
_SUFFIX = r"(?P<suffix>[^\n]{0,40}?) {0,80}"
_SAME = r"(?P=suffix) {0,80}\n"


def _count(name: str) -> str:
    return rf"(?P<{name}>[ \d]{{5}}|\d{{6,8}})"


def _time(name: str) -> str:
    return (
        rf"time = (?P<{name}_ms>[ \d]{{7}}\.\d\d) ms / {_count(f'{name}_n')} tokens "
        rf"\((?P<{name}_per_token>[ \d]{{5}}\.\d\d) ms per token, "
        rf"(?P<{name}_rate>(?:[ \d]{{5}}|\d{{6,7}})\.\d\d) tokens per second\)"
    )


def _request(first: str, behind_prompt: str, own: str, again: str) -> re.Pattern[bytes]:
    """A request whose lines begin with `own`; a header may stand `again` above its draft line."""
    more = rf"{_SAME}{own}"
    return re.compile(
        (
            rf"{first}prompt eval {_time('prompt')}{behind_prompt}"
            rf"{own}       eval {_time('predicted')}"
            rf"{more}      total time = (?P<total_ms>[ \d]{{7}}\.\d\d) ms / "
            rf"{_count('total_n')} tokens"
            rf"(?:{more}   graphs reused = (?P<graphs>[ \d]{{10}}))?"
            rf"(?:{again}{more}draft acceptance(?: rate)? = (?P<draft_rate>\d\.\d{{5}}) "
            rf"\({_count('accepted')} accepted / {_count('drafted')} generated\)"
            r"(?:, mean (?:acceptance length|len) = (?P<mean_length>[ \d]{2}\.\d\d))?"
            rf"(?P<rates>, acceptance rate per position = \(|{more}     acc per pos = \()?"
            rf"|{_SAME}{_AHEAD}slot      release: id (?P=slot) \| task (?P=task) \| )"
        ).encode()
    )


KEYED = _request(rf"{_AHEAD}(?P<head>{_SLOT} )", rf"{_SUFFIX}\n", rf"{_AHEAD}(?P=head)", again="")
"""A request of which every line names slot and task: ended by its draft line or its release."""
BARE = _request(
    rf"{_AHEAD}(?P<head>{_SLOT}) ?{_SUFFIX}\n{_AHEAD}", _SAME, _AHEAD,
    again=rf"(?:{_SAME}{_AHEAD}(?P=head) ?)?",
)  # fmt: skip
"""A request under one header line, as servers printed it up to 2026."""
OWN = re.compile(
    rb"^([^\n]*?)(?:slot +(?:print_timing|release): id|prompt eval time| {7}eval time"
    rb"| {6}total time| {3}graphs reused|draft acceptance| {5}acc per pos)",
    re.MULTILINE,
)
"""Where a line's own text begins."""
HEAD = re.compile(rb"slot +(?:print_timing|release): id (?P<slot>[ \d]\d) \| task (?P<task>\d+) \|")
FOREIGN = (b"slot ", b"task", b" time ", *(name.encode() for name in OTHER_PROGRAMS))
"""What no prefix holds: another line stands in it, or another program prints the same words."""


class Found(NamedTuple):
    """What a template read: a row of numbers without decimal points for each place that fits."""

    values: Floats
    start: Ints
    end: Ints
    good: Mask
    """Which of the places fit."""


class Template:
    """One request's text in which the numbers and some digits of its prefixes are free."""

    def __init__(self, match: re.Match[bytes]) -> None:
        self.bare = match.re is BARE
        """Whether one line names the request for those below it."""
        self.lead = match.string.index(b"prompt eval time", match.start()) - match.start()
        self.drafts = match["drafted"] is not None
        self.has_mean = match["mean_length"] is not None
        self.suffix: bytes = match["suffix"]
        closing = self.suffix + b"\n"
        ends = match.string.startswith(closing, match.end())
        self.open = self.drafts and (match["rates"] is not None or not ends)
        """Whether the last line holds more than numbers of a fixed width."""
        text = match[0] + (closing if self.drafts and not self.open else b"")
        self.text = np.frombuffer(text, np.uint8)
        self.line_ends = np.flatnonzero(self.text == NEWLINE)
        self._numbers(match)
        self._heads(text)
        self._prefixes(text)
        fixed = np.full(len(text), 255, np.uint8)
        fixed[np.concatenate([self.free, self.again, self.moving])] = 0
        self.fixed = fixed

    def _numbers(self, match: re.Match[bytes]) -> None:
        """The places of all digits of numbers, and what each adds to its column."""
        names = [name for name in (*COLUMNS, *LOOSE) if match[name]]
        free: list[int] = []
        powers: list[int] = []
        needed: list[bool] = []
        for name in names:
            places = [at for at in range(*match.span(name)) if match.string[at] != ord(".")]
            least = len(match[name].partition(b".")[2]) + 1
            free += [at - match.start() for at in places]
            powers += [10**place for place in reversed(range(len(places)))]
            needed += [place < least for place in reversed(range(len(places)))]
        self.free, self.powers = np.array(free), np.array(powers, np.int32)
        self.optional = ~np.array(needed)
        self.columns = [COLUMNS.index(name) for name in names if name in COLUMNS]
        last = self.powers == 1
        self.runs = np.array([0, *(np.flatnonzero(last)[:-1] + 1)])
        self.behind_last = last[:-1]

    def _heads(self, text: bytes) -> None:
        """The places of slot and task in the first line and again in each other line."""
        heads = [[*range(*m.span("slot")), *range(*m.span("task"))] for m in HEAD.finditer(text)]
        self.alike = len({len(head) for head in heads}) == 1
        """Whether no line names a task of another width."""
        self.first = np.array(heads[0] * (len(heads) - 1), np.int64)
        self.again = np.array(list(chain(*heads[1:])), np.int64)

    def _prefixes(self, text: bytes) -> None:
        """Who writes, and the digits of the prefixes that say nothing about that."""
        found = OWN.findall(text)
        origins = {_origin(prefix, self.suffix) for prefix in found}
        self.even = len(origins) == 1 and None not in origins
        """Whether every line has the same origin."""
        self.origin = next(iter(origins)) or ""
        free = {prefix: _saying_nothing(prefix, self.suffix, self.origin) for prefix in set(found)}
        starts = (match.start() for match in OWN.finditer(text))
        places = zip(starts, found, strict=True)
        self.moving = np.array([at + i for at, prefix in places for i in free[prefix]], np.int64)

    @classmethod
    def of(cls, text: bytes, at: int) -> "Template | None":
        """The template of the request whose prompt's time is there; None where it is not plain."""
        line = text.rfind(b"\n", 0, at) + 1
        above = text.rfind(b"\n", 0, max(0, line - 1)) + 1
        match = KEYED.match(text, line) or BARE.match(text, above)
        if match is None:
            return None
        made = cls(match)
        fits = made.even and made.alike and made.read(text, np.array([at])).good[0]
        return made if fits else None

    def read(self, text: bytes, at: Ints) -> Found:
        """The requests that fit among those whose prompt's time is written at the places."""
        width, starts = len(self.text), at - self.lead
        good = (starts >= 0) & (starts + width <= len(text))
        places = starts[good]
        data = np.frombuffer(text, np.uint8)
        if len(places):  # most of another layout end their lines elsewhere
            ends = data[places[:, None] + self.line_ends] == NEWLINE
            good[good] = ends.all(axis=1)
            places = starts[good]
        if len(places):
            view = np.ndarray((len(text) - width + 1, width), np.uint8, text, 0, (1, 1))
            rows = view[places]
            before = data[places - 1]
            fits = (before == NEWLINE) | (places == 0)
            fits &= ~((rows ^ self.text) & self.fixed).any(axis=1)
            values, right = self._values(rows)
            good[good] = fits & right
            return Found(values[fits & right], starts[good], starts[good] + width, good)
        return Found(np.zeros((0, len(COLUMNS))), places, places, good)

    def _values(self, rows: Bytes) -> tuple[Floats, Mask]:
        cells = rows.take(self.free, axis=1) - ZERO
        digit = cells < 10  # noqa: PLR2004
        right = digit | ((cells == BLANK) & self.optional)
        right[:, 1:] &= digit[:, 1:] | ~digit[:, :-1] | self.behind_last  # blanks only in front
        fits = right.all(axis=1)
        fits &= (rows.take(self.again, axis=1) == rows.take(self.first, axis=1)).all(axis=1)
        fits &= (rows.take(self.moving, axis=1) - ZERO < 10).all(axis=1)  # noqa: PLR2004
        numbers = np.add.reduceat(cells * digit * self.powers, self.runs, axis=1)
        values = np.zeros((len(rows), len(COLUMNS)))
        values[:, self.columns] = numbers[:, : len(self.columns)]
        return values, fits


def _origin(prefix: bytes, suffix: bytes) -> str | None:
    """Who writes behind this prefix; None for a comment, or where another line stands in it."""
    if prefix.startswith(b"#") or any(word in prefix for word in FOREIGN):
        return None
    found = list(clean(prefix + b"slot :" + suffix))
    alone = len(found) == 1 and found[0].text.endswith("slot :")
    return found[0].origin if alone else None


def _saying_nothing(prefix: bytes, suffix: bytes, origin: str) -> list[int]:
    """The places of a prefix's digits that may be others without another origin."""
    return [
        at
        for at in range(len(prefix))
        if prefix[at : at + 1].isdigit()
        and _origin(_with_another_digit(prefix, at), suffix) == origin
    ]


def _with_another_digit(text: bytes, at: int) -> bytes:
    return text[:at] + b"%d" % ((text[at] - ZERO + 1) % 10) + text[at + 1 :]
