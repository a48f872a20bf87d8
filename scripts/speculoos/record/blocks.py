"""Runs to one rate per setting and block: what may be compared, and what may not."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from speculoos.record import metrics
from speculoos.record.identities import broken
from speculoos.record.types import Run, Sample

BASELINE = "baseline"

Rates = dict[str, dict[int, float]]
"""Tokens per second by setting, then by block."""


def by_label(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """The runs of each setting, in the order in which the settings were first started."""
    found: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        found[run.settings.label].append(run)
    return dict(found)


def valid(run: Run) -> bool:
    """Whether the run ended well and every sample keeps the identities."""
    return run.incident is None and _keeps_identities(run)


def _keeps_identities(run: Run) -> bool:
    return not any(True for sample in run.samples for _ in broken(sample, run.settings))


def counts_together(runs: Sequence[Run]) -> bool:
    """Whether the starts of one setting in one block count: the last one ended well.

    What came before a server was killed is as good as any other sample, once the rest is there.
    """
    return runs[-1].incident is None and all(_keeps_identities(run) for run in runs)


def explored_and_confirmed(runs: Sequence[Run]) -> tuple[list[Run], list[Run]]:
    """The runs that chose what to confirm, and those that intervals and verdict rest on.

    The latter are all of a grid and the fresh ones of a search; until one of its blocks is
    complete, what exploring showed is all there is.
    """
    explored = [run for run in runs if run.phase == "explore"]
    fresh = [run for run in runs if run.phase is None]
    if not explored or complete_blocks(block_rates(fresh)):
        return explored, fresh
    return [], explored


def prompt_rates(runs: Iterable[Run]) -> dict[str, float]:
    """Tokens per second of each prompt, over the valid runs of one setting."""
    found: defaultdict[str, list[Sample]] = defaultdict(list)
    for run in filter(valid, runs):
        for sample in run.samples:
            found[sample.prompt].append(sample)
    rates = {prompt: metrics.tokens_per_second(samples) for prompt, samples in found.items()}
    return {prompt: rate for prompt, rate in rates.items() if rate is not None}


def block_rates(runs: Sequence[Run]) -> Rates:
    """One rate per setting and block, where all prompts were asked and the baseline has one too.

    A setting that was interrupted has several runs in its block; together they are whole.
    """
    cells = _cells(runs)
    whole = max((len(samples) for samples in cells.values()), default=0)
    rates: Rates = {}
    for (label, block), samples in cells.items():
        rate = metrics.tokens_per_second(samples)
        if rate is not None and len(samples) == whole:
            rates.setdefault(label, {})[block] = rate
    return _beside_the_baseline(rates)


def complete_blocks(rates: Rates) -> int:
    """Blocks in which something stands beside the baseline."""
    others = [set(found) for label, found in rates.items() if label != BASELINE]
    return len(set().union(*others))


def _cells(runs: Sequence[Run]) -> dict[tuple[str, int], list[Sample]]:
    """The samples of each setting and block, where its starts count together."""
    starts: defaultdict[tuple[str, int], list[Run]] = defaultdict(list)
    for run in runs:
        if run.samples:
            starts[run.settings.label, run.samples[0].block].append(run)
    return {
        cell: [sample for run in own for sample in run.samples]
        for cell, own in starts.items()
        if counts_together(own)
    }


def _beside_the_baseline(rates: Mapping[str, Mapping[int, float]]) -> Rates:
    reference = rates.get(BASELINE)
    if reference is None:
        return {}
    found = {
        label: {block: rate for block, rate in own.items() if block in reference}
        for label, own in rates.items()
    }
    return {label: own for label, own in found.items() if own}
