"""Numbers of a fixed width in thousands of rows of text, eight characters at once.

One uint64 holds eight characters, each exclusive-or "0": a digit is 0 to 9 then, a blank 16. The
digits of a word are added up in three steps, as in https://kholdstare.github.io/technical/2020/05/26/faster-integer-parsing.html
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Words = NDArray[np.uint64]

WORD = 8
BLANK = 16


def _each(byte: int) -> np.uint64:
    """The byte in each of eight places."""
    return np.uint64(byte * 0x0101010101010101)


BLANKS, DIGITS, SIX, EIGHT = _each(BLANK), _each(15), _each(6), np.uint64(8)
STEPS = (
    (np.uint64(2561), np.uint64(8), np.uint64(0x00FF00FF00FF00FF)),
    (np.uint64(6553601), np.uint64(16), np.uint64(0x0000FFFF0000FFFF)),
    (np.uint64(42949672960001), np.uint64(32), np.uint64(0xFFFFFFFF)),
)
"""Ones and tens, then hundreds, then ten thousands: factor, shift, what is kept."""


class Number(NamedTuple):
    """Where a number stands in a row; without decimals `point` is its end."""

    start: int
    point: int
    end: int
    counts: bool
    """Whether its value is asked for; of others only their form."""


class Word(NamedTuple):
    """Eight characters up to `end`: a number or a part of one."""

    end: int
    start: int
    """Where the number's own characters begin."""
    point: int
    """The decimal point, if it stands inside; the end if it does not."""
    last: int
    """What stands behind this is read as part of another word."""
    factor: int = 1

    def mask(self, first: int, last: int, byte: int = 0xFF) -> int:
        """The bytes of some of its characters."""
        places = range(max(first, self.end - WORD), min(last, self.end))
        return sum(byte << 8 * (at - self.end + WORD) for at in places)

    def front(self) -> int:
        """The digits before the point, which move one place to the right."""
        return self.mask(self.start, self.point) if self.point < self.end else 0

    def back(self) -> int:
        """The other digits."""
        return self.mask(self.point + 1 if self.point < self.end else self.start, self.last)


def _words(number: Number) -> Iterator[Word]:
    """One word or two; what two hold is added up."""
    start, point, end, _ = number
    if end - start <= WORD:
        yield Word(end, start, point, end)
    elif point < end:
        yield Word(end, point + 1, end, end)
        yield Word(point, start, point, point, 10 ** (end - point - 1))
    else:  # both hold the characters in the middle, so that each is seen behind the one before it
        yield Word(end, start, end, end)
        yield Word(end - WORD // 2, start, end, end - WORD, 10 ** (WORD // 2))


class Numbers:
    """The numbers of a row, read from many rows at once."""

    def __init__(self, numbers: Iterable[Number]) -> None:
        groups = [(number, list(_words(number))) for number in numbers]
        counting = [words for number, words in groups if number.counts]
        first, second = ([words[at] for words in counting if at < len(words)] for at in (0, 1))
        valued = [*first, *second]
        others = [word for number, words in groups if not number.counts for word in words]
        every = [*valued, *others]
        self.at = [word.end - WORD for word in every]
        """Where each word begins."""
        self.own = _column(word.mask(word.start, word.end) for word in every)
        self.behind = _column(word.mask(word.start, word.end - 1, BLANK) for word in every)
        self.front = _column(word.front() for word in valued)
        self.back = _column(word.back() for word in valued)
        self.long = [at for at, words in enumerate(counting) if len(words) > 1]
        """Which numbers have a second word."""
        self.factor = _column(word.factor for word in second)

    def read(self, words: Words) -> tuple[Words, Mask]:
        """The values, without decimal points, and which rows hold digits behind blanks only."""
        words &= self.own
        blank, digits = words & BLANKS, words & DIGITS
        wrong = (blank >> EIGHT) & ~blank & self.behind
        wrong |= (digits + SIX) & BLANKS
        value = digits[: len(self.back)]
        value = ((value & self.front) << EIGHT) | (value & self.back)
        for factor, shift, kept in STEPS:
            value *= factor
            value >>= shift
            value &= kept
        count = len(value) - len(self.long)
        if self.long:
            value[self.long] += value[count:] * self.factor
        return value[:count], np.bitwise_or.reduce(wrong, axis=0) == 0


def _column(masks: Iterable[int]) -> Words:
    return np.array([*masks], np.uint64)[:, None]
