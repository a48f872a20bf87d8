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
_INTEL = "0x8086"
_NAMES = {"0x1002": "AMD GPU", _INTEL: "Intel GPU"}
_HOT = re.compile("thermal|prochot|ratl")
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

    Documentation/gpu/amdgpu and Documentation/ABI/testing/sysfs-driver-intel-{i915,xe}-hwmon of
    Linux say what each file means. A processor's built-in graphics without such memory is no card.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    @cached_property
    def _found(self) -> list[Path]:
        cards = (self.root / "sys/class/drm").glob("card[0-9]*")
        return sorted(card for card in cards if "-" not in card.name and _is_card(card))

    def describe(self) -> tuple[Gpu, ...]:
        """Name, memory and power limit of every card, as far as the driver shows them."""
        return tuple(_gpu(card, self.root) for card in self._found)

    def energy_j(self) -> float | None:
        """Energy of all cards; AMD's driver counts none, Intel's counts microjoules.

        xe counts the whole card where the hardware does (`energy1`), else its package (`energy2`).
        """
        found = [_first(card, "energy1_input", "energy2_input") for card in self._found]
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
        """Clock, greatest heat of all sensors and, of Intel's cards, what holds the clock down."""
        heat = [each for card in self._found for each in _sensors(card, "temp[0-9]_input")]
        clocks = [_clock_mhz(card) for card in self._found[:1]]
        return CardState(
            mhz=clocks[0] if clocks else None,
            celsius=max(heat) / 1000 if heat else None,
            limits=frozenset(limit for card in self._found for limit in _limits(card)),
        )


def _is_card(card: Path) -> bool:
    """With memory of its own; i915 does not tell how much, but has sensors for such cards alone."""
    return _memory(card) is not None or (_vendor(card) == _INTEL and bool(_hwmon(card)))


def _memory(card: Path) -> int | None:
    """Bytes of memory on the card: of amdgpu, of xe (one file a tile), of Intel's own i915."""
    tiles = sysfs.numbers(card.glob("device/tile*/physical_vram_size_bytes"))
    return (
        sysfs.number(card / "device/mem_info_vram_total")
        or sum(tiles)
        or sysfs.number(card / "lmem_total_bytes")
        or None
    )


def _gpu(card: Path, root: Path) -> Gpu:
    memory, limit = _memory(card), _power_limit(card)
    link = card / "device/driver"
    driver = link.resolve().name if link.exists() else None
    return Gpu(
        name=sysfs.text(card / "device/product_name") or _NAMES.get(_vendor(card) or "", "GPU"),
        vram_mib=None if memory is None else memory / 2**20,
        power_limit_w=None if limit is None else limit / 1e6,
        driver=driver and (sysfs.text(root / "sys/module" / driver / "version") or driver),
    )


def _vendor(card: Path) -> str | None:
    return sysfs.text(card / "device/vendor")


def _power_limit(card: Path) -> int | None:
    """The sustained limit in microwatts: Intel calls it `max`, and `cap` that of a burst."""
    names = ("power1_max", "power2_max") if _vendor(card) == _INTEL else ("power1_cap",)
    limits = (value for name in names for value in _sensors(card, name))
    return next((value for value in limits if value), None)  # 0 means that it is switched off


def _clock_mhz(card: Path) -> float | None:
    """Hertz of amdgpu, megahertz of xe and i915, which say 0 while the card sleeps."""
    hertz = _first(card, "freq1_input")
    if hertz is not None:
        return hertz / 1e6
    shown = [*card.glob("device/tile0/gt0/freq0/act_freq"), *card.glob("gt/gt0/rps_act_freq_mhz")]
    return next(iter(sysfs.numbers(shown)), None)


def _limits(card: Path) -> Iterator[str]:
    """Reasons that are 1 now, of xe then of i915, in NVIDIA's words for the same."""
    for pattern in ("device/tile*/gt*/freq0/throttle/reason_*", "gt/gt*/throttle_reason_*"):
        for path in card.glob(pattern):
            if sysfs.number(path):
                reason = path.name.partition("reason_")[2]
                if reason != "status":  # i915 names its overall state like a reason
                    yield "thermal" if _HOT.search(reason) else "power-cap"


def _hwmon(card: Path) -> list[Path]:
    """The sensors of the whole card: i915 has more of them for each part of it."""
    found = sorted(card.glob("device/hwmon/hwmon*"))
    return [each for each in found if "_gt" not in (sysfs.text(each / "name") or "")]


def _sensors(card: Path, pattern: str) -> list[int]:
    return sysfs.numbers(path for each in _hwmon(card) for path in each.glob(pattern))


def _first(card: Path, *names: str) -> int | None:
    return next((value for name in names for value in _sensors(card, name)), None)


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
