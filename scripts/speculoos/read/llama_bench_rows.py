"""llama-bench's rows as `-o csv`, `-o sql` and `-o jsonl` write them, as `-o json` would.

Every value is text in the first two; a row that lacks values was cut.
"""

import csv
import re
from collections.abc import Iterator
from typing import Any

from speculoos.read.json_text import only_value
from speculoos.read.request import Hint

NEEDED = frozenset({"n_prompt", "n_gen", "avg_ts"})
INSERT = re.compile(r"\s*INSERT INTO \w+ \((?P<names>[\w, ]+)\) VALUES \((?P<values>.*)")
BEGIN = re.compile(
    r"^build_commit,(?:\w+,)*avg_ts\b|^\s*INSERT INTO \w+ \(build_commit,|^\{\"build_commit\": ",
    re.MULTILINE,
)
NUMBER = re.compile(r"-?\d{1,18}(\.\d{1,18})?(?:[eE][+-]?\d\d?)?")
NAMES = frozenset({"build_commit"})
"""Columns whose values may look like numbers."""

Row = dict[str, Any]


class Rows:
    """Takes the lines of an output one after the other; of CSV the header comes first."""

    def __init__(self) -> None:
        self.header: list[str] = []

    def of(self, line: str, number: int) -> Iterator[Row | Hint]:
        """The row that a line holds, if it holds one."""
        if insert := INSERT.match(line):
            names = insert["names"].split(", ")
            yield from _row(names, _cells(insert["values"], "'"), number)
        elif line.startswith('{"build_commit"'):
            yield from _object(line, number)
        elif line.startswith("build_commit,"):
            self.header = line.split(",")
        elif self.header and line.startswith('"'):
            yield from _row(self.header, _cells(line, '"'), number)
        else:
            self.header = []


def _object(line: str, number: int) -> Iterator[Row | Hint]:
    row = only_value(line)
    if row is None:
        yield _cut(number)
    elif row.keys() >= NEEDED:
        yield row


def _cells(text: str, quote: str) -> list[str]:
    ended = text.removesuffix(");") if quote == "'" else text
    try:
        return next(csv.reader([ended], quotechar=quote, skipinitialspace=True), [])
    except csv.Error:  # a cell of more characters than the library takes
        return []


def _row(names: list[str], cells: list[str], number: int) -> Iterator[Row | Hint]:
    if len(cells) != len(names):
        yield _cut(number)
    elif set(names) >= NEEDED:
        yield {name: _value(name, cell) for name, cell in zip(names, cells, strict=True)}


def _value(name: str, cell: str) -> Any:
    match = NUMBER.fullmatch(cell)
    if match is None or name in NAMES:
        return cell
    return float(cell) if match[1] or not cell.lstrip("-").isdigit() else int(cell)


def _cut(number: int) -> Hint:
    return Hint("cut", number, (("what", "a row of llama-bench is not whole"),))
