"""Takes whole requests of a long log by the thousand, between its lines."""

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from speculoos.read.batch import Batch, Known, block_of, mismatches
from speculoos.read.lines import clean
from speculoos.read.plain import Rows
from speculoos.read.server import Server
from speculoos.read.server_log import ServerLog, ending

if TYPE_CHECKING:
    from speculoos.read.blocks import Block


class WholeLog(ServerLog):
    """A server's log of which whole requests may come at once."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[Server, Block]] = []
        """Bare requests that end with the next whole one, if no line of theirs comes before."""

    def batch(self, rows: Rows) -> None:
        """Take whole requests in the log's order, of which no other line says anything."""
        at, begun = 0, set[str]()
        while (alone := self._needs_care(rows, at, begun)) is not None:
            self._many(rows.take(slice(at, alone)))
            self._one(rows.take(slice(alone, alone + 1)))
            at = alone + 1
        self._many(rows.take(slice(at, None)))

    def _needs_care(self, rows: Rows, first: int, begun: set[str]) -> int | None:
        """The next request that may prove n_max, or whose bare lines depend on those around.

        Such are the first and the last of a server's bare ones, at least.
        """
        found = []
        for number, kind in enumerate(rows.kinds):
            server, at = self.server(kind.origin), np.flatnonzero(rows.kind[first:] == number)
            if kind.bare and len(at):
                near = server.mixed or server.loose or kind.origin not in begun
                found.append(int(at[0 if near else -1]) + first)
                begun.add(kind.origin)
            elif server.proving:
                found += (at[rows.drafted[first:][at]] + first)[:1].tolist()
        return min(found, default=None)

    def _one(self, row: Rows) -> None:
        self._end_waiting()
        kind = row.kinds[int(row.kind[0])]
        server = self.server(kind.origin)
        if kind.bare:
            self._bare(server, row)
            return
        block = block_of(row, 0)
        slot = block.key[0] if block.key else None
        self._end_before(server, [slot])
        server.may_draft = server.may_draft or block.draft is not None
        server.open[slot] = block
        self._close(server, slot, "ended")

    def _bare(self, server: Server, row: Rows) -> None:
        """Take the lines under one header; others may still add to them."""
        text, block = row.data[int(row.start[0]) : int(row.end[0])], block_of(row, 0)
        sure = not (server.mixed or server.loose)
        self._header(server, block.key, 0)
        opened = server.current
        if sure and block.draft and opened and opened.empty and not server.mixed:
            opened.prompt, opened.generation = block.prompt, block.generation
            opened.draft, opened.total, server.may_draft = block.draft, True, True
            server.span = "petd" if text.count(b"print_timing") == 1 else "d"
        else:
            for line in chain.from_iterable(map(clean, text.split(b"\n"))):
                self.feed(line, 0)
        if server.current:
            self.waiting.append((server, server.current))

    def _end_waiting(self) -> None:
        """Whole requests come: those before them have no line more."""
        for server, block in self.waiting:
            if block.key and server.open.get(block.key[0]) is block:
                self._close(server, block.key[0], "ended")
        self.waiting = []

    def _end_before(self, server: Server, slots: Iterable[int | None]) -> None:
        """Whole requests of these slots come: none that is open here goes on."""
        for slot in slots:
            self._close(server, slot, "ended")
        self._close(server, None, ending(server.open.get(None)))
        server.current = None

    def _many(self, rows: Rows) -> None:
        if not len(rows):
            return
        self._end_waiting()
        known = []
        for number, kind in enumerate(rows.kinds):
            server, mine = self.server(kind.origin), rows.kind == number
            if mine.any():
                self._count(server, rows.take(mine))
            n_max, without = (server.n_max(drafted=drafted) for drafted in (True, False))
            known.append(Known(n_max, without, server.build))
        self.requests += len(rows)
        self.done.append(Batch(rows, tuple(known)))
        for at in mismatches(rows):
            self._doubts(block_of(rows, at))

    def _count(self, server: Server, rows: Rows) -> None:
        """Take requests of one server."""
        self._end_before(server, np.flatnonzero(np.bincount(rows["slot"].astype(int))).tolist())
        drafted = int(np.count_nonzero(rows.drafted))
        server.may_draft = server.may_draft or drafted > 0
        server.drafted += drafted
        server.undrafted += len(rows) - drafted
