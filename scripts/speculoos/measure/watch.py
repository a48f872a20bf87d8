"""What happens on the machine while a run is made: load of others, clocks, heat, energy."""

import time
from pathlib import Path

from speculoos.measure import cpu
from speculoos.measure.energy import EnergyMeter
from speculoos.measure.gpu import cards_of
from speculoos.record.types import Watched

_HERE = Path("/")


class _Range:
    """The lowest and the highest value that was seen."""

    def __init__(self) -> None:
        self.values: list[float] = []

    def add(self, value: float | None) -> None:
        self.values += [] if value is None else [round(value, 1)]

    @property
    def bounds(self) -> tuple[float, float] | None:
        return (min(self.values), max(self.values)) if self.values else None


class Watch:
    """The machine from now on; `seen` may be called often, and tells all since the beginning.

    This program and every process that it has started by now are ours; all else are others.
    """

    def __init__(self, root: Path = _HERE) -> None:
        self.root, self.cards, self.ours = root, cards_of(root), cpu.ours()
        self.cpu_clock, self.gpu_clock, self.heat = _Range(), _Range(), _Range()
        self.limits: set[str] = set()
        self.energy = EnergyMeter(self.cards, root)
        self.before, self.times, self.start = self._counters(), self._times(), time.monotonic()

    def seen(self) -> Watched:
        """Totals since the start; clocks, heat and limits at the moments of the calls."""
        self._look()
        now, own, before = self._counters(), self._times(), self.times
        since = {name: _since(self.before[name], value) for name, value in now.items()}
        busy, ours = own.busy_s - before.busy_s, own.own_s - before.own_s
        heat = self.heat.bounds
        return Watched(
            window_ms=round((time.monotonic() - self.start) * 1000, 1),
            cpu_ms=_ms(own.total_s - before.total_s),
            others_cpu_ms=_ms(busy - ours),
            pressure_ms=since["pressure"],
            quota_ms=since["quota"],
            throttled=None if since["throttled"] is None else int(since["throttled"]),
            cpu_mhz=self.cpu_clock.bounds,
            gpu_mhz=self.gpu_clock.bounds,
            gpu_c=heat[1] if heat else None,
            gpu_limits=tuple(sorted(self.limits)),
            energy=self.energy.read(),
        )

    def device_mib(self) -> float | None:
        """Memory of the cards that our processes hold, as the driver says."""
        return self.cards.used_mib({process.pid for process in self.ours})

    def _times(self) -> cpu.CpuTime:
        return cpu.cpu_time(self.ours)

    def _look(self) -> None:
        state = self.cards.state()
        self.cpu_clock.add(cpu.clock_mhz(self.root))
        self.gpu_clock.add(state.mhz)
        self.heat.add(state.celsius)
        self.limits |= state.limits

    def _counters(self) -> dict[str, float | None]:
        return {
            "pressure": cpu.pressure_ms(self.root),
            "quota": cpu.quota_ms(self.root),
            "throttled": cpu.throttled(self.root),
        }


def _ms(seconds: float) -> float:
    """Never below 0: the system counts busy time and ours in ticks of their own."""
    return round(max(seconds, 0.0) * 1000, 1)


def _since(before: float | None, now: float | None) -> float | None:
    return None if before is None or now is None else round(max(now - before, 0.0), 1)
