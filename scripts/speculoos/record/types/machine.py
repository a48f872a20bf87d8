"""`machine.yaml`: one machine, described once."""

from typing import Literal

from speculoos.record.types.part import Bilingual, Part, Positive, Quantity, Slug, Text


class Cpu(Part):
    """The processor, as the operating system names it."""

    name: Text
    cores: Positive
    """Physical cores that this machine sees."""
    threads: Positive


class Gpu(Part):
    """One graphics card."""

    name: Text
    vram_mib: Quantity | None = None
    power_limit_w: Quantity | None = None
    driver: Text | None = None


class Machine(Part):
    """One machine, described once, in `measurements/<id>/machine.yaml`."""

    format: Literal[1]
    id: Slug
    label: Bilingual
    """A short name for tables and figures."""
    cpu: Cpu
    memory_mib: Positive
    gpus: tuple[Gpu, ...] = ()
    os: Text
    notes: Bilingual | None = None
