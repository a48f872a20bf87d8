"""The header of a GGUF file: its keys and the list of its tensors, never their values.

The layout is that of llama.cpp's `docs/gguf.md`, versions 2 and 3, little-endian.
"""

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

from speculoos.record.footprint.ggml import TYPES, GgmlType
from speculoos.record.problem import BadFileError, Problem

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_ALIGNMENT = 32
_MOST_KEPT = 4096
"""Items of an array that are kept: one for every block; a vocabulary is only counted."""
_MOST_DIMENSIONS = 4
_MOST_ENTRIES = 2**16
"""Keys, and tensors: the largest model that is known has a few thousand."""
_MOST_STRINGS = 2**22
"""In all arrays of a file: vocabularies and their merges have less than a million."""
_MOST_BYTES = 2**28
"""Of a header without its arrays of numbers; the largest known have less than 32 MiB."""
_BIG_ENDIAN = 0xFFFF
"""A version has only its lower half; read in the wrong order, only its upper one."""
_LARGEST = 2**63
_SCALARS = {
    0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d",
}  # fmt: skip
_STRING, _ARRAY = 8, 9
_AGAIN = "get it again and compare its SHA-256"
_PART = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$")


@dataclass(frozen=True)
class TensorInfo:
    """One tensor as the header lists it; the first dimension is the length of a row."""

    name: str
    shape: tuple[int, ...]
    type: GgmlType
    offset: int
    """From the start of the tensors' values in its own file."""

    @property
    def size_bytes(self) -> int:
        """Bytes of its values."""
        return self.type.bytes_of(self.shape[0]) * prod(self.shape[1:])


@dataclass(frozen=True)
class Header:
    """Keys and tensors of one model, from all its files."""

    keys: Mapping[str, Any]
    """An array of more than 4096 items is a `range` as long as it."""
    tensors: tuple[TensorInfo, ...]
    size_bytes: int
    """Of all its files."""

    @property
    def architecture(self) -> str:
        """As llama.cpp names it."""
        return str(self.keys.get("general.architecture", "unknown"))

    def key(self, name: str, default: Any = None) -> Any:
        """The value of an architecture's key without its prefix."""
        return self.keys.get(f"{self.architecture}.{name}", default)


class _BadError(Exception):
    """What is wrong with a file, in half a sentence."""


def read_header(path: Path) -> Header:
    """Keys and tensors of `path`, and of the other parts of a split file.

    Raises BadFileError, one line per file, for what is no GGUF file or is cut.
    """
    problems, headers = [], []
    parts = _parts(path)
    if missing := [part for part in parts if not part.exists()]:
        text = (
            f"missing, with {len(missing) - 1} more of {len(parts)} parts; put all into one folder"
        )
        raise BadFileError([Problem(str(missing[0]), 0, "", text)])
    for part in parts:
        try:
            headers.append(_read(part))
        except _BadError as error:
            problems.append(Problem(str(part), 0, "", str(error)))
        except OSError as error:
            problems.append(Problem(str(part), 0, "", str(error.strerror)))
    if problems:
        raise BadFileError(problems)
    said = headers[0].keys.get("split.count", 0)
    if said not in (0, len(parts)):
        text = (
            f"{said!r:.20}, and its name tells of {len(parts)} part(s); give the parts their names"
        )
        raise BadFileError([Problem(str(path), 0, "split.count", text)])
    return Header(
        headers[0].keys,
        tuple(tensor for header in headers for tensor in header.tensors),
        sum(header.size_bytes for header in headers),
    )


def _parts(path: Path) -> Sequence[Path]:
    match = _PART.search(path.name)
    if match is None:
        return [path]
    start = path.name[: match.start()]
    count = int(match[2]) or 1
    return [path.with_name(f"{start}-{n:05}-of-{count:05}.gguf") for n in range(1, count + 1)]


def _read(path: Path) -> Header:
    found = path.stat()
    if not S_ISREG(found.st_mode):
        raise _BadError("not a regular file; name a GGUF file")
    size = found.st_size
    with path.open("rb") as file:
        if file.read(4) != _MAGIC:
            raise _BadError(f"not a GGUF file: it does not start with GGUF; {_AGAIN}")
        reader = _Reader(file, size)
        _check_version(reader.number("I"))
        tensor_count, key_count = (
            reader.plausible(reader.number("Q"), _MOST_ENTRIES) for _ in "tk"
        )
        keys = dict(_once(reader.key() for _ in range(key_count)))
        tensors = dict(_once(reader.tensor() for _ in range(tensor_count)))
        _check_end(tuple(tensors.values()), file.tell(), _alignment(keys), size)
    return Header(keys, tuple(tensors.values()), size)


