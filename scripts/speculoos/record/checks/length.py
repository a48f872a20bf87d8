from collections.abc import Iterator

from speculoos.record.checks.every import every_sample
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Batch, Measurement, Sample


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    for key, run, sample in every_sample(document.record):
        yield from _too_long(document, (*key, "draft_n_accepted"), sample, run.settings.n_max)
    for at, run in enumerate(document.record.runs):
        for index, batch in enumerate(run.batches):
            key = ("runs", at, "batches", index, "draft_n_accepted")
            yield from _too_long(document, key, batch, run.settings.n_max)


def _too_long(
    document: Document[Measurement],
    key: tuple[str | int, ...],
    counts: Sample | Batch,
    n_max: int | None,
) -> Iterator[Problem]:
    accepted, steps = counts.draft_n_accepted or 0, counts.verify_steps
    if n_max is None or steps is None or accepted <= steps * n_max:
        return
    length = f"{1 + accepted / steps:.2f} tokens a step" if steps else "accepted without a step"
    text = f"{accepted} in {steps} steps, {length}, but n_max {n_max} allows {n_max + 1}"
    yield document.problem(key, f"{text}; take the counts from the server again")


RULE = Rule("length", "A step accepts n_max tokens at most: its length is n_max + 1.", _check)
