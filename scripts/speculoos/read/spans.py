"""Pieces of a text, and what lies between them."""

from dataclasses import dataclass

import numpy as np

from speculoos.read.digits import Ints, Mask

Span = tuple[int, int]
Spans = tuple[Ints, Ints]
"""Where pieces start and where they end, in order."""


def outside(places: Ints, spans: list[Spans]) -> Mask:
    """Which places lie in none of the spans."""
    free = np.ones(len(places), bool)
    for start, end in spans:
        if len(start):
            at = np.searchsorted(start, places, "right") - 1
            free &= (at < 0) | (places >= end[at])
    return free


@dataclass(frozen=True, slots=True)
class Rest:
    """What spans of whole lines leave of a text, put together."""

    text: bytes
    begins: Ints
    """Where each of its pieces begins in it."""
    shift: Ints
    """How much further on it stands in the whole text."""

    @classmethod
    def of(cls, text: bytes, spans: list[Spans]) -> "Rest":
        """All of the text that lies in none of the spans."""
        start, end = (np.concatenate([side, *(span[which] for span in spans)])
                      for which, side in enumerate(([len(text)], [0])))  # fmt: skip
        start, end = np.sort(start), np.sort(end)
        pieces = map(text.__getitem__, map(slice, end.tolist(), start.tolist()))
        lengths = np.maximum(start - end, 0)
        begins = np.cumsum(lengths) - lengths
        return cls(b"".join(pieces), begins, end - begins)

    def whole(self, places: Ints) -> Ints:
        """Places in it as places in the whole text."""
        piece = np.searchsorted(self.begins, places, "right") - 1
        return places + self.shift[piece]


def line_around(text: bytes, at: int) -> Span:
    """Start and end of the line around a place."""
    end = text.find(b"\n", at)
    return text.rfind(b"\n", 0, at) + 1, end if end >= 0 else len(text)
