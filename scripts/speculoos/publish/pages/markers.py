r"""Where a page asks for something: `[[ … ]]` outside code, with its line.

A literal `[[` is written `\[[` or stands in code; code and comments are left as they are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CODE = re.compile(
    r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`)"
    r"|<!--.*?-->",
    re.DOTALL | re.MULTILINE,
)
_MARKER = re.compile(r"(?<!\\)\[\[(?P<expression>.*?)\]\]", re.DOTALL)
_STRAY = re.compile(r"(?<!\\)\[\[")


@dataclass(frozen=True)
class Marker:
    """One `[[ expression ]]`: where it starts and ends in the text, and on which line."""

    start: int
    end: int
    line: int
    expression: str


def find_markers(text: str, first_line: int = 1) -> Iterator[Marker]:
    """Every marker in the order of the text; `first_line` is the line of its first character."""
    masked = _CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in _MARKER.finditer(masked):
        line = first_line + text.count("\n", 0, found.start())
        yield Marker(found.start(), found.end(), line, found["expression"].strip())


def find_stray(text: str, first_line: int = 1) -> Iterator[int]:
    """Lines of a `[[` that is never closed."""
    masked = _CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    rest = _MARKER.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), masked)
    for found in _STRAY.finditer(rest):
        yield first_line + rest.count("\n", 0, found.start())
