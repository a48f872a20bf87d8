"""Buffers from the server's start-up log, in MiB."""

import re
from collections.abc import Collection
from typing import NamedTuple

from speculoos.record.types import Memory

_BUFFER = re.compile(
    r"(?<!\S)(?P<device>\S+)\s+(?P<kind>model|KV|compute|output|RS)\s+"
    r"buffer size\s*=\s*(?P<mib>[\d.]+) MiB"
)
_NEW_CONTEXT = "constructing llama_context"
_CONTEXT = ("KV", "output", "RS")
_OF_PROCESSOR = re.compile(r"CPU|BLAS|AMX|.*Host", re.IGNORECASE)
"""Names of buffers in the processor's memory: `CPU_Mapped`, `CUDA_Host`."""


class Buffer(NamedTuple):
    """One line of the log: `context` 0 is the model itself, 1 its context, 2 that of a draft."""

    context: int
    device: str
    kind: str
    mib: float


def read_memory(log: str) -> Memory:
    """Model, context and compute buffers; absent where the log does not name them.

    A draft model and the context of a head are included: they print lines of their own.
    """
    found = list(read_buffers(log))
    return Memory(
        model_mib=_sum(found, ("model",)),
        context_mib=_sum(found, _CONTEXT),
        compute_mib=_sum(found, ("compute",)),
        on_cards_mib=_sum([b for b in found if not _OF_PROCESSOR.match(b.device)]),
    )


def read_buffers(log: str) -> Collection[Buffer]:
    """Every buffer that the log names.

    A context that reserves its compute buffer anew prints it again: the last line counts.
    """
    found: dict[object, Buffer] = {}
    for number, part in enumerate(log.split(_NEW_CONTEXT)):
        for match in _BUFFER.finditer(part):
            buffer = Buffer(number, match["device"], match["kind"], float(match["mib"]))
            once = buffer.kind == "compute"
            found[(number, buffer.device) if once else (number, match.start())] = buffer
    return found.values()


def read_backend(log: str) -> str | None:
    """The kinds of device that hold the model's weights; None where the log names none.

    `CPU_Mapped` and `CPU` are one kind, and so are `CUDA0` and `CUDA1`.
    """
    names = re.findall(r"(?<!\S)(\S+) model buffer size", log)
    kinds = {re.sub(r"_.*|\d+$", "", name) for name in names}
    return ", ".join(sorted(kinds)) or None


def _sum(found: Collection[Buffer], kinds: Collection[str] | None = None) -> float | None:
    sizes = [buffer.mib for buffer in found if kinds is None or buffer.kind in kinds]
    return round(sum(sizes), 2) if sizes else None
