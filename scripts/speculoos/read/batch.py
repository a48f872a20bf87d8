"""Many plain requests of one server as one event: columns now, requests when asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np

from speculoos.read import rates
from speculoos.read.blocks import Block, Draft, Timing
from speculoos.read.digits import Floats
from speculoos.read.plain import Rows
from speculoos.read.request import Request
from speculoos.read.template import COLUMNS

WORDS = len("acceptance rate per position = (")
"""What stands in front of the rates by position, at most."""


class Known(NamedTuple):
    """What is known of a server while its requests end."""

    n_max: int | None
    """Of those that drafted."""
    n_max_without: int | None
    """Of those that did not."""
    build: str | None


@dataclass(frozen=True, slots=True)
class Batch(Sequence[Request]):
    """Requests in the log's order, with what is known of the server of each."""

    rows: Rows
    known: tuple[Known, ...]
    """For each kind of the rows."""

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Request: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Request]: ...
    def __getitem__(self, index: int | slice) -> Request | Sequence[Request]:
        """One request, with every figure that its lines give; or some of them."""
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        block, known = block_of(self.rows, index), self.known[self.rows.kind[index]]
        if block.draft:
            return block.request("drafted", known.n_max, known.build)
        return block.request("none", known.n_max_without, known.build)

    def __iter__(self) -> Iterator[Request]:
        return (self[at] for at in range(len(self)))

    @property
    def predicted_ms(self) -> Floats:
        """Milliseconds that each took to generate its tokens."""
        return self.rows["predicted_ms"] / 100


def block_of(rows: Rows, at: int) -> Block:
    """The lines of one of the rows, as the reader of lines takes them."""
    row = dict(zip(COLUMNS, rows.values[:, at].tolist(), strict=True))
    found = Block((int(row["slot"]), int(row["task"])), 0, total=True)
    found.prompt = _timing("prompt eval", "prompt", row)
    found.generation = _timing("eval", "predicted", row)
    if row["drafted"]:
        tail = rows.data[rows.tail[at] - WORDS : rows.end[at]] if rows.tail[at] >= 0 else b""
        counts = int(row["drafted"]), int(row["accepted"])
        found.draft = Draft.behind(*counts, tail.decode("utf-8", "replace"))
        if row["mean_length"]:
            found.draft = found.draft._replace(mean_length=row["mean_length"] / 100)
    return found


def _timing(what: str, name: str, row: dict[str, float]) -> Timing:
    printed = (row[f"{name}_rate"] / 100, 1.0), (row[f"{name}_per_token"] / 100, -1.0)
    return Timing(what, row[f"{name}_ms"] / 100, int(row[f"{name}_n"]), printed)


def mismatches(rows: Rows) -> list[int]:
    """The rows whose printed rate fits neither their count nor one less."""
    ms, tokens = rows["predicted_ms"] / 100, rows["predicted_n"]
    least, most = rates.tokens_between(rows["predicted_rate"] / 100, ms)
    right = (least <= tokens) & (tokens <= most)
    right |= (least <= tokens - 1) & (tokens - 1 <= most)
    return np.flatnonzero(~right & (tokens > 0) & (ms > 0)).tolist()
