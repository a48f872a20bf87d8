from collections.abc import Iterator

from speculoos.record.checks.rule import CollectionRule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection


def _check(collection: Collection) -> Iterator[Problem]:
    yield from collection.problems


RULE = CollectionRule(
    "form", "A file is plain YAML with the fields of its type, and nothing else.", _check
)
