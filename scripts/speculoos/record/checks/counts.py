from collections.abc import Iterator

from speculoos.record.checks.every import every_sample
from speculoos.record.checks.rule import Rule
from speculoos.record.identities import broken
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

REMEDY = "take the counts from the server again, or measure anew"


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    for key, run, sample in every_sample(document.record):
        for field, text in broken(sample, run.settings):
            yield document.problem((*key, field), f"{text}; {REMEDY}")


RULE = Rule("counts", "The counts of every sample are possible.", _check)
