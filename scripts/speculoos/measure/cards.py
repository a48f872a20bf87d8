"""Graphics cards: what a driver can be asked, and the cards that Linux shows under /sys."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from speculoos.measure import sysfs
from speculoos.record.types import Gpu

_REGION = r"(?:vram|local)\d*"
_HELD = re.compile(rf"^drm-(?:resident|memory)-({_REGION}):\s*(\d+)\s*(KiB|MiB|)", re.MULTILINE)
_UNITS = {"": 1 / 2**20, "KiB": 1 / 2**10, "MiB": 1.0}


@dataclass(frozen=True)
class CardState:
    """What a driver says at one moment: clock of the first card, greatest heat, limits at work."""

    mhz: float | None = None
    celsius: float | None = None
    limits: frozenset[str] = frozenset()


class Cards(Protocol):
    """The cards of one machine; None is what nobody tells."""

    def describe(self) -> tuple[Gpu, ...]:
        """Name, memory, power limit and driver of every card."""

    def energy_j(self) -> float | None:
        """Energy of all cards since a fixed moment."""

    def used_mib(self, pids: Collection[int]) -> float | None:
        """Card memory that these processes hold."""

    def processes(self) -> int | None:
        """How many programs hold a card."""

    def display(self) -> bool | None:
        """Whether a screen hangs on a card."""

    def state(self) -> CardState:
        """Clock, temperature and limits, now."""


class DrmCards:
    """AMD and Intel cards with memory of their own, from the files of the kernel's drivers.

    A processor's built-in graphics without such memory is no card.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    @cached_property
    def _found(self) -> list[Path]:
        cards = (self.root / "sys/class/drm").glob("card[0-9]*")
        return sorted(card for card in cards if "-" not in card.name and _memory(card))

    def describe(self) -> tuple[Gpu, ...]:
        """Name, memory and power limit of every card, as far as the driver shows them."""
        return tuple(_gpu(card, self.root) for card in self._found)

    def energy_j(self) -> float | None:
        """Energy of all cards; AMD's driver counts none, Intel's counts microjoules."""
        found = [_sensor(card, "energy1_input") for card in self._found]
        known = [value for value in found if value is not None]
        return sum(known) / 1e6 if found and len(known) == len(found) else None

    def used_mib(self, pids: Collection[int]) -> float | None:
        """Card memory of these processes, by what the kernel says of their open files.

        Clients are counted once, however many files lead to them (kernel: drm-usage-stats).
        """
        clients: dict[tuple[str, str], float] = {}
        for pid in pids:
            clients.update(_clients((self.root / f"proc/{pid}/fdinfo").glob("*")))
        return round(sum(clients.values()), 1) if clients else None

    def processes(self) -> int | None:
        """None: other users' open files are not for us."""
        return None

    def display(self) -> bool | None:
        """Whether a screen hangs on a connector of a card."""
        said = [
            sysfs.text(path)
            for card in self._found
            for path in card.parent.glob(f"{card.name}-*/status")
        ]
        return "connected" in said if said else None

    def state(self) -> CardState:
        """Clock and temperature from the sensors of the cards."""
        clocks = [_sensor(card, "freq1_input") for card in self._found]
        heat = [_sensor(card, "temp1_input") for card in self._found]
        return CardState(
            mhz=clocks[0] / 1e6 if clocks and clocks[0] is not None else None,
            celsius=max((each / 1000 for each in heat if each is not None), default=None),
        )


def _memory(card: Path) -> int | None:
    """Bytes of memory on the card: AMD's name for it, then Intel's."""
    return sysfs.number(card / "device/mem_info_vram_total") or sysfs.number(
        card / "lmem_total_bytes"
    )


def _gpu(card: Path, root: Path) -> Gpu:
    vendor = {"0x1002": "AMD GPU", "0x8086": "Intel GPU"}
    limit = _sensor(card, "power1_cap")
    driver = (card / "device/driver").resolve().name
    return Gpu(
        name=sysfs.text(card / "device/product_name")
        or vendor.get(sysfs.text(card / "device/vendor") or "", "GPU"),
        vram_mib=(_memory(card) or 0) / 2**20,
        power_limit_w=limit / 1e6 if limit is not None else None,
        driver=sysfs.text(root / "sys/module" / driver / "version"),
    )


def _sensor(card: Path, name: str) -> int | None:
    return next(iter(sysfs.numbers(card.glob(f"device/hwmon/hwmon*/{name}"))), None)


def _clients(files: Iterable[Path]) -> Iterator[tuple[tuple[str, str], float]]:
    for file in files:
        said = sysfs.text(file) or ""
        names = [
            re.search(rf"^{key}:\s*(\S+)", said, re.MULTILINE)
            for key in ("drm-pdev", "drm-client-id")
        ]
        device, client = (match[1] if match else "" for match in names)
        held = {region: int(size) * _UNITS[unit] for region, size, unit in _HELD.findall(said)}
        if client and held:
            yield (device, client), sum(held.values())
