"""What must be the same in a speculating run and in the baseline, prompt by prompt."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from speculoos.record.types import NO_SPECULATION, Batch, Run, Sample

Compared = Literal["finish", "prompt_n"]
Value = str | int | tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """A sample or batch whose `field` has none of the baseline's values for the same prompts."""

    run: int
    part: Literal["samples", "batches"]
    index: int
    field: Compared
    value: Value
    baseline: tuple[Value, ...]


def differences(runs: Sequence[Run], field: Compared) -> Iterator[Difference]:
    """Samples that end in another way than the baseline, or whose prompt has another length.

    A text that stops by itself in one arm and at the limit in the other is another workload;
    a prompt of another length is another prompt, or was cached.
    """
    known: defaultdict[str | tuple[str, ...], set[Value]] = defaultdict(set)
    for run in runs:
        if run.settings.spec_type == NO_SPECULATION:
            for _, _, one in _answers(run):
                known[_asked(one)].add(getattr(one, field))
    for at, run in enumerate(runs):
        for part, index, one in _answers(run):
            value, wanted = getattr(one, field), known[_asked(one)]
            if wanted and value not in wanted:
                yield Difference(at, part, index, field, value, tuple(sorted(wanted, key=str)))


def _answers(
    run: Run,
) -> Iterator[tuple[Literal["samples", "batches"], int, Sample | Batch]]:
    for index, sample in enumerate(run.samples):
        yield "samples", index, sample
    for index, batch in enumerate(run.batches):
        yield "batches", index, batch


def _asked(one: Sample | Batch) -> str | tuple[str, ...]:
    return one.prompt if isinstance(one, Sample) else one.prompts
