"""Some words, searched for all at once at the speed of a search for one."""

from itertools import chain

import numpy as np
from ahocorasick_rs import BytesAhoCorasick, MatchKind

from speculoos.read.digits import Ints


class Words:
    """Words about requests, and others behind them."""

    def __init__(self, values: tuple[bytes, ...], others: tuple[bytes, ...] = ()) -> None:
        self.all, self.values = (*values, *others), len(values)
        self.searcher = BytesAhoCorasick(self.all, MatchKind.LeftmostFirst)

    def find(self, text: bytes) -> tuple[Ints, Ints]:
        """Which word occurs and where, in order; one word inside another counts once."""
        found = self.searcher.find_matches_as_indexes(text)
        flat = np.fromiter(chain.from_iterable(found), np.int64, 3 * len(found)).reshape(-1, 3)
        return flat[:, 0], flat[:, 1]
