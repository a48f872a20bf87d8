"""The build and the model of a measurement, read off the files themselves."""

import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGUFEndian, GGUFReader, GGUFValueType, LlamaFileType

from speculoos.measure.server import version_of
from speculoos.record.problem import ToldError
from speculoos.record.store import sha256_of
from speculoos.record.types import Build, Model

_COMMIT = re.compile(r"commit ([0-9a-f]{7,40})|\(([0-9a-f]{7,40})\)")
_NUMBER = re.compile(r"build (\d+)|version: (\d+) \(")
_LEAST_NUMBER = 100
"""Builds made by hand call themselves build 0 or 1, which is no number of llama.cpp."""


class NotUsableError(ToldError):
    """A binary or model that cannot be used; the sentence says why and what to do."""


def read_build(binary: Path, source: str | None = None) -> Build:
    """Version, commit and hash of a llama-server; raises `NotUsableError`."""
    try:
        lines = version_of(binary)
    except OSError as error:
        raise NotUsableError(f"{binary}: cannot be started: {error.strerror}") from error
    said = next((line for line in lines if line.startswith("version:")), None)
    if said is None:
        raise NotUsableError(
            f"{binary}: --version does not answer as llama-server does; give its path with --server"
        )
    return Build(
        version=said.removeprefix("version:").strip(),
        number=_number(_NUMBER.search(said)),
        commit=_first(_COMMIT.search(said)),
        sha256=sha256_of(binary),
        source=source,
    )


def read_model(path: Path, source: str | None = None) -> Model:
    """A GGUF file's header and hash; raises `NotUsableError`."""
    try:
        reader = _Header(path)
    except OSError as error:
        raise NotUsableError(f"{path}: {error.strerror}") from error
    except (ValueError, IndexError, KeyError, struct.error) as error:
        raise NotUsableError(
            f"{path}: not a whole GGUF file ({error}); get it again and compare its SHA-256"
        ) from error
    architecture = str(_field(reader, "general.architecture") or "unknown")
    return Model(
        file=path.name,
        sha256=sha256_of(path),
        size_bytes=path.stat().st_size,
        architecture=architecture,
        quantization=_quantization(_field(reader, "general.file_type")),
        nextn_layers=int(_field(reader, f"{architecture}.nextn_predict_layers") or 0),
        source=source,
    )


class _Header(GGUFReader):
    """Keys and tensors without what arrays hold: a vocabulary takes the library seconds."""

    def _get_field_parts(self, orig_offs: int, raw_type: int) -> Any:
        if raw_type != GGUFValueType.ARRAY:
            return super()._get_field_parts(orig_offs, raw_type)
        kind, count = self._get(orig_offs, np.uint32), self._get(orig_offs + 4, np.uint64)
        start = orig_offs + 12
        end = self._behind(GGUFValueType(kind[0]), int(count[0]), start)
        return end - orig_offs, [kind, count], [], [GGUFValueType.ARRAY, GGUFValueType(kind[0])]

    def _behind(self, kind: GGUFValueType, count: int, at: int) -> int:
        scalar = self.gguf_scalar_to_np.get(kind)
        if scalar is not None:
            return at + count * np.dtype(scalar).itemsize
        if kind != GGUFValueType.STRING:
            raise ValueError(f"an array of {kind.name}")
        length = struct.Struct("<Q" if self.endianess == GGUFEndian.LITTLE else ">Q")
        for _ in range(count):
            at += length.size + length.unpack_from(self.data.data, at)[0]
        return at


def _field(reader: Any, name: str) -> Any:
    field = reader.get_field(name)
    return field.contents() if field is not None else None


def _quantization(file_type: int | None) -> str:
    if file_type is None:
        return "unknown"
    try:
        return LlamaFileType(file_type).name.removeprefix("MOSTLY_").removeprefix("ALL_")
    except ValueError:
        return f"file type {file_type}"


def _first(match: re.Match[str] | None) -> str | None:
    return next((group for group in match.groups() if group), None) if match else None


def _number(match: re.Match[str] | None) -> int | None:
    found = _first(match)
    return int(found) if found and int(found) >= _LEAST_NUMBER else None


def find_server(named: Path | None, candidates: Sequence[str | Path | None]) -> Path:
    """The server a person means: what they name, then the first candidate that exists."""
    if named is not None:
        if not named.is_file():
            raise NotUsableError(f"{named}: no such file; give the path of llama-server")
        return named.resolve()
    for candidate in candidates:
        if candidate and Path(candidate).is_file():
            return Path(candidate).resolve()
    raise NotUsableError(
        "no llama-server found; give its path with --server or in LLAMA_SERVER, or put it on PATH"
    )
