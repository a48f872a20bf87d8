from collections.abc import Iterator

from speculoos.record.batches import broken
from speculoos.record.checks.counts import REMEDY
from speculoos.record.checks.every import every_batch
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    request, runs = document.record.request, document.record.runs
    several = request is not None and request.parallel is not None
    foreign = "samples" if several else "batches"
    for at, run in enumerate(runs):
        if getattr(run, foreign):
            slots = "several slots" if several else "one slot"
            text = f"does not belong beside {slots}; never mix them, remove one kind"
            yield document.problem(("runs", at, foreign), text)
    for key, run, batch in every_batch(document.record):
        for field, text in broken(batch, run.settings):
            yield document.problem((*key, field), f"{text}; {REMEDY}")


RULE = Rule("slots", "Figures of one slot and of several are never in the same file.", _check)
