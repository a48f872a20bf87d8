"""How much is measured: three sizes, and one that is cut to a minute by a first timing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from speculoos.measure.pace import Timing
from speculoos.measure.plan import Plan
from speculoos.measure.search import first_rungs
from speculoos.record.types import Prompt

QUICK_S = 60.0
"""What `--quick` aims at, the first timing included."""
_MARGIN = 0.8
"""Share of the time that is planned: a step with a draft is dearer than one without."""


@dataclass(frozen=True)
class Preset:
    """Blocks at most and at least, the half-width that is enough, tokens for each prompt."""

    blocks: int
    least_blocks: int
    narrow: float
    max_tokens: int


PRESETS = {
    "quick": Preset(blocks=3, least_blocks=2, narrow=0.02, max_tokens=128),
    "usual": Preset(blocks=5, least_blocks=3, narrow=0.02, max_tokens=128),
    "thorough": Preset(blocks=10, least_blocks=5, narrow=0.01, max_tokens=256),
}


def cut(plan: Plan, timing: Timing, seconds: float) -> Plan:
    """The richest part of the plan that its starts can do in time, else the poorest one.

    Two depths come first, then three prompts and three blocks; the rest goes into more prompts
    and longer texts. All prompts and depths are those of the plan, as far apart as they can be.
    """
    parts = list(_parts(plan))
    fitting = [part for part in parts if _seconds(part, timing) <= _MARGIN * seconds]
    if fitting:
        return max(fitting, key=_worth)
    return min(parts, key=lambda part: _seconds(part, timing))


def _parts(plan: Plan) -> Iterator[Plan]:
    rungs = first_rungs(plan.depths) if plan.depths else ()
    depths = [rungs[1:2] or rungs, rungs[:2], rungs]
    blocks = {min(plan.blocks, count) for count in (2, 3)}
    prompts = {min(len(plan.asked), count) for count in (3, 4, 6, 8)}
    tokens = {min(plan.max_tokens, count) for count in (32, 64, 128)}
    for some, block, prompt, token in product(depths, blocks, prompts, tokens):
        ids = _apart(plan.asked, prompt)
        yield replace(plan, depths=some, blocks=block, prompt_ids=ids, max_tokens=token)


def _apart(prompts: Sequence[Prompt], count: int) -> tuple[str, ...]:
    """Some of the prompts, from all over the set; nothing where that is all of them."""
    if count == len(prompts):
        return ()
    return tuple(prompts[index * len(prompts) // count].id for index in range(count))


def _seconds(plan: Plan, timing: Timing) -> float:
    return plan.blocks * len(plan.settings) * timing.start_s(plan)


def _worth(plan: Plan) -> tuple[int, ...]:
    depths, prompts = len(plan.settings) - 1, len(plan.asked)
    return min(depths, 2), min(prompts, 3), plan.blocks, plan.max_tokens, prompts, depths
