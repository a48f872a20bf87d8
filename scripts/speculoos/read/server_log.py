"""Which line belongs to which request: by (slot, task) within one server of the stream.

Lines that carry no slot of their own belong to the header above them. Progress lines and the
cumulative `statistics` are never results.
"""

import re

from speculoos.read.batch import Batch
from speculoos.read.blocks import (
    HEADER,
    Block,
    Draft,
    Key,
    State,
    Timing,
    key_of,
    positions_of,
    time_line,
)
from speculoos.read.lines import Line
from speculoos.read.request import Event, Hint
from speculoos.read.server import Server

CHECK = "name a --spec-type; if there is one, check n_min and p_min"
ENDED = re.compile(r"\brelease: id|\bslot released|\blaunch_slot_: id")
MOST_DOUBTS = 20
PROGRESS = re.compile(r"\btg = |prompt processing")


class ServerLog:
    """Turns lines into requests and hints; feed it the lines that matter, in order."""

    def __init__(self) -> None:
        self.servers: dict[str, Server] = {}
        self.done: list[Event | Batch] = []
        self.cut = False
        self.progress = False
        self.requests = 0
        self.doubts = 0

    def server(self, origin: str) -> Server:
        """The server that writes under this origin."""
        return self.servers.setdefault(origin, Server())

    def take(self) -> list[Event | Batch]:
        """The events since the last call."""
        done, self.done = self.done, []
        return done

    def feed(self, line: Line, line_number: int) -> None:
        """Take one line."""
        text, server = line.text, self.server(line.origin)
        self.cut = self.cut and not text.endswith(")")
        if match := time_line(text):
            self._time(server, match, line_number)
        elif "draft acceptance" in text or "acc per pos" in text:
            self._draft(server, text, line_number)
        elif HEADER.search(text):
            self._header(server, key_of(text), line_number)
        elif ENDED.search(text):
            self._end(server, key_of(text))
        elif PROGRESS.search(text):
            self.progress = True

    def restart(self, origin: str) -> None:
        """The server of this origin starts anew: nothing of the old one comes any more."""
        old = self.servers.pop(origin, Server())
        self._retire(old, "ended")
        self.servers[origin] = Server(
            build=old.build, command_n_max=old.command_n_max, may_draft=old.may_draft
        )

    def finish(self) -> None:
        """The input ends: what is still open may have been cut."""
        for server in self.servers.values():
            self._retire(server, "cut" if self.cut else "open")

    def _retire(self, server: Server, state: State) -> None:
        """No line of this server comes any more."""
        for slot in list(server.open):
            self._close(server, slot, state)
        if server.drafted or not server.undrafted:
            return
        if server.types and server.even:
            self.done.append(Hint("nothing-drafted", 0))
        elif server.unused:
            number, what = server.unused
            figures = (("what", f"{what}, no request drafted"), ("todo", CHECK))
            self.done.append(Hint("silently-off", number, figures))

    def _time(self, server: Server, match: re.Match[str], line_number: int) -> None:
        key = key_of(match.string)
        timing = Timing.of(match)
        if timing.what == "total":
            self._total(server, key)
        elif timing.n is not None:
            block = self._block(server, key, timing.what, line_number)
            if block is not None:
                block.add(timing)
                block.unsure = line_number == 1 and _may_be_a_prompts(match)

    def _total(self, server: Server, key: Key | None) -> None:
        block = server.open.get(key[0]) if key else server.current
        if block:
            block.end()
        if not key:
            server.span += "t"

    def _block(self, server: Server, key: Key | None, what: str, line_number: int) -> Block | None:
        """The block that a timing line belongs to; None where that cannot be told."""
        if key is None:
            return self._bare_block(server, what, line_number)
        block = server.open.get(key[0])
        if block is None or block.key != key or block.holds(what):
            block = self._open(server, key, line_number)
        server.current = block
        return block

    def _bare_block(self, server: Server, what: str, line_number: int) -> Block | None:
        server.span += what[0] if what != "generation eval" else "e"
        block = server.current
        if server.mixed:
            return None
        if block is None or (block.key is None and block.holds(what)) or block.total:
            block = server.current = self._open(server, None, line_number)
        elif block.holds(what):
            server.mix()
            return None
        return block

    def _header(self, server: Server, key: Key | None, line_number: int) -> None:
        if key is None:
            return
        before = server.current
        block = server.open.get(key[0])
        if block is None or block.key != key:
            block = self._open(server, key, line_number, keep_bare=True)
        if before and before is not block and before.key is not None:
            server.leave(before)
        if server.mixed:
            block.doubtful = block.doubtful or block.empty
            server.mixed = not server.span.startswith("pet")
        server.current, server.span = block, ""

    def _draft(self, server: Server, text: str, line_number: int) -> None:
        key, draft = key_of(text), Draft.of(text)
        block = server.open.get(key[0]) if key else self._bare_draft_block(server, line_number)
        if key and (block is None or block.key != key):
            block = self._open(server, key, line_number)
        server.may_draft = True
        if block is None:
            return
        block.unsure = False
        if draft is None:
            block.garbled = block.garbled or "draft acceptance" in text
            _add_positions(block, text)
        elif block.draft is None:
            block.draft = draft
        else:
            block.doubtful = True

    def _bare_draft_block(self, server: Server, line_number: int) -> Block | None:
        """The block above; lines that lost their header are adopted by the one behind them."""
        block, server.span = server.current, server.span + "d"
        orphan = server.open.get(None)
        if block and block.key and block.empty and orphan and orphan.total and not orphan.draft:
            del server.open[None]
            orphan.key = block.key
            server.open[orphan.key[0]] = server.current = block = orphan
        if server.picked_out and not (server.mixed or server.loose):
            block = server.current = self._open(server, None, line_number)
        untrusted = server.mixed or (server.loose and block and not block.total)
        if untrusted and block:
            block.doubtful = True
        return None if untrusted else block

    def _open(
        self, server: Server, key: Key | None, line_number: int, *, keep_bare: bool = False
    ) -> Block:
        """A new block; an older one of the same slot has ended."""
        slot = key[0] if key else None
        self._close(server, slot, "ended")
        if not keep_bare and slot is not None:
            self._close(server, None, ending(server.open.get(None)))
        block = server.open[slot] = Block(key, line_number)
        return block

    def _end(self, server: Server, key: Key | None) -> None:
        block = server.open.get(key[0]) if key else None
        if block and key:
            self._close(server, key[0], "ended")
        self._close(server, None, "ended")

    def _close(self, server: Server, slot: int | None, state: State) -> None:
        block = server.open.pop(slot, None)
        if block is None:
            return
        if server.current is block:
            server.current = None
        if block.unsure:
            block.generation = None
        if block.empty and not block.doubtful:
            return
        speculation = block.speculation(state, may_draft=server.may_draft)
        if state != "ended" and speculation == "unknown" and not block.doubtful:
            figures = (("what", "no line says whether its last request drafted"),)
            self.done.append(Hint("cut", block.line_number, figures))
        drafted = speculation == "drafted"
        server.drafted += drafted
        server.undrafted += speculation == "none"
        if drafted and server.proving:
            server.proven_n_max, server.tries = block.n_max(), server.tries + 1
        self.requests += 1
        n_max = server.n_max(drafted=drafted)
        self.done.append(block.request(speculation, n_max, server.build))
        self._doubts(block)

    def _doubts(self, block: Block) -> None:
        """Hints of one request, the first of a log only: a wrong clock spoils every line."""
        for hint in block.hints():
            self.doubts += 1
            self.done += [hint] if self.doubts <= MOST_DOUBTS else []


def ending(bare: Block | None) -> State:
    """How a bare request ends with a line of another form: one cut at the start lost its name."""
    return "cut" if bare and bare.line_number == 1 and not bare.total else "ended"


def _may_be_a_prompts(match: re.Match[str]) -> bool:
    """Whether an input that starts here may have lost the word in front of `eval time`."""
    return match["what"] == "eval" and match.start() < 2  # noqa: PLR2004


def _add_positions(block: Block, text: str) -> None:
    draft, positions = block.draft, positions_of(text)
    if draft and positions and not draft.positions:
        block.draft = draft._replace(positions=positions)
