"""What a page may ask for by name besides the figures of measurements."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from speculoos.publish import tables, unmeasured
from speculoos.publish.field import Sweep, searched
from speculoos.publish.figures import draw_field_n_max, draw_field_speedup
from speculoos.publish.findings import field_n_max_finding, field_speedup_finding
from speculoos.publish.memory import (
    Memory,
    bits_table,
    cards_table,
    logged_table,
    needs_table,
    shares_table,
)
from speculoos.publish.text import Language
from speculoos.record.types.coverage import Coverage


@dataclass(frozen=True)
class Field:
    """A figure of the sweeps that others published."""

    chosen: Callable[[Sequence[Sweep]], list[Sweep]]
    draw: Callable[[tuple[Sweep, ...], str, Language], str]
    title: Callable[[Sequence[Sweep], Language], str]
    words: str


@dataclass(frozen=True)
class Beside:
    """What pages show beside measurements, each from a file of `docs/`."""

    memory: Memory | None = None
    sweeps: Sequence[Sweep] = ()
    coverage: Coverage | None = None


FIELD = {
    "speedup_in_the_field": Field(list, draw_field_speedup, field_speedup_finding, "field_speedup"),
    "best_n_max_in_the_field": Field(
        searched, draw_field_n_max, field_n_max_finding, "field_n_max"
    ),
}
"""Figures of the sweeps that others published."""
TABLES = {"claims": unmeasured.claims, "costs": tables.other_costs, "points": tables.points}
"""What the settings of one measurement say."""
MEMORY_TABLES = {
    "memory_bits": bits_table,
    "memory_cards": cards_table,
    "memory_logged": logged_table,
    "memory_needs": needs_table,
    "memory_shares": shares_table,
}
"""What fits, and how that was checked."""
DRAWINGS = ("one_step",)
"""Drawings that explain, without data."""
