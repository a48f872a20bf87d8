"""The text of one whole request as a template, which differs from others in digits only.

The present server prints every figure at a fixed width; numpy compares and reads thousands of
requests behind the same prefix at once.
"""

import re
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
_NEXT = rf"\n{_AHEAD}(?P=head)"
_MORE = rf"(?P=suffix){_NEXT}"


def _time(name: str) -> str:
    return (
        rf"time = (?P<{name}_ms>[ \d]{{7}}\.\d\d) ms / (?P<{name}_n>[ \d]{{5}}) tokens "
        rf"\((?P<{name}_per_token>[ \d]{{5}}\.\d\d) ms per token, "
        rf"(?P<{name}_rate>[ \d]{{5}}\.\d\d) tokens per second\)"
    )


REQUEST = re.compile(
    (
        rf"(?P<prefix>{_AHEAD})"
        r"(?P<head>slot print_timing: id (?P<slot>[ \d]\d) \| task (?P<task>\d{1,9}) \| )"
        rf"(?P<prompt>prompt eval {_time('prompt')})(?P<suffix>[^\n]{{0,40}}?)"
        rf"{_NEXT}       eval {_time('predicted')}"
        rf"{_MORE}      total time = (?P<total_ms>[ \d]{{7}}\.\d\d) ms / (?P<total_n>[ \d]{{5}}) "
        r"tokens"
        rf"(?:{_MORE}   graphs reused = (?P<graphs>[ \d]{{10}}))?"
        rf"(?:{_MORE}draft acceptance(?: rate)? = (?P<draft_rate>\d\.\d{{5}}) "
        r"\((?P<accepted>[ \d]{5}) accepted / (?P<drafted>[ \d]{5}) generated\)"
        r"(?:, mean (?:acceptance length|len) = (?P<mean_length>[ \d]{2}\.\d\d))?"
        rf"(?P<rates>, acceptance rate per position = \(|{_MORE}     acc per pos = \()?"
        rf"|(?P=suffix)\n{_AHEAD}slot      release: id (?P=slot) \| task (?P=task) \| )"
    ).encode()
)
"""A request as the present server prints it: ended by its draft line or by its release."""
HEAD = re.compile(rb"slot +(?:print_timing|release): id (?P<slot>[ \d]\d) \| task (?P<task>\d+) \|")


class Found(NamedTuple):
    """What a template read: a row of numbers without decimal points for each place that fits."""

    values: Floats
    start: Ints
    end: Ints
    good: Mask
    """Which of the places fit."""


class Template:
    """One request's text in which the numbers and some digits of its prefixes are free."""

    def __init__(self, match: re.Match[bytes], origin: str) -> None:
        self.origin = origin
        self.lead = match.start("prompt") - match.start()
        self.drafts = match["drafted"] is not None
        self.has_mean = match["mean_length"] is not None
        closing = match["suffix"] + b"\n"
        ends = match.string.startswith(closing, match.end())
        self.open = self.drafts and (match["rates"] is not None or not ends)
        """Whether the last line holds more than numbers of a fixed width."""
        text = match[0] + (closing if self.drafts and not self.open else b"")
        self.text = np.frombuffer(text, np.uint8)
        self._numbers(match)
        self._heads(text)
        self._prefixes(text, match)
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
        self.first = np.array(heads[0] * (len(heads) - 1))
        self.again = np.array(list(chain(*heads[1:])))

    def _prefixes(self, text: bytes, match: re.Match[bytes]) -> None:
        """The digits of the prefixes that say nothing about who wrote the line."""
        prefix, suffix = match["prefix"], match["suffix"]
        free = [at for at in range(len(prefix)) if _says_nothing(prefix, suffix, at, self.origin)]
        starts = [0, *(m.end() for m in re.finditer(rb"\n", text) if m.end() < len(text))]
        self.moving = np.array([start + at for start in starts for at in free], np.int64)
        seen = [bytearray(text[start : start + len(prefix)]) for start in starts]
        for piece in seen:
            for at in free[: len(piece)]:
                piece[at : at + 1] = b"0"
        self.even = all(piece == seen[0] for piece in seen)
        """Whether one and the same prefix stands in front of every line."""

    @classmethod
    def of(cls, text: bytes, line_start: int) -> "Template | None":
        """The template of the request that starts there; None where it is not plain."""
        match = REQUEST.match(text, line_start)
        origin = _origin(match["prefix"], match["suffix"]) if match else None
        if match is None or origin is None:
            return None
        made = cls(match, origin)
        fits = made.even and made.read(text, np.array([match.start("prompt")])).good[0]
        return made if fits else None

    def read(self, text: bytes, at: Ints) -> Found:
        """The requests that fit among those whose prompt's time is written at the places."""
        width, starts = len(self.text), at - self.lead
        good = (starts >= 0) & (starts + width <= len(text))
        places = starts[good]
        if len(places):
            view = np.ndarray((len(text) - width + 1, width), np.uint8, text, 0, (1, 1))
            rows = view[places]
            before = np.frombuffer(text, np.uint8)[places - 1]
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
    if prefix.startswith(b"#") or b"slot " in prefix or b"task" in prefix or b" time " in prefix:
        return None
    found = list(clean(prefix + b"slot :" + suffix))
    alone = len(found) == 1 and found[0].text.endswith("slot :")
    return found[0].origin if alone else None


def _says_nothing(prefix: bytes, suffix: bytes, at: int, origin: str) -> bool:
    if not prefix[at : at + 1].isdigit():
        return False
    other = b"%d" % ((prefix[at] - ZERO + 1) % 10)
    return _origin(prefix[:at] + other + prefix[at + 1 :], suffix) == origin
