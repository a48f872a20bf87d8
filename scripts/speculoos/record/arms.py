"""What must be the same in a speculating run and in the baseline, prompt by prompt."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from speculoos.record.types import NO_SPECULATION, Run

Compared = Literal["finish", "prompt_n"]


@dataclass(frozen=True)
class Difference:
    """A sample whose `field` is none of the values that the baseline has for the same prompt."""

    run: int
    sample: int
    field: Compared
    value: str | int
    baseline: tuple[str | int, ...]


def differences(runs: Sequence[Run], field: Compared) -> Iterator[Difference]:
    """Samples that end in another way than the baseline, or whose prompt has another length.

    A text that stops by itself in one arm and at the limit in the other is another workload;
    a prompt of another length is another prompt, or was cached.
    """
    known: defaultdict[str, set[str | int]] = defaultdict(set)
    for run in runs:
        if run.settings.spec_type == NO_SPECULATION:
            for sample in run.samples:
                known[sample.prompt].add(getattr(sample, field))
    for at, run in enumerate(runs):
        for index, sample in enumerate(run.samples):
            value, wanted = getattr(sample, field), known[sample.prompt]
            if wanted and value not in wanted:
                yield Difference(at, index, field, value, tuple(sorted(wanted, key=str)))
