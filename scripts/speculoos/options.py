"""Option types of the command line: depths, files that exist, files that do not yet."""

import re
from pathlib import Path
from typing import Any

import click

from speculoos.measure.spec_types import SPEC_TYPES
from speculoos.record.store import FOLDER

MEASUREMENTS = Path(FOLDER)
"""Where the commands look and write, seen from the working directory."""

_DEEPEST = 512
_DURATION = re.compile(r"(\d+(?:\.\d+)?)([smh]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}
_TOKENS = re.compile(r"(\d+)([kK]?)")
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([GgMm])(?:i?[Bb])?")
_FORM = re.compile(r"(\d+)(?:-(\d+))?")


class Depths(click.ParamType[tuple[int, ...]]):
    """`1-8`, `1,3` or `2` as a tuple of values of n_max, sorted, each once."""

    name = "LIST"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The depths, or a usage error that says what is wrong."""
        if isinstance(value, tuple):
            return value
        found: set[int] = set()
        for part in str(value).split(","):
            found.update(self._range(part.strip(), param, ctx))
        return tuple(sorted(found))

    def _range(self, part: str, param: click.Parameter | None, ctx: click.Context | None) -> range:
        match = _FORM.fullmatch(part)
        if match is None:
            self.fail(f"{part!r} is no n_max; write 1-8, 1,3 or 2", param, ctx)
        low, high = int(match[1]), int(match[2] or match[1])
        if low == 0:
            self.fail(
                "n_max 0 makes llama-server abort on the first request; the baseline without "
                "speculation is measured anyway, start at 1",
                param,
                ctx,
            )
        if high < low:
            self.fail(f"{part} runs backwards; write {high}-{low}", param, ctx)
        if high > _DEEPEST:
            self.fail(f"{high} is longer than any draft that pays; {_DEEPEST} at most", param, ctx)
        return range(low, high + 1)


class Duration(click.ParamType[float]):
    """`90s`, `10m` or `1h` in seconds; a number alone is seconds."""

    name = "TIME"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Seconds, or a usage error."""
        if isinstance(value, float):
            return value
        match = _DURATION.fullmatch(str(value).strip())
        seconds = float(match[1]) * _SECONDS[match[2]] if match else 0.0
        if seconds <= 0:
            self.fail(f"{value!r} is no time; write 90s, 10m or 1h", param, ctx)
        return seconds


class ContextDepths(click.ParamType[tuple[int, ...]]):
    """`0,4k,16k` as numbers of tokens, sorted, each once; k is 1024."""

    name = "LIST"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The depths, or a usage error that says what is wrong."""
        if isinstance(value, tuple):
            return value
        found = set()
        for part in str(value).split(","):
            match = _TOKENS.fullmatch(part.strip())
            if match is None:
                self.fail(f"{part!r} is no depth of the context; write 0,4k,16k", param, ctx)
            found.add(int(match[1]) * (1024 if match[2] else 1))
        return tuple(sorted(found))


class Tokens(click.ParamType[int]):
    """`4096` or `32k` tokens; k is 1024."""

    name = "TOKENS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or a usage error."""
        if isinstance(value, int):
            return value
        match = _TOKENS.fullmatch(str(value).strip())
        found = int(match[1]) * (1024 if match[2] else 1) if match else 0
        if not found:
            self.fail(f"{value!r} is no number of tokens; write 4096 or 32k", param, ctx)
        return found


class Sizes(click.ParamType[tuple[int, ...]]):
    """`24GiB`, `512MiB` or `24GiB,12GiB` in bytes; GB is read as GiB, as cards are sold."""

    name = "SIZE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Bytes, or a usage error."""
        if isinstance(value, tuple):
            return value
        found = []
        for part in str(value).split(","):
            match = _SIZE.fullmatch(part.strip())
            if match is None:
                self.fail(f"{part!r} is no size; write 24GiB or 512MiB", param, ctx)
            found.append(int(float(match[1]) * 1024 ** (3 if match[2] in "Gg" else 2)))
        return tuple(found)


class ResultFile(click.ParamType[Path]):
    """A YAML file for results, which are added and never overwritten."""

    name = "FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, or a usage error."""
        path = Path(value)
        if path.suffix != ".yaml":
            self.fail(f"{path} does not end in .yaml", param, ctx)
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


DEPTHS = Depths()
TOKENS = Tokens()
SIZES = Sizes()
DURATION = Duration()
CONTEXT_DEPTHS = ContextDepths()
RESULT_FILE = ResultFile()
SERVER = ServerBinary(exists=True, dir_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
INPUT = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)


def depths_of(spec_type: str, given: tuple[int, ...] | None) -> tuple[int, ...]:
    """The depths to try: those given, else the usual ones of the type."""
    kind = SPEC_TYPES[spec_type]
    if kind.depth_flag is None and given:
        raise click.BadParameter(
            f"{spec_type} drafts a fixed number of tokens; leave --n-max out", param_hint="--n-max"
        )
    return given or kind.default_depths
