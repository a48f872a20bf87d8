"""The folder `measurements/`: machines, prompt sets and measurements, found and read."""

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from speculoos.record.problem import BadFileError, Problem, shown
from speculoos.record.store.document import (
    Document,
    Record,
    load,
    load_machine,
    load_measurement,
    load_prompt_set,
)
from speculoos.record.store.merged import Merged
from speculoos.record.types import Exceptions, Machine, Measurement, PromptSet

FOLDER = "measurements"
PROMPTS = "prompts"
MACHINE_FILE = "machine.yaml"
EXCEPTIONS_FILE = "exceptions.yaml"
_PIECE = 2**20


class Source(Protocol):
    """What can be read piece by piece."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""


@dataclass(frozen=True)
class Collection:
    """All that a `measurements/` folder holds; what could not be read is in `problems`."""

    root: Path
    machines: dict[str, Document[Machine]]
    prompt_sets: dict[str, Document[PromptSet]]
    measurements: tuple[Document[Measurement], ...]
    problems: tuple[Problem, ...] = ()
    exceptions: Document[Exceptions] | None = None
    today: dt.date | None = None
    """The day of the check, where the caller knows it."""
    merged: Merged | None = None
    """What was accepted before, where the caller can tell."""

    def id_of(self, document: Document[Measurement]) -> str:
        """A measurement's address: its path below the root without the ending."""
        return document.path.relative_to(self.root).with_suffix("").as_posix()


def find_root(path: Path) -> Path:
    """The `measurements/` folder around or in a path, else the folder of its machine's folder."""
    for parent in (path, *path.parents):
        if parent.name == FOLDER:
            return parent
    if path.is_dir():
        inside = path / FOLDER
        return inside if inside.is_dir() else path
    return path.parent.parent


def load_collection(root: Path, alone: Path | None = None) -> Collection:
    """Read everything below `root`; a file that fails becomes problems, the others stand.

    With `alone`, a file outside of any `measurements/`: it, its machine and the prompt sets.
    """
    problems: list[Problem] = []
    folders = list(_folders(root, problems)) if alone is None else [root / PROMPTS]
    files = [path for folder in folders for path in sorted(folder.glob("*.yaml"))]
    if alone is not None:
        beside = alone.with_name(MACHINE_FILE)
        files += [alone, *([beside] if beside.is_file() and beside != alone else [])]
    sets = _load_all((p for p in files if p.parent.name == PROMPTS), load_prompt_set, problems)
    machines = _load_all((p for p in files if p.name == MACHINE_FILE), load_machine, problems)
    rest = (p for p in files if p.name != MACHINE_FILE and p.parent.name != PROMPTS)
    exceptions = root / EXCEPTIONS_FILE
    listed = [exceptions] if exceptions.exists() or exceptions.is_symlink() else []
    return Collection(
        root=root,
        prompt_sets={document.path.stem: document for document in sets},
        machines={document.path.parent.name: document for document in machines},
        measurements=tuple(_load_all(rest, load_measurement, problems)),
        exceptions=next(iter(_load_all(listed, partial(load, kind=Exceptions), problems)), None),
        problems=tuple(sorted(problems)),
    )


def sha256_of(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_from(source: Source) -> str:
    """SHA-256 of what is left to read."""
    digest = hashlib.sha256()
    while part := source.read(_PIECE):
        digest.update(part)
    return digest.hexdigest()


def _folders(root: Path, problems: list[Problem]) -> Iterator[Path]:
    """The folders that may hold files; a link to one could lead anywhere and is not followed."""
    for path in sorted(root.iterdir()) if root.is_dir() else ():
        if path.is_symlink() and path.is_dir():
            text = "a symbolic link, expected a folder; put the files themselves here"
            problems.append(Problem(shown(path), 0, "", text))
        elif path.is_dir() and not path.name.startswith("."):
            yield path


def _load_all(
    paths: Iterable[Path],
    load: Callable[[Path], Document[Record]],
    problems: list[Problem],
) -> list[Document[Record]]:
    documents = []
    for path in paths:
        try:
            documents.append(load(path))
        except BadFileError as error:
            problems.extend(error.problems)
    return documents
