"""What a budget leaves room for, and what it would have to be."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import BinaryIO

from rich.console import Console

from speculoos.measure.build import NotUsableError
from speculoos.measure.clock import Clock, allowing
from speculoos.measure.schedule import least_starts
from speculoos.progress import Sitting, duration
from speculoos.record.problem import ToldError
from speculoos.verbs.watched import Watched

_SHORT_S = 90
_STEP_S = 5
"""An estimate is rounded up to as many seconds."""


class BudgetTooSmallError(ToldError):
    """Nothing useful fits into the budget; the sentence says what would."""


class Hashed(Watched):
    """A model that is read for its hash, for as long as the budget lasts."""

    def __init__(self, source: BinaryIO, name: str, size: int, out: Console, clock: Clock) -> None:
        super().__init__(source, name, size, out)
        self.clock = clock

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes; raises `BudgetTooSmallError`."""
        part = super().read(size)
        if self.clock.left_s <= 0:
            needed_s = self.clock.spent_s - self.spent_s + self.whole_s
            raise BudgetTooSmallError(
                f"the budget of {_given(self.clock)} ended while {self.name} was read "
                f"for its SHA-256, which takes about {_about(self.whole_s)} the first time; give "
                f"more than {_about(allowing(needed_s))}"
            )
        return part


@contextmanager
def within(clock: Clock) -> Iterator[None]:
    """What is done before the first start; raises `BudgetTooSmallError` where it does not fit."""
    _refuse_if_spent(clock)
    try:
        yield
    except NotUsableError:
        _refuse_if_spent(clock)  # what was ended with the budget could not answer
        raise


def _refuse_if_spent(clock: Clock) -> None:
    if clock.left_s <= 0:
        raise BudgetTooSmallError(
            f"the budget of {_given(clock)} ended before anything was started; getting there took "
            f"{clock.spent_s:.1f} s, a llama-server and its answers come on top: give a minute"
        )


def too_small(sitting: Sitting, before_s: float) -> str:
    """Why a budget ended before anything could be compared, and how much is needed.

    `before_s` had been spent when the first start that counts began.
    """
    ended = f"the budget of {_given(sitting.clock)} ended before a setting could be "
    ended += f"compared with the baseline; {_needed(sitting, before_s)}"
    kept = "; --resume goes on with what is measured" if sitting.target.exists() else ""
    return ended + kept


def _needed(sitting: Sitting, before_s: float) -> str:
    starts = least_starts(sitting.plan)
    if sitting.timing is None:
        return f"llama-server had not answered by then; {starts} starts and their answers must fit"
    needed_s = before_s + starts * sitting.timing.start_s(sitting.plan)
    return f"about {_about(allowing(needed_s))} are needed for {starts} starts of the server"


def _given(clock: Clock) -> str:
    return f"{clock.budget_s:g} s" if clock.budget_s < _SHORT_S else duration(clock.budget_s)


def _about(seconds: float) -> str:
    return duration(_STEP_S * ceil(seconds / _STEP_S))
