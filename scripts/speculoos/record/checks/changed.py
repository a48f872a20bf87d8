from collections.abc import Iterator
from typing import Any

from speculoos.record.checks.rule import CollectionRule
from speculoos.record.problem import Problem, shown
from speculoos.record.store import Collection, Document, differences
from speculoos.record.types import Measurement

_EDITABLE = "withdrawn"
_OPEN = ("machine.yaml", "exceptions.yaml", "schema.json")


def _check(collection: Collection) -> Iterator[Problem]:
    merged = collection.merged
    if merged is None:
        return
    measurements = {document.path: document for document in collection.measurements}
    for name, before in sorted(merged.files.items()):
        path = collection.root / name
        if path.name in _OPEN:
            continue
        if not path.exists():
            yield Problem(shown(path), 0, "", f"is in {merged.name} and gone here; {_RESTORE}")
        elif path in measurements:
            yield from _edits(measurements[path], before, merged.name)
        elif path.parent.name == "prompts":
            text = f"is not what {merged.name} has; restore it and add a new set instead"
            yield Problem(shown(path), 0, "", text)


def _edits(document: Document[Measurement], before: bytes, base: str) -> Iterator[Problem]:
    for key, old in differences(document, before):
        if key[:1] != (_EDITABLE,):
            yield document.problem(key, f"{_was(old)} in {base}; {_RESTORE}")


def _was(old: Any) -> str:
    return "was not there" if old is None else f"was {str(old)[:40]}"


_RESTORE = "a merged file does not change: restore it, and withdraw it with a reason if it is wrong"
RULE = CollectionRule(
    "changed", "A merged measurement changes only by `withdrawn`, a prompt set never.", _check
)
