from collections.abc import Iterator

from speculoos.record.checks.rule import MachineRule
from speculoos.record.problem import Problem
from speculoos.record.store import Document, Key
from speculoos.record.types import Gpu, Machine

_LEAST_MIB, _MOST_MIB = 256, 2**26
_MOST_THREADS = 8192
_LEAST_W, _MOST_W = 3, 5000


def _check(document: Document[Machine]) -> Iterator[Problem]:
    for key, text in _wrong(document.record):
        yield document.problem(key, text)


def _wrong(machine: Machine) -> Iterator[tuple[Key, str]]:
    cores, threads = machine.cpu.cores, machine.cpu.threads
    if cores > threads:
        text = f"{cores} cores, but {threads} threads; a core has one thread or more, swap them?"
        yield ("cpu", "cores"), text
    if threads > _MOST_THREADS:
        yield ("cpu", "threads"), f"{threads}, expected at most {_MOST_THREADS}; correct it"
    yield from _mib(("memory_mib",), machine.memory_mib)
    for at, gpu in enumerate(machine.gpus):
        yield from _card(("gpus", at), gpu)


def _card(key: Key, gpu: Gpu) -> Iterator[tuple[Key, str]]:
    if gpu.vram_mib is not None:
        yield from _mib((*key, "vram_mib"), gpu.vram_mib)
    if gpu.power_limit_w is not None and not _LEAST_W <= gpu.power_limit_w <= _MOST_W:
        text = f"{gpu.power_limit_w:g} W, expected {_LEAST_W} to {_MOST_W}; give watts"
        yield (*key, "power_limit_w"), text


def _mib(key: Key, value: float) -> Iterator[tuple[Key, str]]:
    if value < _LEAST_MIB:
        yield key, f"{value:g} MiB is very little; is it in GiB? Multiply by 1024"
    elif value > _MOST_MIB:
        yield key, f"{value:g} MiB, expected at most {_MOST_MIB}; is it in KiB or bytes? Give MiB"


RULE = MachineRule("described", "The sizes of a machine are possible, in the right units.", _check)
