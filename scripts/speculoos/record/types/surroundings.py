"""What else happened on the machine: totals of counters over a window, never shares."""

from typing import Literal

from speculoos.record.types.part import Count, Part, Quantity, Share, Slug, Text

Scope = Literal["package", "dram", "gpu"]
"""What an energy counter counts: processor packages, their memory, or the cards."""

NoEnergy = Literal["no-counter", "not-permitted"]
"""Why nothing counts energy."""


class Energy(Part):
    """Energy over a window, idle draw included; every machine of the same scope adds up."""

    scope: Scope
    joules: Quantity


class IdlePower(Part):
    """What a scope drew before the first start, while the machine did nothing for us."""

    scope: Scope
    watts: Quantity


class MachineState(Part):
    """The machine on the day of the measurement: what may differ from `machine.yaml`."""

    id: Slug
    load_before: Quantity | None = None
    """Load average over one minute before the first server was started."""
    busy_before: Share | None = None
    """Share of all processors that others used in the second before the first start."""
    power_limit_w: Quantity | None = None
    driver: Text | None = None
    kernel: Text | None = None
    governor: Text | None = None
    """How the system chooses the clock of the processors."""
    cpu_mhz_max: Quantity | None = None
    """The highest clock that the system allows."""
    memory_available_mib: Count | None = None
    display: bool | None = None
    """Whether a screen hangs on a card: it takes memory and time of it."""
    gpu_processes: Count | None = None
    """Programs that held a card before the first start."""
    idle: tuple[IdlePower, ...] = ()
    energy_absent: NoEnergy | None = None
    """Why the runs hold no energy."""


class Watched(Part):
    """The machine from the first counted request of a run to the last."""

    window_ms: Quantity
    cpu_ms: Quantity
    """Time of all processors together, idle time included."""
    others_cpu_ms: Quantity
    """Of it, what was neither idle nor ours: other programs, and time a host gave elsewhere."""
    pressure_ms: Quantity | None = None
    """Time in which some task had to wait for a processor (`some` in /proc/pressure/cpu)."""
    quota_ms: Quantity | None = None
    """Time in which a limit on our group of processes held us back (`throttled_usec`)."""
    throttled: Count | None = None
    """Times that a processor lowered its clock because of heat."""
    cpu_mhz: tuple[Quantity, Quantity] | None = None
    """Lowest and highest clock of the fastest processor, read after each request."""
    gpu_mhz: tuple[Quantity, Quantity] | None = None
    """Lowest and highest clock of the first card, read after each request."""
    gpu_c: Quantity | None = None
    """Highest temperature of the cards, read after each request."""
    gpu_limits: tuple[Slug, ...] = ()
    """Why a card held its clock down, as its driver says: `power-cap`, `thermal`."""
    energy: tuple[Energy, ...] = ()
