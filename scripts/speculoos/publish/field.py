"""Sweeps that others published: which n_max was best, beside the speed without speculation."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from speculoos.publish.tables import Table, labelled
from speculoos.publish.text import Language, number, times

_TRIED = 3
"""Values of n_max below which a sweep has no best one to speak of."""
_OTHER_SERVERS = ("vLLM", "ik_llama.cpp")

Row = dict[str, str]


@dataclass(frozen=True)
class Sweep:
    """One series of others, with MTP in llama.cpp and no p_min."""

    hardware: str
    model: str
    reference: str
    plain: float
    """Tokens per second without speculation."""
    best_n_max: int
    speedup: float
    """With the best of the values that were tried."""
    tried: int

    @property
    def experts(self) -> bool:
        """Whether the model is a mixture of experts."""
        return "MoE" in self.model


def sweeps(text: str) -> list[Sweep]:
    """The series of `docs/field-n-max.csv` in the file's order."""
    rows = csv.DictReader(text.splitlines())
    made = (_sweep(list(group)) for _, group in groupby(rows, key=lambda row: row["series"]))
    return [sweep for sweep in made if sweep]


def searched(found: Sequence[Sweep]) -> list[Sweep]:
    """Those that tried enough values to have a best one."""
    return [sweep for sweep in found if sweep.tried >= _TRIED]


def _sweep(rows: Sequence[Row]) -> Sweep | None:
    plain = next(row for row in rows if row["n_max"] == "0")
    tried = [row for row in rows if row["n_max"] != "0" and row["p_min"] == "0"]
    other = plain["backend"].startswith(_OTHER_SERVERS) or "mtp" not in plain["spec_type"]
    if other or not tried:
        return None
    best = max(tried, key=lambda row: float(row["speedup"]))
    return Sweep(
        plain["hardware"], plain["model"], plain["reference"],
        float(plain["tokens_per_second"]), int(best["n_max"]), float(best["speedup"]),
        len({row["n_max"] for row in tried}),
    )  # fmt: skip


def sweep_values(found: Sequence[Sweep], language: Language) -> Table:
    """The values behind the figure, and where each was published."""
    heads = ("field_hardware", "model", "field_plain", "field_best", "speedup", "field_reference")
    rows = [_row(sweep, language) for sweep in sorted(found, key=lambda s: s.plain)]
    return labelled("data_table", heads, rows, language)


def _row(sweep: Sweep, language: Language) -> tuple[str, ...]:
    return (
        sweep.hardware, sweep.model, number(sweep.plain, language, 1), str(sweep.best_n_max),
        times(sweep.speedup, language), sweep.reference,
    )  # fmt: skip
