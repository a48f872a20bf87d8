"""Whether the machine was fit for measuring: load of others, limits, heat, drift."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from speculoos.record import metrics
from speculoos.record.blocks import block_of, block_rates, complete_blocks
from speculoos.record.types import Measurement, Run, Watched
from speculoos.record.warn import Warn

BUSY = 0.2
"""Share of the processors used by others before the start from which on a warning is given."""
BUSY_DURING = 0.1
"""The same over a block: more than this changes which setting wins (simulated, see protocol)."""
NOISY_SPREAD = 0.05
"""Blocks of the baseline further apart than this give a warning."""
RESTLESS = 0.15
"""Blocks of the baseline further apart than this forbid a recommendation: that is no noise of
starts, which is a few percent, but something else that used the machine and was not seen."""
QUOTA = 0.01
"""Share of a run in which a limit on our processes may hold them back."""
SLOWER_CLOCK = 0.9
"""A run whose highest clock is below this share of another's gives a warning."""
_FEW_TICKS_MS = 100.0
"""The system counts processor time in ticks of 10 ms: less than this may be no load at all."""
_HEAT = ("thermal", "thermal-hardware")
_LEAST_BLOCKS = 3
"""With fewer, everything that is not equal is a trend."""
LEAST_QUIET = 2
"""Quiet blocks from which on the loaded ones can be left out."""


@dataclass(frozen=True)
class Load:
    """The blocks in which others used the machine, and whether the figures do without them."""

    shares: Mapping[int, float]
    """The share of all processors that others used in each block that was watched."""
    set_aside: frozenset[int] = frozenset()
    """Loaded blocks that the figures leave out, since enough quiet ones remain."""

    @property
    def loaded(self) -> dict[int, float]:
        """The blocks that were loaded too much to be compared."""
        return {block: share for block, share in self.shares.items() if share > BUSY_DURING}

    @property
    def outweighs(self) -> bool:
        """Whether the loaded blocks count, or are as many as the quiet ones."""
        loaded = self.loaded
        return bool(loaded) and (not self.set_aside or 2 * len(loaded) >= len(self.shares))

    @property
    def figures(self) -> dict[str, float | str]:
        """The worst share, the loaded blocks by number, and the number of all."""
        loaded = self.loaded
        blocks, worst = _ranges(list(loaded)), max(loaded.values(), default=0.0)
        return {"share": worst, "loaded": blocks, "of": len(self.shares)}


def load_of(runs: Sequence[Run]) -> Load:
    """What others used while these runs were made.

    A block is left out for what was seen of the machine, never for its own rates: to drop what
    looks odd would make every interval too narrow.
    """
    load = Load(shares(runs))
    loaded = frozenset(load.loaded)
    left = complete_blocks(block_rates(runs, loaded)) if loaded else 0
    return Load(load.shares, loaded if left >= LEAST_QUIET else frozenset())


def surroundings_warnings(measurement: Measurement, load: Load) -> Iterator[Warn]:
    """What the machine did beside the measurement, in the order of time.

    `load` is that of the blocks that the figures rest on.
    """
    yield from _before(measurement)
    if load.loaded:
        aside, within = Warn("busy-set-aside", load.figures), Warn("busy-during", load.figures)
        yield aside if load.set_aside else within
    exploring = Load(shares([run for run in measurement.runs if run.phase]))
    if set(exploring.loaded) - set(load.shares):
        yield Warn("busy-exploring", exploring.figures)
    runs = [run for run in measurement.runs if run.watched]
    yield from _limits(runs)
    yield from _clocks(runs)


def shares(runs: Sequence[Run]) -> dict[int, float]:
    """The share of all processors that others used in each block, where it was watched."""
    blocks: defaultdict[int, list[Watched]] = defaultdict(list)
    for run in runs:
        block = block_of(run)
        if run.watched and block is not None:
            blocks[block].append(run.watched)
    return {block: _share(seen) for block, seen in sorted(blocks.items())}


def stability_warnings(baseline: Mapping[int, float]) -> Iterator[Warn]:
    """`drift` where the rates of the baseline follow a line over the blocks, else `noisy`."""
    rates = [baseline[block] for block in sorted(baseline)]
    spread = metrics.spread(rates)
    if spread is None or spread <= NOISY_SPREAD:
        return
    if _follows_a_line(rates):
        yield Warn("drift", {"first": rates[0], "last": rates[-1], "spread": spread})
    else:
        yield Warn("noisy", {"spread": spread})


def _before(measurement: Measurement) -> Iterator[Warn]:
    machine = measurement.machine
    if machine is None:
        return
    if (machine.busy_before or 0) > BUSY:
        yield Warn("busy", {"share": machine.busy_before or 0})
    if machine.gpu_processes:
        yield Warn("card-shared", {"programs": machine.gpu_processes})


def _ranges(numbers: list[int]) -> str:
    """Ascending numbers as a person writes them: `1, 3–6`."""
    found: list[list[int]] = []
    for each in numbers:
        if found and each == found[-1][-1] + 1:
            found[-1].append(each)
        else:
            found.append([each])
    return ", ".join(f"{r[0]}–{r[-1]}" if len(r) > 1 else f"{r[0]}" for r in found)


def _share(seen: list[Watched]) -> float:
    others, total = sum(w.others_cpu_ms for w in seen), sum(w.cpu_ms for w in seen)
    return others / total if total and others > _FEW_TICKS_MS else 0.0


def _limits(runs: list[Run]) -> Iterator[Warn]:
    seen = [run.watched for run in runs if run.watched]
    window = sum(w.window_ms for w in seen)
    held = sum(w.quota_ms or 0 for w in seen)
    if window and held / window > QUOTA:
        yield Warn("quota", {"share": held / window})
    hot = sum(bool(w.throttled or set(w.gpu_limits) & set(_HEAT)) for w in seen)
    if hot:
        yield Warn("throttled", {"runs": hot, "of": len(seen)})


def _clocks(runs: list[Run]) -> Iterator[Warn]:
    """Between runs: within one, a processor that rests between requests lowers its clock."""
    for what in ("cpu", "gpu"):
        found = [getattr(run.watched, f"{what}_mhz") for run in runs]
        highest = [bounds[1] for bounds in found if bounds]
        if highest and min(highest) < SLOWER_CLOCK * max(highest):
            figures = {"low_mhz": min(highest), "high_mhz": max(highest)}
            yield Warn("clock", {"what": what.upper(), **figures})


def _follows_a_line(rates: list[float]) -> bool:
    """Whether the slope over the blocks differs from 0, by a t test at 95 %."""
    freedom = len(rates) - 2
    if len(rates) < _LEAST_BLOCKS:
        return False
    r = abs(float(np.corrcoef(range(len(rates)), rates)[0, 1]))
    t = np.inf if r >= 1 else r * sqrt(freedom / (1 - r * r))
    return bool(t > metrics.student(freedom))
