"""Energy counters: processor packages and their memory (RAPL), and the cards."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from speculoos.measure import sysfs
from speculoos.measure.cards import Cards
from speculoos.record.types import Energy, NoEnergy, Scope

_POWERCAP = "sys/class/powercap"


@dataclass(frozen=True)
class _Zone:
    """One counter of RAPL: microjoules that start again from 0 at `range_uj`."""

    path: Path
    scope: Scope
    range_uj: int

    def read(self) -> int | None:
        return sysfs.number(self.path / "energy_uj")


class EnergyMeter:
    """Joules since it was made, by scope.

    RAPL counters wrap, at the earliest after some minutes: `read` must be called in between.
    """

    def __init__(self, cards: Cards, root: Path = Path("/")) -> None:
        self.cards = cards
        self.last = {zone: value for zone in _zones(root) if (value := zone.read()) is not None}
        self.spent: dict[Scope, float] = {zone.scope: 0.0 for zone in self.last}
        self.cards_before = cards.energy_j()

    def read(self) -> tuple[Energy, ...]:
        """What every scope has used so far; a scope without a counter is not there."""
        for zone, before in self.last.items():
            now = zone.read()
            if now is not None:
                self.spent[zone.scope] += (now - before) % (zone.range_uj + 1) / 1e6
                self.last[zone] = now
        found = [Energy(scope=scope, joules=round(j, 3)) for scope, j in self.spent.items()]
        now_cards = self.cards.energy_j()
        if self.cards_before is not None and now_cards is not None:
            found.append(Energy(scope="gpu", joules=round(now_cards - self.cards_before, 3)))
        return tuple(found)


def why_absent(cards: Cards, root: Path = Path("/")) -> NoEnergy | None:
    """Why nothing counts energy; None where something does."""
    zones = list(_zones(root))
    if cards.energy_j() is not None or any(zone.read() is not None for zone in zones):
        return None
    return "not-permitted" if zones else "no-counter"


def _zones(root: Path) -> Iterator[_Zone]:
    """Packages and their memory; `core` and `uncore` are parts of a package, `psys` holds it."""
    for path in sorted((root / _POWERCAP).glob("intel-rapl:*")):
        name, top = sysfs.text(path / "name") or "", sysfs.number(path / "max_energy_range_uj")
        if top and name.startswith("package"):
            yield _Zone(path, "package", top)
        elif top and name == "dram":
            yield _Zone(path, "dram", top)
