"""Readings in, events out: what was finished, when the server was silent, when it began anew.

Knows neither clock nor socket. A server's counters run from its start to its end; what it does
between two readings is their difference, and after a restart all that the new one shows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from speculoos.measure.build import NotUsableError
from speculoos.measure.observe.page import Page
from speculoos.record.types import Rounding, Silence, Window

_BROKEN = ("prompt_ms", "predicted_ms", "slot_decodes")
"""Totals that are no whole numbers."""
_TELLING_MS = 100.0
"""Milliseconds below which the printed seconds are exact enough for any total."""


class SeveralServersError(NotUsableError):
    """Two servers answer in turn at one address: their counters cannot be told apart."""


@dataclass(frozen=True)
class Gained:
    """What was finished since the last reading."""

    window: Window
    coarse: float
    """By how much, at most, rounded counters move its rate, as a share."""


@dataclass(frozen=True)
class Idle:
    """No request ended since the last reading."""

    at_s: float
    running: int


@dataclass(frozen=True)
class Lost:
    """The server stopped to answer."""

    at_s: float
    why: str


@dataclass(frozen=True)
class Back:
    """The server answers again, or answers as another one that began anew."""

    at_s: float
    silence: Silence


Happened = Gained | Idle | Lost | Back


class Lives:
    """The lives of one server, as far as they were seen; the first reading starts the count."""

    def __init__(self) -> None:
        self.last: Page | None = None
        self.last_s = 0.0
        self.silent = False
        self.births: list[str] = []
        self._rounding = dict.fromkeys(Rounding.model_fields, 0.0)

    @property
    def rounding(self) -> Rounding | None:
        """How far the totals may be off; None where it is nothing that a figure would show."""
        ends = self._rounding | {
            name: self._rounding[name] + step / 2 for name, step in self._last_steps().items()
        }
        counted = any(value for name, value in ends.items() if not name.endswith("_ms"))
        coarse = any(value >= _TELLING_MS for name, value in ends.items() if name.endswith("_ms"))
        return Rounding(**{n: round(v, 3) for n, v in ends.items()}) if counted or coarse else None

    def failed(self, at_s: float, why: str) -> Iterator[Happened]:
        """The server did not answer."""
        if not self.silent:
            self.silent = True
            yield Lost(at_s, why)

    def answered(self, at_s: float, page: Page) -> Iterator[Happened]:
        """The server answered; raises `SeveralServersError`."""
        before, self.last = self.last, page
        anew = before is not None and _anew(before, page)
        self._born(page)
        if before is None or anew:
            self._round(before or page)
        if self.silent or anew:
            yield Back(at_s, Silence(from_s=self.last_s, to_s=at_s, restarted=anew))
        if before is not None:
            yield self._gained(None if anew else before, page, at_s)
        self.silent, self.last_s = False, at_s

    def _last_steps(self) -> dict[str, float]:
        last = self.last
        names = self._rounding.keys() & last.totals.keys() if last else ()
        return {name: last.resolution(name) for name in names} if last else {}

    def _born(self, page: Page) -> None:
        if page.birth in self.births[:-1]:
            raise SeveralServersError(
                "several servers answer in turn at this address; observe each at its own"
            )
        if page.birth not in self.births:
            self.births.append(page.birth)

    def _round(self, page: Page) -> None:
        """One end of a difference: off by half a step at most; a start from 0 is exact."""
        for name in self._rounding.keys() & page.totals.keys():
            self._rounding[name] += page.resolution(name) / 2

    def _gained(self, before: Page | None, page: Page, at_s: float) -> Happened:
        grown = {name: _grown(before, page, name) for name in page.totals}
        if not grown["predicted_n"] and not grown.get("prompt_n"):
            return Idle(at_s, page.running)
        positions = _positions(before, page) if page.counts_speculation else None
        counts = {n: v if n in _BROKEN else round(v) for n, v in grown.items()}
        place = {"from_s": self.last_s, "to_s": at_s, "accepted_per_position": positions}
        window = Window.model_validate(place | counts)
        return Gained(window, _coarse(before, page, grown))


def _anew(before: Page, page: Page) -> bool:
    if before.birth != page.birth:
        return True
    return any(
        page.totals.get(name, 0) < total
        for name, total in before.totals.items()
        if name != "slot_decodes"  # made from a rounded mean, it may go back by itself
    )


def _grown(before: Page | None, page: Page, name: str) -> float:
    grown = page.totals[name] - (before.totals.get(name, 0) if before else 0)
    return max(round(grown, 6), 0)


def _positions(before: Page | None, page: Page) -> tuple[int, ...]:
    known: Mapping[int, int] = before.per_position if before else {}
    deepest = max(page.per_position, default=-1)
    return tuple(page.per_position.get(at, 0) - known.get(at, 0) for at in range(deepest + 1))


def _coarse(before: Page | None, page: Page, grown: Mapping[str, float]) -> float:
    """Each end of a difference is off by half a step at most."""
    return sum(
        (page.resolution(name) + (before.resolution(name) if before else 0)) / 2 / grown[name]
        for name in ("predicted_n", "predicted_ms")
        if grown.get(name)
    )
