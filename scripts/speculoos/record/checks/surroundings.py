from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement, Watched

_TICKS_MS = 200.0
"""The system's accounts are in ticks: sums of many processes may be off by some of them."""


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    machine = document.record.machine
    energy = False
    for at, run in enumerate(document.record.runs):
        for field, text in _wrong(run.watched) if run.watched else ():
            yield document.problem(("runs", at, "watched", field), text)
        energy = energy or bool(run.watched and run.watched.energy)
    if machine is not None and machine.energy_absent and energy:
        text = "says that energy is absent, but a run holds some; remove one of the two"
        yield document.problem(("machine", "energy_absent"), text)


def _wrong(seen: Watched) -> Iterator[tuple[str, str]]:
    if seen.others_cpu_ms > seen.cpu_ms + _TICKS_MS:
        text = (
            f"{seen.others_cpu_ms:g} ms, but all processors had {seen.cpu_ms:g}; give milliseconds"
        )
        yield "others_cpu_ms", text
    for field in ("cpu_mhz", "gpu_mhz"):
        bounds = getattr(seen, field)
        if bounds and bounds[0] > bounds[1]:
            yield field, f"{bounds[0]:g} is above {bounds[1]:g}; write the lower clock first"
    scopes = [each.scope for each in seen.energy]
    if len(set(scopes)) < len(scopes):
        yield "energy", "a scope stands there twice; give one sum for each"


RULE = Rule("surroundings", "What was watched of the machine is possible.", _check)
