"""Buffers from the server's start-up log, in MiB."""

import re

from speculoos.record.types import Memory

_BUFFER = re.compile(
    r"\S+\s+(?P<kind>model|KV|compute|output|RS)\s+buffer size\s*=\s*(?P<mib>[\d.]+) MiB"
)
_CONTEXT = ("KV", "output", "RS")


def read_memory(log: str, resident_mib: float | None) -> Memory:
    """Model, context and compute buffers; absent where the log does not name them."""
    found = [(match["kind"], float(match["mib"])) for match in _BUFFER.finditer(log)]
    return Memory(
        model_mib=_sum(found, ("model",)),
        context_mib=_sum(found, _CONTEXT),
        compute_mib=_sum(found, ("compute",)),
        resident_mib=resident_mib,
    )


def read_backend(log: str) -> str | None:
    """The kinds of device that hold the model's weights; None where the log names none.

    `CPU_Mapped` and `CPU` are one kind, and so are `CUDA0` and `CUDA1`.
    """
    names = re.findall(r"(\S+) model buffer size", log)
    kinds = {re.sub(r"_.*|\d+$", "", name) for name in names}
    return ", ".join(sorted(kinds)) or None


def _sum(found: list[tuple[str, float]], kinds: tuple[str, ...]) -> float | None:
    sizes = [mib for kind, mib in found if kind in kinds]
    return round(sum(sizes), 2) if sizes else None
