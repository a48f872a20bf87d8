"""The processors: whose time they spend, their clocks, and what holds them back."""

import contextlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

from speculoos.measure import sysfs

_CPUS = "sys/devices/system/cpu"


class CpuTime(NamedTuple):
    """Seconds since the start of the system: of all processors, of programs, of ours."""

    total_s: float
    busy_s: float
    own_s: float


def ours() -> list[psutil.Process]:
    """The process that runs this, and every one below it."""
    us = psutil.Process()
    return [us, *us.children(recursive=True)]


def cpu_time(own: Sequence[psutil.Process]) -> CpuTime:
    """Now; time that a host gave to other machines (`steal`) counts as busy, waiting does not.

    What `own` spent includes their children that have ended: the parent that waits for a child
    gets its account.
    """
    times = psutil.cpu_times()
    # a guest's time is part of user and nice already (man 5 proc_stat)
    parts = {name: s for name, s in times._asdict().items() if not name.startswith("guest")}
    total = sum(parts.values())
    idle = parts.get("idle", 0.0) + parts.get("iowait", 0.0)
    return CpuTime(total, total - idle, sum(map(_spent_s, own)))


def _spent_s(process: psutil.Process) -> float:
    with contextlib.suppress(psutil.Error):
        return float(sum(process.cpu_times()[:4]))  # user and system, own and of ended children
    return 0.0


def pressure_ms(root: Path) -> float | None:
    """Time in which some task waited for a processor, since the start of the system."""
    found = re.search(r"some .*total=(\d+)", sysfs.text(root / "proc/pressure/cpu") or "")
    return int(found[1]) / 1000 if found else None


def quota_ms(root: Path) -> float | None:
    """Time in which our control group, or one around it, was stopped by its limit (cgroup v2)."""
    own = re.search(r"^0::/(.*)$", sysfs.text(root / "proc/self/cgroup") or "", re.MULTILINE)
    top = root / "sys/fs/cgroup"
    group = top / own[1] if own else top
    around = [group, *(each for each in group.parents if each.is_relative_to(top))]
    said = [sysfs.text(each / "cpu.stat") or "" for each in around]
    found = [re.search(r"^throttled_usec (\d+)$", each, re.MULTILINE) for each in said]
    return max((int(match[1]) / 1000 for match in found if match), default=None)


def throttled(root: Path) -> int | None:
    """Times that heat lowered a clock, over all processors, since the start of the system."""
    found = sysfs.numbers((root / _CPUS).glob("cpu[0-9]*/thermal_throttle/*_throttle_count"))
    return sum(found) if found else None


def clock_mhz(root: Path) -> float | None:
    """The clock of the fastest processor now."""
    return _highest_mhz(root, "scaling_cur_freq")


def allowed_mhz(root: Path) -> float | None:
    """The highest clock that the system allows a processor."""
    return _highest_mhz(root, "scaling_max_freq")


def _highest_mhz(root: Path, name: str) -> float | None:
    found = sysfs.numbers((root / _CPUS).glob(f"cpu[0-9]*/cpufreq/{name}"))
    return max(found) / 1000 if found else None


def governor(root: Path) -> str | None:
    """How the system chooses the clocks: `performance`, `powersave`; several where they differ."""
    paths = sorted((root / _CPUS).glob("cpu[0-9]*/cpufreq/scaling_governor"))
    found = sorted({name for path in paths if (name := sysfs.text(path))})
    return ", ".join(found) or None
