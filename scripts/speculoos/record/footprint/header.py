"""The header of a GGUF file: its keys and the list of its tensors, never their values.

The layout is that of llama.cpp's `docs/gguf.md`, versions 2 and 3, little-endian.
"""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

from speculoos.record.footprint.ggml import TYPES, GgmlType
from speculoos.record.problem import BadFileError, Problem

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_ALIGNMENT = 32
_MOST_KEPT = 4096
"""Items of an array that are kept: one for every block; a vocabulary is only counted."""
_MOST_DIMENSIONS = 4
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
    for part in _parts(path):
        try:
            headers.append(_read(part))
        except _BadError as error:
            problems.append(Problem(str(part), 0, "", str(error)))
        except OSError as error:
            problems.append(Problem(str(part), 0, "", f"{error.strerror}; a part is missing"))
    if problems:
        raise BadFileError(problems)
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
    count = int(match[2])
    return [path.with_name(f"{start}-{n:05}-of-{count:05}.gguf") for n in range(1, count + 1)]


def _read(path: Path) -> Header:
    size = path.stat().st_size
    with path.open("rb") as file:
        if file.read(4) != _MAGIC:
            raise _BadError(f"not a GGUF file: it does not start with GGUF; {_AGAIN}")
        reader = _Reader(file, size)
        version = reader.number("I")
        if version not in _VERSIONS:
            raise _BadError(f"GGUF version {version}, expected 2 or 3; convert the model anew")
        tensor_count, key_count = reader.number("Q"), reader.number("Q")
        keys = dict(reader.key() for _ in range(reader.plausible(key_count)))
        tensors = tuple(reader.tensor() for _ in range(reader.plausible(tensor_count)))
        _check_end(tensors, file.tell(), int(keys.get("general.alignment", _ALIGNMENT)), size)
    return Header(keys, tensors, size)


def _check_end(tensors: Sequence[TensorInfo], at: int, alignment: int, size: int) -> None:
    start = -(-at // alignment) * alignment
    end = start + max((each.offset + each.size_bytes for each in tensors), default=0)
    if end > size:
        raise _BadError(f"cut: its tensors need {end} bytes and it has {size}; {_AGAIN}")


class _Reader:
    """Takes values off the start of a file, and never more than it holds."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self.file, self.size = file, size

    def plausible(self, count: int) -> int:
        """`count`, unless the file is too short for so many of anything."""
        if count > self.size:
            raise _BadError(
                "cut or damaged: its header counts more entries than the file has bytes"
            )
        return count

    def take(self, count: int) -> bytes:
        data = self.file.read(self.plausible(count))
        if len(data) < count:
            raise _BadError(f"cut within its header; {_AGAIN}")
        return data

    def number(self, form: str) -> Any:
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def text(self) -> str:
        return self.take(self.number("Q")).decode("utf-8", "replace")

    def key(self) -> tuple[str, Any]:
        return self.text(), self.value(self.number("I"))

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.text()
        if kind == _ARRAY:
            return self.array(self.number("I"), self.plausible(self.number("Q")))
        return self.number(self.form(kind))

    def form(self, kind: int) -> str:
        if kind not in _SCALARS:
            raise _BadError(f"damaged: a key of the unknown type {kind}")
        return _SCALARS[kind]

    def array(self, kind: int, count: int) -> Sequence[Any]:
        if count <= _MOST_KEPT:
            return [self.value(kind) for _ in range(count)]
        if kind == _STRING:
            for _ in range(count):
                self.take(self.number("Q"))
        else:
            self.take(count * struct.calcsize("<" + self.form(kind)))
        return range(count)

    def tensor(self) -> TensorInfo:
        name, dimensions = self.text(), self.number("I")
        if not 1 <= dimensions <= _MOST_DIMENSIONS:
            raise _BadError(f"damaged: tensor {name!r} has {dimensions} dimensions")
        shape = tuple(self._dimensions(dimensions))
        number, offset = self.number("I"), self.number("Q")
        if number not in TYPES:
            raise _BadError(f"tensor {name!r} has type {number}, which no build up to b11434 knows")
        return TensorInfo(name, shape, TYPES[number], offset)

    def _dimensions(self, count: int) -> Iterator[int]:
        for _ in range(count):
            yield int(self.number("Q"))
