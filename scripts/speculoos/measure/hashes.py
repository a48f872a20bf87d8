"""Hashes of large files, remembered while the file stays the very same one.

A model of 40 GB takes minutes to read; nobody waits for that twice. The file of a hash is known by
its place on the disk, its size and the time of its last change, which no program can set.
"""

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from speculoos.record.store import Source, sha256_from

LARGE = 2**30
"""Bytes from which on a hash is worth remembering."""

Watching = Callable[[BinaryIO, str, int], contextlib.AbstractContextManager[Source]]
"""Stands between an open file, its name and size, and whoever reads it: to tell how far it is."""


def unwatched(file: BinaryIO, _name: str, _size: int) -> contextlib.AbstractContextManager[Source]:
    """The file as it is."""
    return contextlib.nullcontext(file)


def sha256_once(
    path: Path,
    memory: Path | None = None,
    large: int = LARGE,
    *,
    watching: Watching = unwatched,
) -> str:
    """SHA-256 of a file, read once for as long as it is not changed or replaced."""
    state = path.stat()
    if state.st_size < large:
        return _read(path, state.st_size, watching)
    memory = memory or _memory()
    identity = f"{state.st_dev} {state.st_ino} {state.st_size} {state.st_ctime_ns}"
    known = _known(memory)
    if identity not in known:
        found = _read(path, state.st_size, watching)
        if path.stat().st_ctime_ns == state.st_ctime_ns:  # else it was changed while it was read
            _remember(memory, known | {identity: found})
        return found
    return known[identity]


def _read(path: Path, size: int, watching: Watching) -> str:
    with path.open("rb") as file, watching(file, path.name, size) as source:
        return sha256_from(source)


def _memory() -> Path:
    cache = os.environ.get("SPECULOOS_CACHE") or Path.home() / ".cache" / "speculoos"
    return Path(cache, "hashes.json")


def _known(memory: Path) -> dict[str, str]:
    with contextlib.suppress(OSError, ValueError):
        known = json.loads(memory.read_text(encoding="utf-8"))
        return known if isinstance(known, dict) else {}
    return {}


def _remember(memory: Path, known: dict[str, str]) -> None:
    """Whole or not at all; where the cache cannot be written, the file is read again next time."""
    with contextlib.suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        part = memory.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(known, indent=1), encoding="utf-8")
        part.replace(memory)
