from collections.abc import Iterator

from speculoos.record.batches import broken
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

_REMEDY = "take the counts from the server again, or measure anew"


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    request, runs = document.record.request, document.record.runs
    several = request is not None and request.parallel is not None
    foreign = "samples" if several else "batches"
    for at, run in enumerate(runs):
        if getattr(run, foreign):
            slots = "several slots" if several else "one slot"
            text = f"does not belong beside {slots}; never mix them, remove one kind"
            yield document.problem(("runs", at, foreign), text)
        for index, batch in enumerate(run.batches):
            for field, text in broken(batch, run.settings):
                yield document.problem(("runs", at, "batches", index, field), f"{text}; {_REMEDY}")


RULE = Rule("slots", "Figures of one slot and of several are never in the same file.", _check)
