"""One setting of a measurement: what it gives over all that was counted with it."""

from collections.abc import Collection, Iterable, Sequence
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
    rates, by_prompt = block_rates(runs, without), prompt_rates(runs)
    intervals = metrics.speedup_intervals(rates, BASELINE) if rates else {}
    settings = by_label(runs)
    plain, reference = _samples(settings.get(BASELINE, ())), by_prompt.get(BASELINE, {})
    found = {}
    for name, own in settings.items():
        pairs = by_prompt.get(name, {}).items()
        ratios = [rate / reference[prompt] for prompt, rate in pairs if prompt in reference]
        found[name] = _point(own, plain, intervals.get(name), ratios, explored=explored)
    return found


def _point(
    own: Sequence[Run],
    plain: Sequence[Sample],
    speedup: metrics.Interval | None,
    ratios: Sequence[float],
    *,
    explored: bool,
) -> Point:
    """The point of one setting, beside the samples of the baseline and the ratios by prompt."""
    settings, samples = own[0].settings, _samples(own)
    counted = [one for run in own for one in answers(run)]
    return Point(
        settings=settings,
        samples=samples,
        texts=sum(len(asked(run)) for run in own),
        tokens_per_second=rate_of(own),
        speedup=speedup,
        acceptance_rate=metrics.acceptance_rate(counted),
        acceptance_by_position=metrics.acceptance_by_position(counted),
        mean_acceptance_length=metrics.mean_acceptance_length(counted),
        step_cost=_step_cost(samples, speedup),
        same_text=(
            same_as_itself(samples) if settings.label == BASELINE else same_text(samples, plain)
        ),
        incident=next((run.incident for run in own if run.incident), None),
        explored=explored,
        speedup_of_such_prompts=speedup and metrics.interval_of_such_prompts(speedup, ratios),
    )


def _samples(runs: Iterable[Run]) -> tuple[Sample, ...]:
    return tuple(sample for run in runs for sample in run.samples)


def _step_cost(samples: Sequence[Sample], speedup: metrics.Interval | None) -> float | None:
    per_pass = metrics.tokens_per_pass(samples) or metrics.mean_acceptance_length(samples)
    return metrics.step_cost(per_pass, speedup.value) if per_pass and speedup else None
