"""What is wrong with a file, and where: a value, never an exception that hides the next one."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from speculoos.record.warn import Warn


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong: place, key, and what was expected.

    >>> print(Problem("a/b.yaml", 41, "runs[2].samples[0].draft_n", "text, expected a number"))
    a/b.yaml:41: runs[2].samples[0].draft_n: text, expected a number
    """

    path: str
    line: int
    key: str
    message: str
    severity: Literal["error", "warning"] = field(default="error", compare=False)
    rule: str = field(default="", compare=False)
    warn: Warn | None = field(default=None, compare=False)
    """What a page says of it, where readers must know it too."""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return printable(": ".join(part for part in (place, self.key, self.message) if part))


class ToldError(Exception):
    """What stops a command, as one sentence for the person who gave it."""

    exit_code = 1


class BadFileError(Exception):
    """A file that cannot be read as what it should be; holds every problem found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems)
        super().__init__("\n".join(map(str, self.problems)))


_LONGEST = 600


def printable(text: str) -> str:
    """`text` on one line of a terminal: what would move the cursor or hide is written out."""
    kept = "".join(c if c.isprintable() else _escaped(c) for c in text[:_LONGEST])
    return kept if len(text) <= _LONGEST else f"{kept}…"


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def shown(path: Path, root: Path | None = None) -> str:
    """`path` as a person reads it: relative to `root` where it lies below it."""
    if root is not None and path.is_relative_to(root):
        path = path.relative_to(root)
    return path.as_posix()
