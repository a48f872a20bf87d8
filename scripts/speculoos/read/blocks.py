"""The lines that llama-server prints about one finished request, and what they say together."""

import re
from dataclasses import dataclass
from math import isclose
from typing import Literal, NamedTuple

from speculoos.read import rates
from speculoos.read.request import Hint, Request, Speculation

KEY = re.compile(r"id +(\d{1,9}) \| task (-?\d{1,9}) \|")
KEY_2024 = re.compile(r"\b(?:id_slot|slot_id)=(\d{1,9}) (?:id_task|task_id)=(\d{1,9})(?=\s)")
OTHER_PROGRAMS = ("llama_perf", "llama_print_timings", "common_perf_print")
"""These print the same words about a context or a whole run."""
HEADER = re.compile(r"print_timings?: id +\d+ \| task -?\d+ \|$")
TIME = re.compile(
    r"(?P<what>prompt eval|generation eval|(?<![a-z] )eval|total) time +="
    r"\s*(?P<ms>\d{1,9}\.\d\d) ms(?: /\s*(?P<n>\d{1,9}) (?:tokens|runs)\b)?"
    r"(?:\s*\(\s*(?P<per_token>\d{1,9}\.\d\d) ms per token,"
    r"\s*(?P<rate>\d{1,9}\.\d\d) tokens per second\))?"
)
"""No figure of a request has more than nine digits: longer ones are none."""
DRAFT = re.compile(
    r"draft acceptance(?: rate)? = (?P<rate>\S+) "
    r"\(\s*(?P<accepted>\d{1,9}) accepted /\s*(?P<drafted>\d{1,9}) generated\)"
)
MEAN_LENGTH = re.compile(r"mean (?:acceptance length|len) =\s*(\d{1,9}\.\d\d)(?!\d)")
POSITIONS = re.compile(
    r"acc(?:eptance rate per position| per pos) = \((\d\.\d{3}(?:, \d\.\d{3})*)\)"
)

Key = tuple[int, int]
State = Literal["ended", "cut", "open"]


class Timing(NamedTuple):
    """One `… time =` line."""

    what: str
    ms: float | None
    n: int | None
    printed: tuple[tuple[float, float], ...]
    """(value, power of tokens over ms): the rate and the time per token."""

    @classmethod
    def of(cls, match: re.Match[str]) -> "Timing":
        """The figures of a match of `TIME`."""
        ms, n, per_token, rate = match["ms"], match["n"], match["per_token"], match["rate"]
        printed = ((float(rate), 1.0), (float(per_token), -1.0)) if rate else ()
        return cls(match["what"], float(ms), int(n) if n else None, printed)


class Draft(NamedTuple):
    """One `draft acceptance` line, with what a line `acc per pos` adds."""

    drafted: int | None
    accepted: int | None
    mean_length: float | None = None
    positions: tuple[float, ...] = ()

    @classmethod
    def of(cls, text: str) -> "Draft | None":
        """The figures of a line; None where its rate contradicts its counts."""
        match = DRAFT.search(text)
        if match is None:
            return None
        drafted, accepted = int(match["drafted"]), int(match["accepted"])
        if drafted and not _same_rate(match["rate"], accepted / drafted):
            return None
        return cls.behind(drafted, accepted, text)

    @classmethod
    def behind(cls, drafted: int, accepted: int, text: str) -> "Draft":
        """Counts that are known, with what the text behind them adds."""
        mean = MEAN_LENGTH.search(text)
        return cls(drafted, accepted, float(mean[1]) if mean else None, positions_of(text))


def time_line(text: str) -> re.Match[str] | None:
    """The times that a line of the server gives."""
    at = text.find(" time ")
    if at < 0 or any(name in text for name in OTHER_PROGRAMS):
        return None
    return TIME.search(text, max(0, at - 20))


def positions_of(text: str) -> tuple[float, ...]:
    """The printed rates per position, or nothing."""
    match = POSITIONS.search(text)
    return tuple(float(part) for part in match[1].split(", ")) if match else ()


def key_of(text: str) -> Key | None:
    """The (slot, task) that a line names."""
    match = KEY.search(text) or KEY_2024.search(text)
    return (int(match[1]), int(match[2])) if match else None


NO_TIMING = Timing("", None, None, ())
NO_DRAFT = Draft(None, None)


