"""What a server's log gives away beside its requests: build, models, memory, faults, commands."""

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from speculoos.read import flags, rates, signs
from speculoos.read.json_text import only_value
from speculoos.read.lines import Line
from speculoos.read.request import Event, Finding, Hint
from speculoos.read.server_log import ServerLog

if TYPE_CHECKING:
    from collections.abc import Callable

BUILD = re.compile(
    r"\bbuild(?:_info)?(?:: b?| = | )(?P<n>\d+)(?: \(|-)(?P<c>[0-9a-f]{7,}|unknown)\b"
    r"|\bbuild=(?P<n2>\d+) commit=\"?(?P<c2>[0-9a-f]+)"
    r"|^version: (?P<n3>\d+) \((?P<c3>[0-9a-f]+)\)"
    r"|^version: .*\(build (?P<n4>\d+), commit (?P<c4>\w+)\)"
)
MODEL = re.compile(r"\bloading model '(.+)'")
START = re.compile(r"\bloading model(?: '|$)")
DRAFT_MODEL = re.compile(r"\bloading draft model '(.+)'")
TYPE = re.compile(r"adding speculative implementation '([\w-]+)'")
MTP_CONTEXT = re.compile(r"creating MTP draft context")
N_MAX = re.compile(r"- (?:n_match=\d+, )?n_max=(\d{1,9}), n_min=")
STATISTICS = re.compile(
    r"statistics +(?P<type>[\w-]+): #calls\(b,g,a\) = +(?P<begun>\d{1,12}) +\d+ +\d+, "
    r"#gen drafts = +(?P<drafts>\d{1,12}), .*#gen tokens = +(?P<tokens>\d{1,12}),"
)
BUFFER = re.compile(
    r"(?<!\S)(\S+) +(model|KV|RS|compute|output) buffer size = +(\d{1,9}\.\d\d) MiB"
)
BREAKDOWN = re.compile(r"\|\s+- (.+?)\s+\|.*?\d+ = +(\d{1,9}) \+ +(\d{1,9}) \+ +(\d{1,9})\b")
REMOVED = re.compile(
    r"error while handling (?:argument|environment variable) \"([^\"]+)\": the argument has been"
    r" removed\. (use .+)"
)
INVALID = re.compile(r"error: invalid argument: (--\S+)")
UNKNOWN_TYPE = re.compile(r"unknown speculative type: (\S+)")
ROUTER = re.compile(r"starting (?:server )?in router mode|starting router server")
UNUSED_HEAD = re.compile(r"unused tensor blk\.\d+\.nextn\.\S+")

NEEDLES = (
    b"build", b"loading ", b"speculative", b"MTP", b"n_max=", b"statistics ", b"buffer size",
    b"breakdown", b"   - ", b" memory", b"Memory", b"allocate", b"error", b"version: ",
    b"llama-server", b" \\\n", b" \\\r\n", b" ^\n", b" ^\r\n", b" `\n", b" `\r\n", b"--spec",
    b"--draft", b"-md ", b"nextn", b".cpp:", b".cu:", b".c:", b"router mode", *signs.NEEDLES,
)  # fmt: skip
"""Every line below holds one of these; a line that holds none is not looked at."""


