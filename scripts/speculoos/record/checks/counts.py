from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.identities import broken
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

_REMEDY = "take the counts from the server again, or measure anew"


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    for at, run in enumerate(document.record.runs):
        for index, sample in enumerate(run.samples):
            for field, text in broken(sample, run.settings):
                yield document.problem(("runs", at, "samples", index, field), f"{text}; {_REMEDY}")


RULE = Rule("counts", "The counts of every sample are possible.", _check)
