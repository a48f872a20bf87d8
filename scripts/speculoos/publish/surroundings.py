"""The machine on the day of the measurement, as terms and what is known of each."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from speculoos.publish.results import Result
from speculoos.publish.text import Language, colon, joined, percent, span, typeset, with_unit
from speculoos.publish.words import label
from speculoos.record.surroundings import shares
from speculoos.record.types import Machine, MachineState, Scope, Watched

_SCOPES: dict[Scope, str] = {"package": "scope_package", "dram": "scope_dram", "gpu": "scope_gpu"}


class Fact(NamedTuple):
    """One row: a term, and what is known of it."""

    term: str
    text: str


def surroundings(result: Result, language: Language) -> tuple[Fact, ...]:
    """What is known of the machine before and during the runs; nothing of what is not known."""
    found: list[tuple[str, str | None]] = []
    if result.machine is not None:
        found += _machine(result.machine, language)
    if result.measurement.machine is not None:
        found += _state(result.measurement.machine, language)
    found += _during(result, language)
    return tuple(Fact(label(name, language), text) for name, text in found if text)


def _machine(machine: Machine, language: Language) -> Iterator[tuple[str, str | None]]:
    yield "cpu", machine.cpu.name
    yield "memory", _gib(machine.memory_mib, language)
    cards = [_with(g.name, _gib(g.vram_mib, language)) for g in machine.gpus]
    yield "cards", joined(cards, language) if cards else None
    yield "os", machine.os


def _state(state: MachineState, language: Language) -> Iterator[tuple[str, str | None]]:
    yield "kernel", state.kernel
    yield "driver", state.driver
    yield "power_limit", _unit(state.power_limit_w, "W", language)
    yield "display", None if state.display is None else _yes(language, sure=state.display)
    yield "governor", _with(state.governor, _unit(state.cpu_mhz_max, "MHz", language))
    yield "memory_available", _gib(state.memory_available_mib, language)
    yield "busy_before", _share(state.busy_before, language)
    idle = [_of_scope(each.scope, each.watts, "W", language) for each in state.idle]
    yield "idle", joined(idle, language) if idle else None
    if state.energy_absent is not None:
        yield "energy", label(f"energy_{state.energy_absent.replace('-', '_')}", language)


def _during(result: Result, language: Language) -> Iterator[tuple[str, str | None]]:
    seen = [run.watched for run in result.measurement.runs if run.watched]
    loads = shares(result.measurement.runs)
    yield "busy_during", _share(max(loads.values(), default=None), language)
    yield "clock_cpu", _range((w.cpu_mhz for w in seen), language)
    yield "clock_gpu", _range((w.gpu_mhz for w in seen), language)
    heat = max((w.gpu_c for w in seen if w.gpu_c is not None), default=None)
    yield "heat_gpu", _unit(heat, "°C", language)
    yield "limits_gpu", ", ".join(sorted({name for w in seen for name in w.gpu_limits})) or None
    yield "energy", _energy(seen, language)


def _energy(seen: Iterable[Watched], language: Language) -> str | None:
    total: dict[Scope, float] = {}
    for each in (energy for w in seen for energy in w.energy):
        total[each.scope] = total.get(each.scope, 0.0) + each.joules
    shown = [_of_scope(scope, joules, "J", language) for scope, joules in total.items()]
    return joined(shown, language) if shown else None


def _of_scope(scope: Scope, value: float, unit: str, language: Language) -> str:
    return f"{label(_SCOPES[scope], language)}{colon(language)}{with_unit(value, unit, language)}"


def _range(bounds: Iterable[tuple[float, float] | None], language: Language) -> str | None:
    known = [each for each in bounds if each]
    if not known:
        return None
    low, high = min(each[0] for each in known), max(each[1] for each in known)
    return span((with_unit(end, "MHz", language, 0) for end in (low, high)), language)


def _gib(mib: float | None, language: Language) -> str | None:
    unit = "Gio" if language == "fr" else "GiB"
    return None if mib is None else with_unit(mib / 1024, unit, language)


def _unit(value: float | None, unit: str, language: Language) -> str | None:
    return None if value is None else with_unit(value, unit, language, 0)


def _share(value: float | None, language: Language) -> str | None:
    return None if value is None else percent(value, language)


def _with(text: str | None, aside: str | None) -> str:
    known = [part for part in (text, aside) if part]
    return ", ".join(known)


def _yes(language: Language, *, sure: bool) -> str:
    return typeset(label("yes" if sure else "no", language), language)
