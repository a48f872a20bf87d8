"""Runs to one rate per setting and block: what may be compared, and what may not."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from speculoos.record import batches, identities, metrics
from speculoos.record.arms import Compared, differences
from speculoos.record.types import Batch, Run, Sample

BASELINE = "baseline"

Rates = dict[str, dict[int, float]]
"""Tokens per second by setting, then by block."""


def by_label(runs: Iterable[Run]) -> dict[str, list[Run]]:
    """The runs of each setting, in the order in which the settings were first started."""
    found: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        found[run.settings.label].append(run)
    return dict(found)


def answers(run: Run) -> tuple[Sample | Batch, ...]:
    """What was counted in a run: samples of one slot, or batches of several."""
    return (*run.samples, *run.batches)


def asked(run: Run) -> list[str]:
    """The prompts that were answered in a run."""
    together = [prompt for batch in run.batches for prompt in batch.prompts]
    return [sample.prompt for sample in run.samples] + together


def block_of(run: Run) -> int | None:
    """The block that a run belongs to; None where nothing was answered."""
    return next((one.block for one in answers(run)), None)


def valid(run: Run) -> bool:
    """Whether the run ended well and everything in it keeps the identities."""
    return run.incident is None and _keeps_identities(run)


def _keeps_identities(run: Run) -> bool:
    wrong = [identities.broken(sample, run.settings) for sample in run.samples]
    wrong += [batches.broken(batch, run.settings) for batch in run.batches]
    return not any(True for each in wrong for _ in each)


def _sound(runs: Sequence[Run]) -> list[bool]:
    """For each run whether it keeps the identities and did the baseline's very work.

    That is the same prompts, and texts that end in the same kind of way.
    """
    fields: tuple[Compared, ...] = ("prompt_n", "finish")
    other = {each.run for field in fields for each in differences(runs, field)}
    return [at not in other and _keeps_identities(run) for at, run in enumerate(runs)]


def comparable(runs: Sequence[Run]) -> list[bool]:
    """For each run whether it is sound and ended well."""
    return [sound and run.incident is None for run, sound in zip(runs, _sound(runs), strict=True)]


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


def prompt_rates(runs: Sequence[Run]) -> dict[str, dict[str, float]]:
    """Tokens per second by setting, then by prompt, over the comparable runs."""
    found: defaultdict[tuple[str, str], list[Sample]] = defaultdict(list)
    for run, good in zip(runs, comparable(runs), strict=True):
        for sample in run.samples if good else ():
            found[run.settings.label, sample.prompt].append(sample)
    rates: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (label, prompt), samples in found.items():
        if (rate := metrics.tokens_per_second(samples)) is not None:
            rates[label][prompt] = rate
    return dict(rates)


def block_rates(runs: Sequence[Run], without: Collection[int] = ()) -> Rates:
    """One rate per setting and block, where all prompts were asked and the baseline has one too.

    A setting that was interrupted has several runs in its block; together they are whole.
    """
    found = cells(runs)
    whole = max((len(_prompts(own)) for own in found.values()), default=0)
    rates: Rates = {}
    for (label, block), own in found.items():
        rate = rate_of(own)
        if rate is not None and len(_prompts(own)) == whole and block not in without:
            rates.setdefault(label, {})[block] = rate
    return _beside_the_baseline(rates)


def complete_blocks(rates: Rates) -> int:
    """Blocks in which something stands beside the baseline."""
    others = [set(found) for label, found in rates.items() if label != BASELINE]
    return len(set().union(*others))


def cells(runs: Sequence[Run]) -> dict[tuple[str, int], list[Run]]:
    """The starts of each setting and block, where they count together: the last one ended well.

    What came before a server was killed is as good as any other sample, once the rest is there.
    """
    found: defaultdict[tuple[str, int], list[Run]] = defaultdict(list)
    spoiled = set()
    for run, sound in zip(runs, _sound(runs), strict=True):
        if (block := block_of(run)) is None:
            continue
        found[run.settings.label, block].append(run)
        if not sound:
            spoiled.add((run.settings.label, block))
    good = {cell: own for cell, own in found.items() if cell not in spoiled}
    return {cell: own for cell, own in good.items() if own[-1].incident is None}


def rate_of(runs: Sequence[Run]) -> float | None:
    """Tokens per second of one slot or of several together: a file holds one kind only."""
    together = [batch for run in runs for batch in run.batches]
    if together:
        return batches.tokens_per_second(together)
    return metrics.tokens_per_second(sample for run in runs for sample in run.samples)


def _prompts(runs: Iterable[Run]) -> list[str]:
    return [prompt for run in runs for prompt in asked(run)]


def _beside_the_baseline(rates: Mapping[str, Mapping[int, float]]) -> Rates:
    reference = rates.get(BASELINE)
    if reference is None:
        return {}
    found = {
        label: {block: rate for block, rate in own.items() if block in reference}
        for label, own in rates.items()
    }
    return {label: own for label, own in found.items() if own}
