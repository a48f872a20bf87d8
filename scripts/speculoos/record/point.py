"""One setting of a measurement: what it gives over all that was counted with it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from speculoos.record import metrics
from speculoos.record.blocks import (
    BASELINE,
    answers,
    asked,
    block_rates,
    by_label,
    prompt_rates,
    rate_of,
)
from speculoos.record.equality import Equal, same_as_itself, same_text
from speculoos.record.types import Incident, Run, Sample, Settings


@dataclass(frozen=True)
class Point:
    """One setting: what it gives over all its samples, or over its batches of several slots."""

    settings: Settings
    samples: tuple[Sample, ...]
    texts: int
    """Prompts that were answered, of one slot or of several."""
    tokens_per_second: float | None
    speedup: metrics.Interval | None
    acceptance_rate: float | None
    acceptance_by_position: tuple[float, ...]
    mean_acceptance_length: float | None
    step_cost: float | None
    """Absent for several slots, which share the passes of the model."""
    same_text: Equal | None
    """Samples with the baseline's very text, and samples compared; for the baseline, its repeats
    against its own first text."""
    incident: Incident | None
    explored: bool = False
    """Seen while exploring only: its speed-up has no interval and decides nothing."""
    speedup_of_such_prompts: metrics.Interval | None = None
    """The speed-up for prompts like these; `speedup` is the one of these very prompts."""

    @property
    def n_max(self) -> int | None:
        """The swept value; None for the baseline and for types without a depth."""
        return self.settings.n_max


def points_of(
    runs: Sequence[Run], without: Collection[int] = (), *, explored: bool = False
) -> dict[str, Point]:
    """A point for every setting, by its label; the intervals leave some blocks out."""
    rates = block_rates(runs, without)
    intervals = metrics.speedup_intervals(rates, BASELINE) if rates else {}
    return {
        name: _point(name, runs, intervals.get(name), explored=explored) for name in by_label(runs)
    }


def _point(
    name: str, runs: Sequence[Run], speedup: metrics.Interval | None, *, explored: bool
) -> Point:
    own = by_label(runs)[name]
    counted = [one for run in own for one in answers(run)]
    samples = tuple(sample for run in own for sample in run.samples)
    return Point(
        settings=own[0].settings,
        samples=samples,
        texts=sum(len(asked(run)) for run in own),
        tokens_per_second=rate_of(own),
        speedup=speedup,
        acceptance_rate=metrics.acceptance_rate(counted),
        acceptance_by_position=metrics.acceptance_by_position(counted),
        mean_acceptance_length=metrics.mean_acceptance_length(counted),
        step_cost=_step_cost(samples, speedup),
        same_text=_same_text(name, samples, by_label(runs)),
        incident=next((run.incident for run in own if run.incident), None),
        explored=explored,
        speedup_of_such_prompts=_of_such_prompts(speedup, runs, name),
    )


def _step_cost(samples: Sequence[Sample], speedup: metrics.Interval | None) -> float | None:
    per_pass = metrics.tokens_per_pass(samples) or metrics.mean_acceptance_length(samples)
    return metrics.step_cost(per_pass, speedup.value) if per_pass and speedup else None


def _of_such_prompts(
    speedup: metrics.Interval | None, runs: Sequence[Run], name: str
) -> metrics.Interval | None:
    rates, reference = prompt_rates(runs, name), prompt_rates(runs, BASELINE)
    ratios = [rate / reference[prompt] for prompt, rate in rates.items() if prompt in reference]
    return metrics.interval_of_such_prompts(speedup, ratios) if speedup else None


def _same_text(
    name: str, samples: Sequence[Sample], runs: Mapping[str, Sequence[Run]]
) -> Equal | None:
    if name == BASELINE:
        return same_as_itself(samples)
    return same_text(samples, [s for run in runs.get(BASELINE, ()) for s in run.samples])
