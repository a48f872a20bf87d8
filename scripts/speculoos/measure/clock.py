"""The time that a person gave, and what is left of it."""

import time
from math import inf

import psutil

from speculoos.measure.schedule import Pace

_RESERVE_S = 2.0
"""What the end of the last server, the file, the table and the end of this program take."""
_SHARES = 4
"""Of a small budget, one part in so many is for that."""
_OLDEST_S = 60.0
"""A program that seems to have started longer ago than this has seen its clock set."""


class BudgetSpentError(Exception):
    """The time that the person gave is over."""


def process_began() -> float:
    """When this program was started, its imports included, on the scale of `time.monotonic()`."""
    age_s = time.time() - psutil.Process().create_time()
    return time.monotonic() - (age_s if 0 < age_s < _OLDEST_S else 0)


def allowing(seconds: float) -> float:
    """The budget that leaves so many seconds to ask in."""
    return seconds + min(_RESERVE_S, seconds / (_SHARES - 1))


class Clock:
    """What is left of a budget, and what a start has taken on average."""

    def __init__(self, budget_s: float | None = None, began: float | None = None) -> None:
        self.budget_s = inf if budget_s is None else budget_s
        self.began = time.monotonic() if began is None else began
        self.expected_s = 0.0
        self._ended: list[float] = []

    @property
    def until(self) -> float:
        """The moment from which on nothing is asked, on the scale of `time.monotonic()`.

        What the budget has left then is for the end.
        """
        return self.began + self.budget_s - min(_RESERVE_S, self.budget_s / _SHARES)

    @property
    def left_s(self) -> float:
        """Seconds until nothing more is asked."""
        return self.until - time.monotonic()

    @property
    def spent_s(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self.began

    def check(self) -> None:
        """Raise `BudgetSpentError` once nothing is left."""
        if self.left_s <= 0:
            raise BudgetSpentError

    def ended(self, seconds: float) -> None:
        """One more start of the server has taken so long."""
        self._ended.append(seconds)
        self.expected_s = sum(self._ended) / len(self._ended)

    def pace(self) -> Pace:
        """What the schedule must know of time."""
        return Pace(self.left_s, self.budget_s, self.expected_s)
