from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement


def _check(document: Document[Measurement], collection: Collection) -> Iterator[Problem]:
    machine = document.record.machine
    if machine is None or machine.id in collection.machines:
        return
    if any(f"/{machine.id}/machine.yaml" in problem.path for problem in collection.problems):
        return  # the file is there and its own problems are named
    text = f"no measurements/{machine.id}/machine.yaml; `speculoos measure` writes one"
    yield document.problem(("machine", "id"), text)


RULE = Rule("machine", "The machine of a measurement is described.", _check)
