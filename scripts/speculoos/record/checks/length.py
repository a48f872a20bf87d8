from collections.abc import Iterator

from speculoos.record.checks.every import every_batch, every_sample
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document, Key
from speculoos.record.types import Batch, Measurement, Run, Sample


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    record = document.record
    every: list[tuple[Key, Run, Sample | Batch]] = [*every_sample(record), *every_batch(record)]
    for key, run, counts in every:
        n_max, steps = run.settings.n_max, counts.verify_steps
        accepted = counts.draft_n_accepted or 0
        if n_max is None or steps is None or accepted <= steps * n_max:
            continue
        length = f"{1 + accepted / steps:.2f} tokens a step" if steps else "accepted without a step"
        text = f"{accepted} in {steps} steps, {length}, but n_max {n_max} allows {n_max + 1}"
        said = f"{text}; take the counts from the server again"
        yield document.problem((*key, "draft_n_accepted"), said)


RULE = Rule("length", "A step accepts n_max tokens at most: its length is n_max + 1.", _check)