@dataclass(slots=True)
class Block:
    """The lines of one request, as far as they have come."""

    key: Key | None
    line_number: int
    prompt: Timing | None = None
    generation: Timing | None = None
    total: bool = False
    draft: Draft | None = None
    unsure: bool = False
    """The input starts inside the first line: what reads `eval` may have been `prompt eval`."""
    doubtful: bool = False
    """Bare lines of two requests were mixed here: no figure is sure to be its own."""

    garbled: bool = False
    """A draft line came whose figures are cut or contradict each other."""

    @property
    def empty(self) -> bool:
        """Whether no figure has come yet."""
        return not (self.prompt or self.generation or self.draft)

    @property
    def only_drafts(self) -> bool:
        """Whether nothing but a draft line has come."""
        return self.draft is not None and not (self.prompt or self.generation)

    def holds(self, what: str) -> bool:
        """Whether a line of this kind, or one that comes behind it, is already here."""
        if what == "prompt eval":
            return bool(self.prompt or self.generation or self.draft)
        return bool((self.generation and not self.unsure) or self.draft)

    def add(self, timing: Timing) -> None:
        """Take one `… time =` line."""
        if timing.what == "prompt eval":
            self.prompt = timing
            return
        if self.unsure:
            self.prompt, self.unsure = self.generation, False
        self.generation = timing

    def end(self) -> None:
        """Take a line that only comes behind the generation's."""
        self.total = self.total or self.generation is not None
        self.unsure = False

    def steps(self) -> int | None:
        """Verification steps, where the mean length leaves one answer."""
        draft = self.draft
        if draft is None or draft.accepted is None or draft.mean_length is None:
            return None
        return rates.verify_steps(draft.accepted, draft.mean_length, draft.positions)

    def n_max(self) -> int | None:
        """The n_max that the drafted tokens and the steps prove."""
        if self.draft is None or self.draft.drafted is None or self.doubtful:
            return None
        proven = rates.n_max(self.draft.drafted, self.steps())
        deeper = proven is not None and len(self.draft.positions) > proven
        return None if deeper else proven

    def speculation(self, state: State, *, may_draft: bool) -> Speculation:
        """`none` only where the missing line would have been seen."""
        if self.doubtful or (self.draft is None and (self.garbled or self.generation is None)):
            return "unknown"
        if self.draft is not None:
            return "drafted" if self.draft.drafted else "none"
        sure = state == "ended" or (state == "open" and not may_draft)
        return "none" if sure else "unknown"

    def request(self, speculation: Speculation, n_max: int | None, build: str | None) -> Request:
        """The request that these lines describe; without figures where they are in doubt."""
        if self.doubtful:
            self.prompt = self.generation = self.draft = None
        slot, task = self.key or (None, None)
        prompt, generation = self.prompt or NO_TIMING, self.generation or NO_TIMING
        draft = self.draft if self.draft and self.draft.drafted else NO_DRAFT
        return Request(
            source="server_log",
            slot=slot,
            task=task,
            prompt_n=prompt.n,
            prompt_ms=prompt.ms,
            predicted_n=generation.n,
            predicted_ms=generation.ms,
            printed_tokens_per_second=generation.printed[0][0] if generation.printed else None,
            rate_divisor=rates.rate_divisor(generation.n, generation.ms, *generation.printed),
            draft_n=draft.drafted,
            draft_n_accepted=draft.accepted,
            speculation=speculation,
            mean_acceptance_length=draft.mean_length,
            accepted_per_position=self._positions(draft),
            n_max=n_max,
            build=build,
        )

    def _positions(self, draft: Draft) -> tuple[int, ...] | None:
        if draft.accepted is None or not draft.positions:
            return None
        return rates.accepted_per_position(draft.accepted, self.steps(), draft.positions)

    def hints(self) -> list[Hint]:
        """What the printed figures contradict."""
        generation = self.generation
        if not (generation and generation.n and generation.ms and generation.printed):
            return []
        if rates.some_divisor_fits(generation.n, generation.ms, *generation.printed[:1]):
            return []
        figures = (("printed", generation.printed[0][0]), ("n", generation.n))
        return [Hint("rate-mismatch", self.line_number, figures)]


def _same_rate(printed: str, true: float) -> bool:
    try:
        return isclose(float(printed), true, abs_tol=1.1e-5)
    except ValueError:
        return False
