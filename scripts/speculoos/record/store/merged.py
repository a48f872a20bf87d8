"""What was accepted before: the files of another state of the folder."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from speculoos.record.store.document import Document, Record
from speculoos.record.store.reader import Key, UnreadableError, parse


@dataclass(frozen=True)
class Merged:
    """The files below a folder that differ from an accepted state, as they were in it."""

    name: str
    """What a person calls that state: `origin/main`."""
    files: Mapping[str, bytes]
    """The old content by path below the folder; of files that changed or are gone."""


def differences(document: Document[Record], before: bytes) -> Iterator[tuple[Key, Any]]:
    """Every key that says something else than in `before`, with what it said there.

    Nothing where `before` could not be read: it was never accepted.
    """
    try:
        old = parse(before).data
    except UnreadableError:
        return
    yield from _differences(old, document.data, ())


def _differences(old: Any, new: Any, key: Key) -> Iterator[tuple[Key, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in dict.fromkeys((*new, *old)):
            yield from _differences(old.get(name), new.get(name), (*key, name))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for at, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(before, after, (*key, at))
    elif old != new:
        yield key, old
