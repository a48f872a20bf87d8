"""What is started next: a function of the plan and of what has been measured, nothing else.

That is why an interrupted measurement can go on: its file says all that the next step needs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from speculoos.measure.plan import Plan
from speculoos.record.types import NO_SPECULATION, Prompt, Run, Settings

TRIES = 2
"""Incidents after which a setting is not started again in later blocks."""

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
        """Incidents of a setting in the blocks before this one."""
        return sum(
            each.run.settings == settings and each.block < before and each.run.incident is not None
            for each in self.done
        )

    def of(self, settings: Settings, block: int) -> list[Run]:
        """The runs of a setting in a block: several where one was interrupted."""
        return [d.run for d in self.done if d.block == block and d.run.settings == settings]

    def missing(self, plan: Plan, settings: Settings, block: int) -> tuple[Prompt, ...]:
        """The prompts that a setting has still to be asked in a block; none after an incident."""
        runs = self.of(settings, block)
        if any(run.incident for run in runs):
            return ()
        asked = {sample.prompt for run in runs for sample in run.samples}
        return tuple(prompt for prompt in plan.asked if prompt.id not in asked)


def next_start(plan: Plan, history: History) -> Start | Limit:
    """The next start, or the limit that has been reached."""
    for block in range(1, plan.blocks + 1):
        if start := _in_block(plan, history, block, _grid(plan, history, block)):
            return start
    return "blocks"


def _in_block(
    plan: Plan, history: History, block: int, wanted: Sequence[Settings], phase: Phase = None
) -> Start | None:
    for position, settings in enumerate(wanted, start=1):
        if missing := history.missing(plan, settings, block):
            return Start(settings, block, position, len(wanted), missing, phase)
    return None


def _grid(plan: Plan, history: History, block: int) -> list[Settings]:
    """Every setting, in the order of the block, that has not failed too often."""
    return [s for s in plan.order(block) if history.failures(s, block) < TRIES]


def is_baseline(settings: Settings) -> bool:
    """Whether this is the start without speculation."""
    return settings.spec_type == NO_SPECULATION


def most_requests(plan: Plan) -> int:
    """How many requests are counted if every block is measured and nothing fails."""
    return plan.blocks * len(plan.settings) * len(plan.asked)
