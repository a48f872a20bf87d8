"""What is started next: a function of the plan and of what has been measured, nothing else.

That is why an interrupted measurement can go on: its file says all that the next step needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

from speculoos.measure.plan import Plan
from speculoos.measure.search import Seen, first_rungs, next_depth
from speculoos.record.blocks import BASELINE, asked, block_rates, cells
from speculoos.record.metrics import Interval, speedup_intervals
from speculoos.record.surroundings import Load, shares
from speculoos.record.types import NO_SPECULATION, Prompt, Run, Sample, Settings

TRIES = 2
"""Incidents after which a setting is not started again in later blocks."""

_EXTRA = 4
"""Depths that exploring may add to its first rungs."""
CONFIRMED = 2
"""Depths that are confirmed beside the baseline."""

Limit = Literal["blocks", "narrow", "budget"]
Phase = Literal["explore"] | None


@dataclass(frozen=True)
class Start:
    """One start of the server: with which setting, where in the design, and what to ask."""

    settings: Settings
    block: int
    position: int
    of: int
    prompts: tuple[Prompt, ...]
    phase: Phase = None


@dataclass(frozen=True)
class Done:
    """One run that has been made, and its block."""

    block: int
    run: Run


@dataclass(frozen=True)
class History:
    """Everything that has been started so far."""

    done: tuple[Done, ...]

    def failures(self, settings: Settings, before: int) -> int:
        """Blocks before this one in which the last start of a setting ended in an incident."""
        own = [d for d in self.done if d.run.settings == settings and d.block < before]
        last = {each.block: each.run for each in own}
        return sum(run.incident is not None for run in last.values())

    def of(self, settings: Settings, block: int) -> list[Run]:
        """The runs of a setting in a block: several where one was interrupted."""
        return [d.run for d in self.done if d.block == block and d.run.settings == settings]

    def in_block(self, block: int, without: Sequence[Settings]) -> list[Settings]:
        """The settings that were started in a block, each once, in their order."""
        started = dict.fromkeys(d.run.settings for d in self.done if d.block == block)
        return [settings for settings in started if settings not in without]

    def began(self, block: int) -> bool:
        """Whether anything was started in this block or behind it."""
        return any(each.block >= block for each in self.done)

    def speedups(self, plan: Plan, before: int) -> dict[str, Interval]:
        """The speed-ups over the quiet blocks before this one, without the exploring one."""
        blocks = range(plan.first_block, before)
        runs = [each.run for each in self.done if each.block in blocks]
        rates = block_rates(runs, self.loaded(plan))
        return speedup_intervals(rates, BASELINE) if rates else {}

    def loaded(self, plan: Plan) -> frozenset[int]:
        """The blocks in which others used the machine, without the exploring one."""
        runs = [each.run for each in self.done if each.block >= plan.first_block]
        return frozenset(Load(shares(runs)).loaded)

    def missing(self, plan: Plan, settings: Settings, block: int) -> tuple[Prompt, ...]:
        """The prompts that a setting has still to be asked in a block; none after an incident.

        Without a baseline in the first block nothing compares: it is asked for what it lacks.
        """
        runs = self.of(settings, block)
        if any(run.incident for run in runs) and not (is_baseline(settings) and block == 1):
            return ()
        answered = {prompt for run in runs for prompt in asked(run)}
        return tuple(prompt for prompt in plan.asked if prompt.id not in answered)


@dataclass(frozen=True)
class Pace:
    """The time that is left, and what a start takes."""

    left_s: float = inf
    budget_s: float = inf
    start_s: float = 0.0

    def allows(self, starts: int) -> bool:
        """Whether so many starts more end in time."""
        return starts * self.start_s <= self.left_s

    @property
    def half_spent(self) -> bool:
        """Whether the half that exploring may take is gone."""
        return self.left_s < self.budget_s / 2


UNLIMITED = Pace()


def next_start(plan: Plan, history: History, pace: Pace = UNLIMITED) -> Start | Limit:
    """The next start, or the limit that has been reached."""
    if plan.search and (start := _explore(plan, history, pace)):
        return start if pace.left_s > 0 else "budget"
    wanted = _candidates(plan, history)
    repeated = min(len(history.loaded(plan)), plan.repeats)
    for block in range(plan.first_block, plan.last_block + repeated + 1):
        if _enough(plan, history, block):
            return "narrow"
        wanted = _still_wanted(plan, history, block, wanted)
        order = [s for s in plan.order(block) if s in wanted]
        if start := _in_block(plan, history, block, order):
            complete = block > plan.first_block
            too_long = complete and start.position == 1 and not pace.allows(len(order))
            return "budget" if too_long or pace.left_s <= 0 else start
    return "blocks"


def _in_block(
    plan: Plan, history: History, block: int, wanted: Sequence[Settings], phase: Phase = None
) -> Start | None:
    for position, settings in enumerate(wanted, start=1):
        if missing := history.missing(plan, settings, block):
            return Start(settings, block, position, len(wanted), missing, phase)
    return None


def _explore(plan: Plan, history: History, pace: Pace) -> Start | None:
    """The first block of a search: one start for each rung, then for each depth that promises."""
    rungs = first_rungs(plan.depths)
    first = [s for s in plan.order(1) if s.n_max is None or s.n_max in rungs]
    more = history.in_block(1, without=first)
    if start := _in_block(plan, history, 1, [*first, *more], "explore"):
        return start
    closed = pace.half_spent or history.began(plan.first_block)
    if closed or len(more) >= _EXTRA or (depth := next_depth(plan.depths, _seen(history))) is None:
        return None
    chosen = [s for s in plan.settings if s.n_max == depth]
    return _in_block(plan, history, 1, [*first, *more, *chosen], "explore")


def _seen(history: History) -> list[Seen]:
    """What exploring has shown; a setting that failed has shown nothing."""
    shown: dict[int, list[Sample]] = {}
    runs = [each.run for each in history.done if each.block == 1]
    for own in cells(runs).values():
        shown[own[0].settings.n_max or 0] = [sample for run in own for sample in run.samples]
    return [Seen(depth, tuple(samples)) for depth, samples in shown.items()]


def _candidates(plan: Plan, history: History) -> list[Settings]:
    """What every block starts: all settings, or the baseline and the best that exploring found."""
    if not plan.search:
        return list(plan.settings)
    found = sorted(_seen(history), key=lambda seen: seen.rate, reverse=True)
    best = [seen.depth for seen in found if seen.depth][:CONFIRMED]
    return [s for s in plan.settings if s.n_max is None or s.n_max in best]


def _still_wanted(
    plan: Plan, history: History, block: int, wanted: Sequence[Settings]
) -> list[Settings]:
    """Without those that failed too often or, in a search, are known to be worse than the best."""
    left = [s for s in wanted if history.failures(s, block) < TRIES]
    if not plan.search or block < plan.first_block + 2:
        return left
    found = history.speedups(plan, block)
    best = max(found.values(), key=lambda ratio: ratio.value, default=None)
    if best is None or best.half_width is None:
        return left
    least = best.value * (1 - best.half_width)
    beaten = {label for label, ratio in found.items() if ratio.value < least}
    return [s for s in left if s.label not in beaten]


def _enough(plan: Plan, history: History, block: int) -> bool:
    """Whether the interval of the best setting was narrow enough, with one quiet block since.

    To stop at the very block that looks narrow favours lucky noise: simulated, 95 % can become 92;
    with one block more that was not chosen they stay 95 (`tests/measure/bench_coverage.py`).
    """
    quiet = sorted(set(range(plan.first_block, block)) - history.loaded(plan))
    if plan.narrow is None or len(quiet) <= plan.least_blocks:
        return False
    best = max(history.speedups(plan, quiet[-1]).values(), key=lambda r: r.value, default=None)
    return best is not None and best.half_width is not None and best.half_width <= plan.narrow


def is_baseline(settings: Settings) -> bool:
    """Whether this is the start without speculation."""
    return settings.spec_type == NO_SPECULATION


def most_requests(plan: Plan) -> int:
    """How many requests are counted if every block is measured and nothing fails."""
    if not plan.search:
        return plan.blocks * len(plan.settings) * len(plan.asked)
    explored = 1 + len(first_rungs(plan.depths)) + _EXTRA
    return (min(explored, len(plan.settings)) + plan.blocks * (1 + CONFIRMED)) * len(plan.asked)


def least_starts(plan: Plan) -> int:
    """How many starts come before a setting is compared with the baseline."""
    if not plan.search:
        return len(plan.settings)
    return 1 + len(first_rungs(plan.depths)) + 1 + CONFIRMED


def requests_left(plan: Plan, start: Start) -> int:
    """How many requests are left at most, those of this start included."""
    rest = start.of - start.position
    if start.phase == "explore":
        asked = {s.n_max for s in plan.settings} - set(first_rungs(plan.depths)) - {None}
        rest = max(rest, min(_EXTRA, len(asked))) + plan.blocks * (1 + CONFIRMED)
    else:
        rest += max(plan.last_block - start.block, 0) * start.of
    return rest * len(plan.asked) + len(start.prompts)
