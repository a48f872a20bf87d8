from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

_NEEDED = {
    "measured": ("machine", "build", "model", "request", "server", "design", "runs"),
    "observed": ("machine", "build", "model"),
    "reported": ("source", "claims", "notes"),
}
_FOREIGN = {
    "measured": ("source", "claims"),
    "observed": ("source", "claims"),
    "reported": ("runs", "design", "server"),
}


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    record = document.record
    for name in _NEEDED[record.kind]:
        if not getattr(record, name):
            yield document.problem((name,), f"missing; a {record.kind} record needs it")
    for name in _FOREIGN[record.kind]:
        if getattr(record, name):
            yield document.problem((name,), f"does not belong in a {record.kind} record; remove it")


RULE = Rule(
    "parts", "A record holds the parts that its kind needs, and no part of another.", _check
)
