from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Machine, Measurement, Memory

_FACTOR = 100
"""A unit that is mistaken is off by 1024; what lies in several places is off by a few."""
_MIB = 2**20


def _check(document: Document[Measurement], collection: Collection) -> Iterator[Problem]:
    record = document.record
    machine = collection.machines.get(record.machine.id) if record.machine else None
    size_bytes = record.model.size_bytes if record.model else None
    size_mib = size_bytes / _MIB if size_bytes else None
    for at, run in enumerate(record.runs):
        if run.memory is None:
            continue
        for field, text in _wrong(run.memory, size_mib, machine.record if machine else None):
            yield document.problem(("runs", at, "memory", field), text)


def _wrong(
    memory: Memory, size_mib: float | None, machine: Machine | None
) -> Iterator[tuple[str, str]]:
    held = memory.model_mib
    if held and size_mib and not size_mib / _FACTOR < held < size_mib * _FACTOR:
        text = (
            f"{held:g} MiB for a model file of {size_mib:.6g} MiB; give MiB, and its size in bytes"
        )
        yield "model_mib", text
    if machine is None:
        return
    cards = [gpu.vram_mib for gpu in machine.gpus]
    vram = sum(each or 0 for each in cards)
    most = machine.memory_mib + vram
    limits = [("resident_mib", machine.memory_mib), ("context_mib", most), ("compute_mib", most)]
    if cards and None not in cards:
        limits.append(("device_mib", int(vram)))
    for field, limit in limits:
        value = getattr(memory, field)
        if value is not None and limit and value > limit:
            text = (
                f"{value:g} MiB, but the machine has {limit:g}; give MiB, or correct machine.yaml"
            )
            yield field, text


RULE = Rule("memory", "What a run held fits its model and its machine.", _check)
