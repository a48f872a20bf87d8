"""The build and the model of a measurement, read off the files themselves."""

import re
from collections.abc import Sequence
from math import inf
from pathlib import Path

from speculoos.measure.hashes import Watching, sha256_once, unwatched
from speculoos.measure.server import version_of
from speculoos.record.footprint import FILE_TYPES, read_header
from speculoos.record.problem import BadFileError, ToldError
from speculoos.record.store import sha256_of
from speculoos.record.types import Build, Model

_COMMIT = re.compile(r"commit ([0-9a-f]{7,40})|\(([0-9a-f]{7,40})\)")
_NUMBER = re.compile(r"build (\d+)|version: (\d+) \(")
_LEAST_NUMBER = 100
"""Builds made by hand call themselves build 0 or 1, which is no number of llama.cpp."""


class NotUsableError(ToldError):
    """A binary or model that cannot be used; the sentence says why and what to do."""


def read_build(binary: Path, source: str | None = None, until: float = inf) -> Build:
    """Version, commit and hash of a llama-server that answers before the moment `until`.

    Raises `NotUsableError`.
    """
    try:
        lines = version_of(binary, until)
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


def read_model(path: Path, source: str | None = None, watching: Watching = unwatched) -> Model:
    """A GGUF file's header and hash; raises `NotUsableError`."""
    if not path.is_file():
        raise NotUsableError(f"{path}: No such file; give the path of a GGUF file")
    try:
        header = read_header(path)
    except BadFileError as error:
        said = "; ".join(problem.message for problem in error.problems)
        raise NotUsableError(f"{path}: not a whole GGUF file ({said})") from error
    return Model(
        file=path.name,
        sha256=sha256_once(path, watching=watching),
        size_bytes=path.stat().st_size,
        architecture=header.architecture,
        quantization=_quantization(header.keys.get("general.file_type")),
        nextn_layers=int(header.key("nextn_predict_layers", 0)),
        source=source,
    )


def _quantization(file_type: int | None) -> str:
    if file_type is None:
        return "unknown"
    return FILE_TYPES.get(file_type, f"file type {file_type}")


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
