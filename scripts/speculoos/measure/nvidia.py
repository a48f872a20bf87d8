"""NVIDIA cards, asked through the driver's library (NVML)."""

import contextlib
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pynvml

from speculoos.measure.cards import CardState
from speculoos.record.types import Gpu

_LIMITS = {
    "power-cap": "SwPowerCap",
    "thermal": "SwThermalSlowdown",
    "thermal-hardware": "HwThermalSlowdown",
    "power-brake": "HwPowerBrakeSlowdown",
    "applications-clock": "ApplicationsClocksSetting",
}
"""Reasons of the driver for a lower clock, idleness excepted, and our words for them."""


class Nvidia:
    """The cards of one driver; none where there is no driver."""

    def __init__(self, nvml: Any = pynvml) -> None:
        self.nvml = nvml
        self.cards: list[Any] = []
        with contextlib.suppress(nvml.NVMLError):
            nvml.nvmlInit()
            count = nvml.nvmlDeviceGetCount()
            self.cards = [nvml.nvmlDeviceGetHandleByIndex(index) for index in range(count)]

    def describe(self) -> tuple[Gpu, ...]:
        """Name, memory, power limit and driver of every card; never its serial or UUID."""
        return tuple(self._card(card) for card in self.cards)

    def _card(self, card: Any) -> Gpu:
        nvml = self.nvml
        memory = self._ask(nvml.nvmlDeviceGetMemoryInfo, card)
        limit = self._ask(nvml.nvmlDeviceGetEnforcedPowerLimit, card)
        return Gpu(
            name=_text(self._ask(nvml.nvmlDeviceGetName, card)) or "NVIDIA GPU",
            vram_mib=memory.total / 2**20 if memory else None,
            power_limit_w=limit / 1000 if limit is not None else None,
            driver=_text(self._ask(nvml.nvmlSystemGetDriverVersion)),
        )

    def energy_j(self) -> float | None:
        """Energy of all cards since their driver was loaded; None where one does not count."""
        found = [
            self._ask(self.nvml.nvmlDeviceGetTotalEnergyConsumption, card) for card in self.cards
        ]
        return sum(found) / 1000 if found and None not in found else None

    def used_mib(self, pids: Collection[int]) -> float | None:
        """Card memory that these processes hold; None where the driver names none of them."""
        held: dict[tuple[int, int], float] = {}
        for card, each in self._processes():
            if each.pid in pids and each.usedGpuMemory is not None:
                # a program that computes and draws is in both lists, with the same memory
                held[card, each.pid] = each.usedGpuMemory
        return round(sum(held.values()) / 2**20, 1) if held else None

    def processes(self) -> int | None:
        """How many programs hold a card."""
        return len({each.pid for _, each in self._processes()}) if self.cards else None

    def _processes(self) -> Iterator[tuple[int, Any]]:
        nvml = self.nvml
        for number, card in enumerate(self.cards):
            computing = self._ask(nvml.nvmlDeviceGetComputeRunningProcesses, card) or ()
            drawing = self._ask(nvml.nvmlDeviceGetGraphicsRunningProcesses, card) or ()
            yield from ((number, each) for each in (*computing, *drawing))

    def display(self) -> bool | None:
        """Whether a screen hangs on a card."""
        found = [self._ask(self.nvml.nvmlDeviceGetDisplayMode, card) for card in self.cards]
        known = [bool(mode) for mode in found if mode is not None]
        return any(known) if known else None

    def state(self) -> CardState:
        """Clock, temperature and what limits them, now."""
        nvml = self.nvml
        clocks = [
            self._ask(nvml.nvmlDeviceGetClockInfo, card, nvml.NVML_CLOCK_SM) for card in self.cards
        ]
        heat = [
            self._ask(nvml.nvmlDeviceGetTemperature, card, nvml.NVML_TEMPERATURE_GPU)
            for card in self.cards
        ]
        return CardState(
            mhz=clocks[0] if clocks else None,
            celsius=max((each for each in heat if each is not None), default=None),
            limits=frozenset(self._limits()),
        )

    def _limits(self) -> Iterator[str]:
        for card in self.cards:
            reasons = self._ask(self.nvml.nvmlDeviceGetCurrentClocksThrottleReasons, card) or 0
            for slug, name in _LIMITS.items():
                if reasons & getattr(self.nvml, f"nvmlClocksThrottleReason{name}"):
                    yield slug

    def _ask(self, question: Callable[..., Any], *about: Any) -> Any:
        """The answer; None where this card or driver has none, or keeps it to itself."""
        with contextlib.suppress(self.nvml.NVMLError):
            return question(*about)
        return None


def _text(answer: str | bytes | None) -> str | None:
    return answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