class LogFindings:
    """Takes the lines that matter; adds findings and hints to the log that is being read."""

    def __init__(self, log: ServerLog) -> None:
        self.log = log
        self.said: set[object] = set()
        self.starts = 0
        self.continued = flags.Continued()
        self.router: tuple[int, str] | None = None
        """The line of a start without a model."""
        self.steps: tuple[tuple[re.Pattern[str], Callable[..., None]], ...] = (
            (BUILD, self._build),
            (START, self._start),
            (DRAFT_MODEL, self._draft_model),
            (TYPE, self._type),
            (MTP_CONTEXT, self._set_up),
            (N_MAX, self._n_max),
            (STATISTICS, self._statistics),
            (BUFFER, self._buffer),
            (BREAKDOWN, self._breakdown),
            (signs.ASSERT, self._assert),
            (signs.ABORT, self._abort),
            (signs.MEMORY, self._memory),
            (REMOVED, self._removed),
            (INVALID, self._invalid),
            (UNKNOWN_TYPE, self._unknown_type),
            (UNUSED_HEAD, self._unused_head),
            (flags.COMMAND, self._command),
            (ROUTER, self._router),
        )

    def feed(self, line: Line, number: int) -> None:
        """Take one line."""
        if line.text.startswith('{"type":"fit_memory_breakdown"'):
            self._rows(line, number)
            return
        line = line._replace(text=self.continued.take(line.text, number))
        for pattern, step in self.steps:
            if match := pattern.search(line.text):
                step(line, number, match)
        for kind, pattern in signs.SIGNS:
            if pattern.search(line.text):
                self._sign(kind, number, _short(line.text))
                break

    def end(self) -> None:
        """The input ends: a router that never loaded a model had none."""
        if self.router and not self.starts:
            number, what = self.router
            self._sign("no-model", number, what)

    def _router(self, line: Line, number: int, _match: re.Match[str]) -> None:
        self.router = number, _short(line.text)

    def _say(self, event: Event, key: object) -> None:
        if key not in self.said and len(self.said) < 10_000:  # noqa: PLR2004  bounds the memory
            self.said.add(key)
            self.log.done.append(event)

    def _hint(self, kind: str, number: int, **figures: str | float) -> None:
        pieces = tuple(figures.items())
        self._say(Hint(kind, number, pieces), (kind, pieces))

    def _find(self, name: str, number: int, value: str | float, detail: str = "") -> None:
        self._say(Finding(name, number, value, detail), (name, value, detail))

    def _build(self, line: Line, number: int, match: re.Match[str]) -> None:
        n = match["n"] or match["n2"] or match["n3"] or match["n4"]
        commit = match["c"] or match["c2"] or match["c3"] or match["c4"]
        build = f"b{n}-{commit}"
        self.log.server(line.origin).build = build
        self._find("build", number, build)

    def _start(self, line: Line, number: int, _match: re.Match[str]) -> None:
        self.log.restart(line.origin)
        self.starts += 1
        if named := MODEL.search(line.text):
            self._find("model", number, _name(named[1]))

    def _draft_model(self, line: Line, number: int, match: re.Match[str]) -> None:
        server = self.log.server(line.origin)
        server.may_draft = True
        server.unused = server.unused or (number, f"the draft model {_name(match[1])} is loaded")
        self._find("draft_model", number, _name(match[1]))

    def _unused_head(self, line: Line, number: int, _match: re.Match[str]) -> None:
        server = self.log.server(line.origin)
        server.unused = server.unused or (number, "the MTP head of the model is left unused")

    def _type(self, line: Line, number: int, match: re.Match[str]) -> None:
        self._set_up(line)
        types = self.log.server(line.origin).types
        types.add(match[1])
        self._find("spec_type", number, match[1])
        if len(types) > 1:
            self._sign("mixed-types", number, ", ".join(sorted(types)))

    def _set_up(self, line: Line, *_: object) -> None:
        self.log.server(line.origin).may_draft = True

    def _n_max(self, line: Line, number: int, match: re.Match[str]) -> None:
        server = self.log.server(line.origin)
        server.shown_n_max.add(int(match[1]))
        self._find("n_max", number, int(match[1]))

    def _statistics(self, line: Line, _number: int, match: re.Match[str]) -> None:
        server = self.log.server(line.origin)
        server.may_draft = True
        tokens, drafts = int(match["tokens"]), int(match["drafts"])
        if tokens:
            server.types.add(match["type"])
        server.proven_n_max = server.proven_n_max or rates.n_max(
            tokens, drafts, int(match["begun"])
        )

    def _buffer(self, _line: Line, number: int, match: re.Match[str]) -> None:
        self._find("memory_mib", number, float(match[3]), f"{match[2]} {match[1]}")

    def _breakdown(self, _line: Line, number: int, match: re.Match[str]) -> None:
        for part, value in zip(("model", "context", "compute"), match.groups()[1:], strict=True):
            self._find("memory_mib", number, int(value), f"{part} {match[1]}")

    def _rows(self, line: Line, number: int) -> None:
        try:
            for row in only_value(line.text)["data"]["rows"]:
                for part in ("model", "context", "compute"):
                    self._find("memory_mib", number, int(row[part]), f"{part} {row['name']}")
        except (KeyError, TypeError, ValueError, OverflowError):
            return  # another shape of the object says nothing here

    def _sign(self, kind: str, number: int, what: str) -> None:
        """A fault, once in each start: it is said in several lines."""
        figures = (("what", what), ("todo", signs.todo(kind)))
        self._say(Hint(kind, number, figures), (kind, self.starts))

    def _assert(self, _line: Line, number: int, match: re.Match[str]) -> None:
        self._hint("crash", number, what=match[0])
        for kind in signs.assertions(match[1]):
            self._sign(kind, number, match[0])

    def _abort(self, line: Line, number: int, match: re.Match[str]) -> None:
        if not signs.MEMORY.search(line.text):
            self._hint("crash", number, what=_short(match[1] or match[2]))

    def _memory(self, line: Line, number: int, _match: re.Match[str]) -> None:
        self._sign("out-of-memory", number, _short(line.text))

    def _removed(self, _line: Line, number: int, match: re.Match[str]) -> None:
        if ("flag", match[1]) not in self.said:
            self._hint("removed-flags", number, flag=match[1], what="the argument was removed",
                       today=flags.today(match[1]))  # fmt: skip

    def _invalid(self, line: Line, number: int, match: re.Match[str]) -> None:
        if match[1] not in flags.NEVER:
            self._sign("invalid-argument", number, _short(line.text))
        elif ("flag", match[1]) not in self.said:
            self._hint("removed-flags", number, flag=match[1], what="this flag never existed",
                       today=flags.today(match[1]))  # fmt: skip

    def _unknown_type(self, line: Line, number: int, match: re.Match[str]) -> None:
        today = flags.TYPES.get(match[1])
        todo = f"; write --spec-type {today}" if today else signs.todo("unknown-spec-type")
        figures = (("what", _short(line.text)), ("todo", todo))
        self._say(Hint("unknown-spec-type", number, figures), ("unknown-spec-type", self.starts))

    def _command(self, line: Line, number: int, _match: re.Match[str]) -> None:
        pairs = flags.arguments(line.text if line.whole else line.text.rpartition(" ")[0])
        if not pairs:
            return
        server = self.log.server(line.origin)
        server.command_n_max = flags.n_max_of(pairs)
        server.may_draft = any(flag in flags.SPECULATES for flag, _ in pairs)
        self._find("command", number, _short(line.text, 2000))
        for change in flags.changes(pairs):
            self.said.add(("flag", change.flag.split()[0]))
            self._hint("removed-flags", number, flag=change.flag, what=change.why,
                       today=change.today)  # fmt: skip
        if draft := flags.drafts_in_vain(pairs):
            self._hint("silently-off", number, what=f"{draft} without --spec-type",
                       todo="add --spec-type draft-simple (or draft-mtp)")  # fmt: skip


def _name(path: str) -> str:
    """A file's name without its folders: paths name people."""
    return PurePath(path.replace("\\", "/")).name


def _short(text: str, most: int = 200) -> str:
    text = text.strip()
    return text if len(text) <= most else text[: most - 1] + "…"
