import re
from collections.abc import Iterator
from pathlib import Path

from speculoos.record.checks.rule import CollectionRule
from speculoos.record.problem import Problem, shown
from speculoos.record.store import FOLDER, Collection, Document
from speculoos.record.types import Measurement

_NAME = re.compile(r"\d{4}-\d{2}-\d{2}-[a-z0-9]+(?:[-.][a-z0-9]+)*\.yaml")
_REPORTED = "reported"
_KNOWN = ("exceptions.yaml",)
_LEVELS = 2


def _check(collection: Collection) -> Iterator[Problem]:
    for document in collection.measurements:
        yield from _measurement(document, collection.root)
    yield from _misnamed(collection)
    if collection.root.name == FOLDER:
        yield from _unread(collection.root)


def _measurement(document: Document[Measurement], root: Path) -> Iterator[Problem]:
    record, path = document.record, document.path
    folder = path.parent.name
    if _REPORTED in {record.kind, folder}:
        if (record.kind == _REPORTED) != (folder == _REPORTED):
            text = f"a {record.kind} record in {folder}/, where it does not belong; move it"
            yield document.problem(("kind",), text)
        return
    if path.parent.parent != root:
        yield document.problem((), "expected at measurements/<machine>/<date>-<slug>.yaml; move it")
    if not _NAME.fullmatch(path.name):
        yield document.problem(
            (), f"{path.name}, expected <date>-<slug>.yaml in lower case; rename"
        )
    elif not path.name.startswith(f"{record.date}-"):
        text = f"{record.date}, but the file is named {path.name}; make them agree"
        yield document.problem(("date",), text)
    if record.machine is not None and record.machine.id != folder:
        text = f"{record.machine.id}, but the file lies in {folder}/; make them agree"
        yield document.problem(("machine", "id"), text)


def _misnamed(collection: Collection) -> Iterator[Problem]:
    """Machines and prompt sets whose id is not their place."""
    for name, machine in collection.machines.items():
        if machine.record.id != name:
            text = f"{machine.record.id}, but the folder is {name}/; make them agree"
            yield machine.problem(("id",), text)
    for name, prompts in collection.prompt_sets.items():
        if prompts.record.id != name:
            text = f"{prompts.record.id}, but the file is {name}.yaml; make them agree"
            yield prompts.problem(("id",), text)


def _unread(root: Path) -> Iterator[Problem]:
    """Files that look like YAML where nothing reads them."""
    for path in sorted(root.rglob("*")):
        if path.suffix.lower() not in {".yaml", ".yml"} or path.name in _KNOWN:
            continue
        if path.suffix != ".yaml":
            yield Problem(shown(path), 0, "", f"ends in {path.suffix}, expected .yaml; rename it")
        elif len(path.relative_to(root).parts) != _LEVELS:
            text = "is read by nothing here; move it to measurements/<machine>/, or remove it"
            yield Problem(shown(path), 0, "", text)


RULE = CollectionRule("place", "A file lies where its date and its machine say.", _check)
