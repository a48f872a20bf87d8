"""The folder `measurements/`: machines, prompt sets and measurements, found and read."""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from speculoos.record.problem import BadFileError, Problem, shown
from speculoos.record.store.reader import Key, Lines, Parsed, UnreadableError, parse
from speculoos.record.store.wording import dotted, explain
from speculoos.record.types import Machine, Measurement, PromptSet
from speculoos.record.types.sources import Sources

PROMPTS = "prompts"
REPORTED = "reported"
MACHINE_FILE = "machine.yaml"

Record = TypeVar("Record", bound=BaseModel)


@dataclass(frozen=True)
class Document(Generic[Record]):
    """A record, the file it stands in, and the line of every key."""

    path: Path
    record: Record
    sha256: str
    lines: Lines = field(repr=False, compare=False)

    def line(self, key: Key) -> int:
        """The line of `key`, or of the nearest part around it that the file has."""
        while key and key not in self.lines:
            key = key[:-1]
        return self.lines.get(key, 1)

    def problem(self, key: Key, message: str) -> Problem:
        """A problem at the line of `key`."""
        return Problem(shown(self.path), self.line(key), dotted(key), message)


@dataclass(frozen=True)
class Collection:
    """All that a `measurements/` folder holds; what could not be read is in `problems`."""

    root: Path
    machines: dict[str, Document[Machine]]
    prompt_sets: dict[str, Document[PromptSet]]
    measurements: tuple[Document[Measurement], ...]
    problems: tuple[Problem, ...] = ()

    def id_of(self, document: Document[Measurement]) -> str:
        """A measurement's address: its path below the root without the ending."""
        return document.path.relative_to(self.root).with_suffix("").as_posix()


def load_measurement(path: Path) -> Document[Measurement]:
    """Read one measurement; raises `BadFileError` with every problem of the file."""
    return _load(path, Measurement)


def load_machine(path: Path) -> Document[Machine]:
    """Read one `machine.yaml`; raises `BadFileError` with every problem of the file."""
    return _load(path, Machine)


def load_prompt_set(path: Path) -> Document[PromptSet]:
    """Read one prompt set; raises `BadFileError` with every problem of the file."""
    return _load(path, PromptSet)


def load_sources(path: Path) -> Document[Sources]:
    """Read the texts that the pages cite; raises `BadFileError` with every problem of the file."""
    return _load(path, Sources)


def find_root(path: Path) -> Path:
    """The `measurements/` folder around a path, else the folder of its machine's folder."""
    for parent in (path, *path.parents):
        if parent.name == "measurements":
            return parent
    return path.parent.parent if path.suffix else path


def load_collection(root: Path) -> Collection:
    """Read everything below `root`; a file that fails becomes problems, the others stand."""
    problems: list[Problem] = []
    sets = _load_all(root.glob(f"{PROMPTS}/*.yaml"), load_prompt_set, problems)
    machines = _load_all(root.glob(f"*/{MACHINE_FILE}"), load_machine, problems)
    files = (
        p for p in root.glob("*/*.yaml") if p.name != MACHINE_FILE and p.parent.name != PROMPTS
    )
    return Collection(
        root=root,
        prompt_sets={document.path.stem: document for document in sets},
        machines={document.path.parent.name: document for document in machines},
        measurements=tuple(_load_all(files, load_measurement, problems)),
        problems=tuple(sorted(problems)),
    )


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _load_all(
    paths: Iterable[Path],
    load: Callable[[Path], Document[Record]],
    problems: list[Problem],
) -> list[Document[Record]]:
    documents = []
    for path in sorted(paths):
        try:
            documents.append(load(path))
        except BadFileError as error:
            problems.extend(error.problems)
    return documents


def _load(path: Path, kind: type[Record]) -> Document[Record]:
    raw, parsed = _read(path)
    refused = [Problem(shown(path), line, dotted(key), text) for line, key, text in parsed.refused]
    record, invalid = _validated(path, parsed, kind)
    if record is None or refused:
        raise BadFileError([*refused, *invalid])
    return Document(path, record, hashlib.sha256(raw).hexdigest(), parsed.lines)


def _read(path: Path) -> tuple[bytes, Parsed]:
    if path.is_symlink():
        raise BadFileError([Problem(shown(path), 0, "", "a symbolic link; expected a file")])
    try:
        raw = path.read_bytes()
        return raw, parse(raw)
    except OSError as error:
        raise BadFileError([Problem(shown(path), 0, "", f"{error.strerror}")]) from error
    except UnreadableError as error:
        raise BadFileError([Problem(shown(path), error.line, "", error.message)]) from error


def _validated(
    path: Path, parsed: Parsed, kind: type[Record]
) -> tuple[Record | None, list[Problem]]:
    try:
        return kind.model_validate_json(json.dumps(parsed.data)), []
    except ValidationError as error:
        return None, [_problem(path, parsed, kind, found) for found in error.errors()]


def _problem(path: Path, parsed: Parsed, kind: type[BaseModel], found: Any) -> Problem:
    key: Key = found["loc"]
    where = key
    while where and where not in parsed.lines:
        where = where[:-1]
    line = parsed.lines.get(where, 1)
    if not key:
        return Problem(shown(path), line, "", f"not a {kind.__name__.lower()}: {explain(found)}")
    return Problem(shown(path), line, dotted(key), explain(found))
