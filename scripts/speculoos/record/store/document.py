"""One file read as one record, every key with its line."""

import hashlib
import json
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from speculoos.record.problem import BadFileError, Problem, shown
from speculoos.record.store.reader import MAX_BYTES, Key, Lines, Parsed, UnreadableError, parse
from speculoos.record.store.wording import dotted, explain
from speculoos.record.types import Machine, Measurement, PromptSet
from speculoos.record.warn import Warn

Record = TypeVar("Record", bound=BaseModel)
Wrong = tuple[int, Key, str]
"""A line, a key, and what is wrong there."""

_MOST = 50
"""Problems of one file that are told one by one: what is no measurement breaks in every line."""


@dataclass(frozen=True)
class Document(Generic[Record]):
    """A record, the file it stands in, and the line of every key."""

    path: Path
    record: Record
    sha256: str
    lines: Lines = field(repr=False, compare=False)
    data: Any = field(default=None, repr=False, compare=False)
    """What the file says, before it became a record."""

    def line(self, key: Key) -> int:
        """The line of `key`, or of the nearest part around it that the file has."""
        return _line(self.lines, key)

    def problem(self, key: Key, message: str) -> Problem:
        """A problem at the line of `key`."""
        return Problem(shown(self.path), self.line(key), dotted(key), message)

    def caution(self, key: Key, message: str, warn: Warn | None = None) -> Problem:
        """A warning at the line of `key`; `warn` is what the page of results says of it."""
        place = shown(self.path), self.line(key), dotted(key)
        return Problem(*place, message, severity="warning", warn=warn)


def load_measurement(path: Path) -> Document[Measurement]:
    """Read one measurement; raises `BadFileError` with every problem of the file."""
    return load(path, Measurement)


def load_machine(path: Path) -> Document[Machine]:
    """Read one `machine.yaml`; raises `BadFileError` with every problem of the file."""
    return load(path, Machine)


def load_prompt_set(path: Path) -> Document[PromptSet]:
    """Read one prompt set; raises `BadFileError` with every problem of the file."""
    return load(path, PromptSet)


def load(path: Path, kind: type[Record]) -> Document[Record]:
    """Read one file as a record of `kind`; raises `BadFileError` with every problem of the file."""
    raw, parsed = _read(path)
    record, invalid = _validated(parsed, kind)
    if record is None or parsed.refused:
        raise BadFileError(_told(path, {*parsed.refused, *invalid}))
    return Document(path, record, hashlib.sha256(raw).hexdigest(), parsed.lines, parsed.data)


def _line(lines: Lines, key: Key) -> int:
    while key and key not in lines:
        key = key[:-1]
    return lines.get(key, 1)


def _told(path: Path, found: set[Wrong]) -> list[Problem]:
    ordered = sorted(found, key=lambda wrong: (wrong[0], str(wrong[1])))
    told = [Problem(shown(path), line, dotted(key), text) for line, key, text in ordered[:_MOST]]
    rest = len(ordered) - _MOST
    if rest > 0:
        line = ordered[_MOST][0]
        text = f"{rest} or more problems follow; correct those above and check again"
        told.append(Problem(shown(path), line, "", text))
    return told


def _read(path: Path) -> tuple[bytes, Parsed]:
    try:
        raw = _bytes(path)
        return raw, parse(raw)
    except OSError as error:
        text = f"cannot be read ({error.strerror}); correct its rights or its name"
        raise BadFileError([Problem(shown(path), 0, "", text)]) from error
    except UnreadableError as error:
        raise BadFileError([Problem(shown(path), error.line, "", error.message)]) from error


def _bytes(path: Path) -> bytes:
    """The content; nothing is opened that could wait, never end, or lie elsewhere."""
    if path.is_symlink() or path.parent.is_symlink():
        raise UnreadableError(0, "a symbolic link, expected a file; put the file itself here")
    if not path.is_file():
        raise UnreadableError(0, "not a regular file, expected YAML; remove it")
    size = path.stat().st_size
    if size > MAX_BYTES:
        text = f"{size} bytes, expected at most {MAX_BYTES}; is this a measurement? Split it"
        raise UnreadableError(0, text)
    return path.read_bytes()


def _validated(parsed: Parsed, kind: type[Record]) -> tuple[Record | None, list[Wrong]]:
    try:
        return kind.model_validate_json(json.dumps(parsed.data)), []
    except ValidationError as error:
        errors = error.errors(include_url=False)
        return None, [_wrong(parsed, kind, found) for found in islice(errors, _MOST + 1)]


def _wrong(parsed: Parsed, kind: type[BaseModel], found: Any) -> Wrong:
    key: Key = tuple(found["loc"])
    if not key:
        return 1, (), f"not a {kind.__name__.lower()}: {explain(found)}"
    return _line(parsed.lines, key), key, explain(found)
