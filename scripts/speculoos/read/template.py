"""The text of one whole request as a template, which differs from others in digits only.

The present server prints every figure at a fixed width; numpy compares and reads thousands of
requests behind the same prefix at once.
"""

import re
from typing import NamedTuple

import numpy as np

from speculoos.read.blocks import OTHER_PROGRAMS
from speculoos.read.digits import BLANK, WORD, Bytes, Floats, Ints, Mask, Number, Numbers
from speculoos.read.lines import clean

ZERO, NEWLINE = b"0\n"
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
FOREIGN = (
    b"slot ",
    b"task",
    b" time ",
    b"loading model",
    *(name.encode() for name in OTHER_PROGRAMS),
)
"""What no prefix holds: another line stands in it, or another program prints the same words."""


class Found(NamedTuple):
    """What a template read: a column of numbers for each place that fits, without points."""

    values: Floats
    start: Ints
    end: Ints
    good: Mask
    """Which of the places fit."""


class Form(NamedTuple):
    """What the requests that fit a template have in common."""

    origin: str
    """Who writes them."""
    bare: bool
    """Whether one line names the request for those below it."""
    drafts: bool
    has_mean: bool
    open: bool
    """Whether the last line holds more than numbers of a fixed width."""
    suffix: bytes


class Template:
    """One request's text in which the numbers and some digits of its prefixes are free."""

    def __init__(self, match: re.Match[bytes]) -> None:
        self.lead = match.string.index(b"prompt eval time", match.start()) - match.start()
        drafts, suffix = match["drafted"] is not None, match["suffix"]
        closing = suffix + b"\n"
        ends = match.string.startswith(closing, match.end())
        has_tail = drafts and (match["rates"] is not None or not ends)
        text = match[0] + (closing if drafts and not has_tail else b"")
        self.text = np.frombuffer(bytearray(text), np.uint8)
        self.line_ends = np.flatnonzero(self.text == NEWLINE)
        self.most = np.zeros(len(text), np.uint8)
        """By how much each character may differ: not at all, as a digit, or as a blank, too."""
        self._numbers(match)
        self._heads(text)
        origin = self._prefixes(text, suffix)
        self.text[self.most > 0] = ZERO
        has_mean = match["mean_length"] is not None
        self.form = Form(origin, match.re is BARE, drafts, has_mean, has_tail, suffix)

    def _numbers(self, match: re.Match[bytes]) -> None:
        """The columns, and the places of all digits of numbers."""
        names = [name for name in (*COLUMNS, *LOOSE) if match[name]]
        self.columns = [COLUMNS.index(name) for name in names if name in COLUMNS]
        numbers = [_number(match, name) for name in names]
        for start, point, end, _ in numbers:
            self.most[start:point] = BLANK
            self.most[point - 1 : end] = 9
            self.most[point:end][:1] = 0
        self.numbers = Numbers(numbers)

    def _heads(self, text: bytes) -> None:
        """Where each line names slot and task, in words of eight characters."""
        heads = [(m.start("slot"), m.start("task"), m.end("task")) for m in HEAD.finditer(text)]
        self.alike = len({end - slot for slot, _, end in heads}) == 1
        """Whether no line names a task of another width."""
        for slot, task, end in heads:
            self.most[slot : slot + 2] = BLANK, 9
            self.most[task:end] = 9
        words = [
            at for slot, _, end in heads for at in (*range(slot, end - WORD, WORD), end - WORD)
        ]
        self.heads, self.words = len(heads), np.array([*self.numbers.at, *words])

    def _prefixes(self, text: bytes, suffix: bytes) -> str:
        """Free the digits of the prefixes that say nothing about who writes, and tell who does."""
        found = OWN.findall(text)
        origins = {_origin(prefix, suffix) for prefix in found}
        self.even = len(origins) == 1 and None not in origins
        """Whether every line has the same origin."""
        origin = next(iter(origins)) or ""
        free = {prefix: _saying_nothing(prefix, suffix, origin) for prefix in set(found)}
        starts = (match.start() for match in OWN.finditer(text))
        for at, prefix in zip(starts, found, strict=True):
            self.most[[at + i for i in free[prefix]]] = 9
        return origin

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
        starts, width = at - self.lead, len(self.text)
        good = self._outlined(text, starts)
        places = starts[good]
        if len(places):
            rows = np.ndarray((len(text) - width + 1, width), np.uint8, text, 0, (1, 1))[places]
            values, fits = self._values(rows)
            good[good] = fits
            return Found(values[:, fits], starts[good], starts[good] + width, good)
        return Found(np.zeros((len(COLUMNS), 0)), places, places, good)

    def _outlined(self, text: bytes, starts: Ints) -> Mask:
        """Behind which places lines begin and end as they should: most of another layout do not."""
        good: Mask = (starts >= 0) & (starts + len(self.text) <= len(text))
        data = np.frombuffer(text, np.uint8)
        for end in self.line_ends:
            if not good.any():
                break
            good[good] = data[starts[good] + end] == NEWLINE
        places = starts[good]
        good[good] = (data[places - 1] == NEWLINE) | (places == 0)
        return good

    def _values(self, rows: Bytes) -> tuple[Floats, Mask]:
        rows ^= self.text
        many, width = rows.shape
        words = np.ndarray((width - WORD + 1, many), "<u8", rows, 0, (1, width))[self.words]
        found, right = self.numbers.read(words[: len(self.numbers.at)])
        first, *others = np.split(words[len(self.numbers.at) :], self.heads)
        for other in others:
            right &= (other == first).all(axis=0)
        values = np.zeros((len(COLUMNS), many))
        values[self.columns] = found
        return values, right & ~(rows > self.most).any(axis=1)


def _number(match: re.Match[bytes], name: str) -> Number:
    start, end = match.start(name) - match.start(), match.end(name) - match.start()
    point = match.string.find(b".", match.start(name), match.end(name)) - match.start()
    return Number(start, point if point > 0 else end, end, name in COLUMNS)


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
