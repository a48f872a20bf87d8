"""Option types of the command line: numbers with units, files that exist or do not yet."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from pydantic import TypeAdapter, ValidationError

from speculoos.measure.spec_types import SPEC_TYPES
from speculoos.record.store import FOLDER, explain
from speculoos.record.types.part import Slug, Text

MEASUREMENTS = Path(FOLDER)
"""Where the commands look and write, seen from the working directory."""

_DEEPEST = 512
_LONGEST_S = 366 * 24 * 3600
"""Timers of the system know no time beyond some hundred years."""
_FORM = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_DURATION = re.compile(r"(?=.*[1-9])(\d{1,9}(?:\.\d{1,9})?)([smh]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
_TOKENS = re.compile(r"(\d{1,9})([kK]?)")
_SOME_TOKENS = re.compile(rf"(?=.*[1-9]){_TOKENS.pattern}")
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?([GgMm])(?:i?[Bb])?")

Value = TypeVar("Value")


class Read(click.ParamType[Value]):
    """A value that `read` makes of the text; its `ValueError` says what is wrong with it."""

    def __init__(self, name: str, read: Callable[[str], Value]) -> None:
        self.name, self.read = name, read

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Value:
        """The value, or a usage error."""
        try:
            return self.read(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _matched(pattern: re.Pattern[str], text: str, wanted: str) -> re.Match[str]:
    match = pattern.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text.strip()!r:.60} is no {wanted}")
    return match


def _depths(text: str) -> tuple[int, ...]:
    """`1-8`, `1,3` or `2` as values of n_max, sorted, each once."""
    return tuple(sorted({n_max for part in text.split(",") for n_max in _range(part)}))


def _range(part: str) -> range:
    match = _matched(_FORM, part, "n_max; write 1-8, 1,3 or 2")
    low, high = int(match[1]), int(match[2] or match[1])
    if low == 0:
        raise ValueError(
            "n_max 0 makes llama-server abort on the first request; the baseline without "
            "speculation is measured anyway, start at 1"
        )
    if high < low:
        raise ValueError(f"{match[0]} runs backwards; write {high}-{low}")
    if high > _DEEPEST:
        raise ValueError(f"{high} is longer than any draft that pays; {_DEEPEST} at most")
    return range(low, high + 1)


def _seconds(text: str) -> float:
    """`90s`, `10m` or `1h`; a number alone is seconds."""
    match = _matched(_DURATION, text, "time; write 90s, 10m or 1h")
    seconds = float(match[1]) * _SECONDS[match[2]]
    if seconds > _LONGEST_S:
        raise ValueError(f"{match[0]} is more than a year; write 90s, 10m or 1h")
    return seconds


def _tokens(text: str) -> int:
    """`4096` or `32k`."""
    return _times_k(_matched(_SOME_TOKENS, text, "number of tokens; write 4096 or 32k"))


def _context_depths(text: str) -> tuple[int, ...]:
    """`0,4k,16k` as numbers of tokens, sorted, each once."""
    wanted = "depth of the context; write 0,4k,16k"
    return tuple(sorted({_times_k(_matched(_TOKENS, each, wanted)) for each in text.split(",")}))


def _times_k(match: re.Match[str]) -> int:
    return int(match[1]) * (1024 if match[2] else 1)


def _sizes(text: str) -> tuple[int, ...]:
    """`24GiB`, `512MiB` or `24GiB,12GiB` in bytes; GB is read as GiB, as cards are sold."""
    found = [_matched(_SIZE, part, "size; write 24GiB or 512MiB") for part in text.split(",")]
    return tuple(int(float(each[1]) * 1024 ** (3 if each[2] in "Gg" else 2)) for each in found)


def _kept_as(form: Any) -> Callable[[str], str]:
    """A text for a record, refused in the words in which the record would refuse it."""
    adapter: TypeAdapter[str] = TypeAdapter(form)

    def read(text: str) -> str:
        try:
            return adapter.validate_python(text)
        except ValidationError as error:
            raise ValueError(explain(error.errors()[0])) from error

    return read


class ResultFile(click.ParamType[Path]):
    """A YAML file for results, which are added and never overwritten."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, or a usage error."""
        path = Path(value)
        if path.suffix != ".yaml":
            self.fail(f"{path} does not end in .yaml", param, ctx)
        MACHINE_ID.convert(folder_of(path), param, ctx)
        return path

    def new(self, path: Path) -> Path:
        """`path`, which must not exist yet; raises `UsageError`."""
        if path.exists():
            text = f"{path} exists; results are never overwritten: name another, or add --resume"
            raise click.BadParameter(text, param_hint="--out")
        return path

    def free(self, path: Path) -> Path:
        """`path`, or the first of `path-2`, `path-3` … that does not exist."""
        candidate, number = path, 1
        while candidate.exists():
            number += 1
            candidate = path.with_stem(f"{path.stem}-{number}")
        return candidate


class ServerBinary(click.Path):
    """The binary of llama-server; an address says what is for servers that run already."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or a usage error."""
        if "://" in str(value):
            self.fail(
                f"{value} is an address, and measure starts a llama-server of its own on this "
                "machine: give the path of its binary. A server that runs already is watched by "
                "speculoos observe",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


DEPTHS = Read("LIST", _depths)
TOKENS = Read("TOKENS", _tokens)
SIZES = Read("SIZE", _sizes)
DURATION = Read("TIME", _seconds)
CONTEXT_DEPTHS = Read("LIST", _context_depths)
TEXT = Read("TEXT", _kept_as(Text))
MACHINE_ID = Read("ID", _kept_as(Slug))
RESULT_FILE = ResultFile()
SERVER = ServerBinary(exists=True, dir_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
INPUT = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)


def root_of(out: Path | None) -> Path:
    """The `measurements/` folder around the file to write, else the one of the working folder."""
    around = [p for p in out.absolute().parents if p.name == MEASUREMENTS.name] if out else []
    return around[0] if around else MEASUREMENTS


def folder_of(out: Path | None) -> str | None:
    """The machine that the place of the file to write names; None where it names none."""
    if out is None or out.absolute().parent.parent != root_of(out).absolute():
        return None
    return out.absolute().parent.name


def depths_of(spec_type: str, given: tuple[int, ...] | None) -> tuple[int, ...]:
    """The depths to try: those given, else the usual ones of the type."""
    kind = SPEC_TYPES[spec_type]
    if kind.depth_flag is None and given:
        raise click.BadParameter(
            f"{spec_type} drafts a fixed number of tokens; leave --n-max out", param_hint="--n-max"
        )
    return given or kind.default_depths
