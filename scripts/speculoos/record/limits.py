"""What no machine can do, drawn generously: bounds that only a slip or a wrong unit crosses."""

from speculoos.record.types import Machine

SPARSEST = 32
"""A mixture of experts reads one weight in so many for a token, at the sparsest."""
_CARD_BYTES_S = 8e12
"""High-bandwidth memory of the fastest single card (NVIDIA B200, its data sheet)."""
_CORE_BYTES_S = 1.5e11
"""What a core can take out of its caches; small models never leave them."""
_PROCESSORS_BYTES_S = 4e12
_CARD_OPERATIONS_S = 1e16
_CORE_OPERATIONS_S = 4e12
"""A core with matrix units (AMX), at the highest clock."""


def bytes_per_second(machine: Machine) -> float:
    """An upper bound of the weights that a machine reads in a second, all its parts together."""
    cores = max(machine.cpu.cores, machine.cpu.threads)
    return len(machine.gpus) * _CARD_BYTES_S + min(cores * _CORE_BYTES_S, _PROCESSORS_BYTES_S)


def operations_per_second(machine: Machine) -> float:
    """An upper bound of multiplications and additions a second, all parts together."""
    cores = max(machine.cpu.cores, machine.cpu.threads)
    return len(machine.gpus) * _CARD_OPERATIONS_S + cores * _CORE_OPERATIONS_S
