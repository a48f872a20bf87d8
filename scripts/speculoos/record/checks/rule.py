from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Machine, Measurement

Scope = Literal["measurement", "machine", "collection"]
"""What a rule looks at, one at a time; a collection is a whole folder `measurements/`."""


@dataclass(frozen=True)
class Rule:
    """A rule over each measurement and what lies around it; a problem per fault."""

    scope: ClassVar[Scope] = "measurement"
    name: str
    description: str
    """What must be, in one sentence; `publish.rules` has it in French."""
    check: Callable[[Document[Measurement], Collection], Iterator[Problem]]

    def problems(self, collection: Collection) -> Iterator[Problem]:
        """Every problem of every measurement."""
        for document in collection.measurements:
            yield from self.check(document, collection)


@dataclass(frozen=True)
class MachineRule:
    """A rule over each `machine.yaml`."""

    scope: ClassVar[Scope] = "machine"
    name: str
    description: str
    check: Callable[[Document[Machine]], Iterator[Problem]]

    def problems(self, collection: Collection) -> Iterator[Problem]:
        """Every problem of every machine."""
        for document in collection.machines.values():
            yield from self.check(document)


@dataclass(frozen=True)
class CollectionRule:
    """A rule over all files of a folder together."""

    scope: ClassVar[Scope] = "collection"
    name: str
    description: str
    check: Callable[[Collection], Iterator[Problem]]

    def problems(self, collection: Collection) -> Iterator[Problem]:
        """Every problem of the folder."""
        return self.check(collection)


AnyRule = Rule | MachineRule | CollectionRule