def _check_version(version: int) -> None:
    if not version & _BIG_ENDIAN:
        raise _BadError("a big-endian GGUF file; get one for little-endian machines")
    if version not in _VERSIONS:
        raise _BadError(f"GGUF version {version}, expected 2 or 3; convert the model anew")


def _once(named: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    seen = set()
    for name, value in named:
        if name in seen:
            raise _BadError(f"damaged: {name!r} stands in it twice")
        seen.add(name)
        yield name, value


def _alignment(keys: Mapping[str, Any]) -> int:
    found = keys.get("general.alignment", _ALIGNMENT)
    if type(found) is not int or found <= 0 or found & (found - 1):
        raise _BadError(f"general.alignment is {found!r}, expected a power of two; {_AGAIN}")
    return found


def _check_end(tensors: Sequence[TensorInfo], at: int, alignment: int, size: int) -> None:
    start = -(-at // alignment) * alignment
    end = start + max((each.offset + each.size_bytes for each in tensors), default=0)
    if end > size:
        raise _BadError(f"cut: its tensors need {end} bytes and it has {size}; {_AGAIN}")


class _Reader:
    """Takes values off the start of a file, and never more than it holds or a header may."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.file, self.size = file, size
        self.bytes_left, self.strings_left = _MOST_BYTES, _MOST_STRINGS

    def plausible(self, count: int, most: int = _LARGEST) -> int:
        """`count`, unless the file is too short for so many of anything."""
        if count > self.size:
            text = "cut or damaged: its header counts more entries than the file has bytes"
            raise _BadError(f"{text}; {_AGAIN}")
        if count > most:
            text = f"damaged: its header counts {count} entries, {most} at most expected"
            raise _BadError(f"{text}; {_AGAIN}")
        return count

    def take(self, count: int) -> bytes:
        self.bytes_left -= self.plausible(count)
        if self.bytes_left < 0:
            text = f"damaged: its header is longer than {_MOST_BYTES >> 20} MiB"
            raise _BadError(f"{text}; {_AGAIN}")
        data = self.file.read(count)
        if len(data) < count:
            raise _BadError(f"cut within its header; {_AGAIN}")
        return data

    def skip(self, count: int) -> None:
        if self.file.seek(self.plausible(count), 1) > self.size:
            raise _BadError(f"cut within its header; {_AGAIN}")

    def number(self, form: str) -> Any:
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def text(self) -> str:
        return self.take(self.number("Q")).decode("utf-8", "replace")

    def key(self) -> tuple[str, Any]:
        return self.text(), self.value(self.number("I"))

    def value(self, kind: int) -> Any:
        if kind == _ARRAY:
            return self.array(self.number("I"), self.plausible(self.number("Q")))
        return self.single(kind)

    def single(self, kind: int) -> Any:
        return self.text() if kind == _STRING else self.number(self.form(kind))

    def form(self, kind: int) -> str:
        if kind == _ARRAY:
            raise _BadError("damaged: an array of arrays, which no build of llama.cpp reads")
        if kind not in _SCALARS:
            raise _BadError(f"damaged: a key of the unknown type {kind}")
        return _SCALARS[kind]

    def array(self, kind: int, count: int) -> Sequence[Any]:
        if count <= _MOST_KEPT:
            return [self.single(kind) for _ in range(count)]
        if kind == _STRING:
            self.strings_left -= self.plausible(count, self.strings_left)
            for _ in range(count):
                self.skip(self.number("Q"))
        else:
            self.skip(count * struct.calcsize("<" + self.form(kind)))
        return range(count)

    def tensor(self) -> tuple[str, TensorInfo]:
        name, dimensions = self.text(), self.number("I")
        if not 1 <= dimensions <= _MOST_DIMENSIONS:
            raise _BadError(f"damaged: tensor {name!r} has {dimensions} dimensions")
        shape = tuple(int(self.number("Q")) for _ in range(dimensions))
        number, offset = self.number("I"), self.number("Q")
        if number not in TYPES:
            raise _BadError(f"tensor {name!r} has type {number}, which no build up to b11434 knows")
        found = TensorInfo(name, shape, TYPES[number], offset)
        if prod(shape) >= _LARGEST or shape[0] % found.type.block:
            raise _BadError(f"damaged: tensor {name!r}, {found.type.name}, has the shape {shape}")
        return name, found
