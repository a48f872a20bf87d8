"""What else changes with speculation: the prompt's pass, memory, energy."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from speculoos.record import metrics
from speculoos.record.blocks import BASELINE, answers, by_label, comparable
from speculoos.record.types import Measurement, Memory, NoEnergy, Run, Scope


@dataclass(frozen=True)
class Cost:
    """One setting, and the same of the baseline where a difference or a ratio is asked for."""

    setting: str
    prompt_tokens_per_second: float | None
    prompt_ratio: float | None
    """Over the baseline's rate; None for the baseline."""
    buffers_mib: float | None
    """Model, context and compute buffers of the server's log."""
    buffers_more_mib: float | None
    """What that is more than the baseline's; None for the baseline."""
    resident_mib: float | None
    device_mib: float | None
    joules_per_token: float | None
    """Over all scopes, for every token generated, prompts and idle draw included."""
    scopes: tuple[Scope, ...]


def costs(measurement: Measurement) -> tuple[Cost, ...]:
    """The baseline first, then by n_max every setting that has a valid run."""
    pairs = zip(measurement.runs, comparable(measurement.runs), strict=True)
    runs = by_label(run for run, good in pairs if good and answers(run))
    labels = sorted(runs, key=lambda name: (name != BASELINE, runs[name][0].settings.n_max or 0))
    reference = _cost(BASELINE, runs[BASELINE], None) if BASELINE in runs else None
    return tuple(_cost(label, runs[label], reference) for label in labels)


def energy_absent(measurement: Measurement) -> NoEnergy | None:
    """Why no run holds energy, where the record says so."""
    return measurement.machine.energy_absent if measurement.machine else None


def _cost(label: str, runs: Sequence[Run], reference: Cost | None) -> Cost:
    rate = metrics.prompt_tokens_per_second(s for run in runs for s in run.samples)
    buffers = _most(runs, _buffers)
    other = reference if label != BASELINE else None
    return Cost(
        setting=label,
        prompt_tokens_per_second=rate,
        prompt_ratio=_ratio(rate, other.prompt_tokens_per_second if other else None),
        buffers_mib=buffers,
        buffers_more_mib=_difference(buffers, other.buffers_mib if other else None),
        resident_mib=_most(runs, lambda memory: memory.resident_mib),
        device_mib=_most(runs, lambda memory: memory.device_mib),
        joules_per_token=_joules_per_token(runs),
        scopes=tuple(sorted({scope for run in runs for scope, _ in _energy(run)})),
    )


def _buffers(memory: Memory) -> float | None:
    """The sum of the three; absent where one is, for a part of it would pass for less memory."""
    parts = (memory.model_mib, memory.context_mib, memory.compute_mib)
    known = [part for part in parts if part is not None]
    return sum(known) if len(known) == len(parts) else None


def _most(runs: Iterable[Run], read: Callable[[Memory], float | None]) -> float | None:
    found = (read(run.memory) for run in runs if run.memory)
    return max((value for value in found if value is not None), default=None)


def _energy(run: Run) -> Iterator[tuple[Scope, float]]:
    for each in run.watched.energy if run.watched else ():
        yield each.scope, each.joules


def _joules_per_token(runs: Sequence[Run]) -> float | None:
    counted = [run for run in runs if any(_energy(run))]
    tokens = sum(one.predicted_n for run in counted for one in answers(run))
    joules = sum(value for run in counted for _, value in _energy(run))
    return joules / tokens if tokens else None


def _ratio(value: float | None, reference: float | None) -> float | None:
    return None if value is None or not reference else value / reference


def _difference(value: float | None, reference: float | None) -> float | None:
    return None if value is None or reference is None else value - reference
