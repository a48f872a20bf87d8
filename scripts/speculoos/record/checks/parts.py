from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

_NEEDED = {
    "measured": ("machine", "build", "model", "request", "server", "design", "runs"),
    "observed": ("machine", "build", "model", "observed", "notes"),
    "reported": ("source", "claims", "notes"),
}
_FOREIGN = {
    "measured": ("source", "claims", "observed"),
    "observed": ("source", "claims", "runs", "design", "request"),
    "reported": ("runs", "design", "server", "observed"),
}
_READ_OFF = {
    "build": ("sha256",),
    "model": ("sha256", "size_bytes", "architecture", "quantization", "nextn_layers"),
}
"""What `measure` reads off the files; who observes a server may not have them."""


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    record = document.record
    for name in _NEEDED[record.kind]:
        if not getattr(record, name):
            text = f"missing; a record of kind {record.kind} needs it, add it"
            yield document.problem((name,), text)
    for name in _FOREIGN[record.kind]:
        if getattr(record, name):
            yield document.problem(
                (name,), f"does not belong in a record of kind {record.kind}; remove it"
            )
    if record.kind == "measured":
        yield from _not_read(document)


def _not_read(document: Document[Measurement]) -> Iterator[Problem]:
    for part, names in _READ_OFF.items():
        found = getattr(document.record, part)
        for name in names if found else ():
            if getattr(found, name) is None:
                yield document.problem((part, name), "missing; a measured record needs it, add it")


RULE = Rule(
    "parts", "A record holds the parts that its kind needs, and no part of another.", _check
)
