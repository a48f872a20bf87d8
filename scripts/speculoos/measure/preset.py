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
_LEAST_FREEDOM = 2
"""With one degree of freedom Student's t is 12.7: such an interval tells nothing."""
_SHORT = 32
"""Tokens below which a text is short: little of it is more than its beginning."""
_MARGIN = 0.8
"""Share of the time that is planned: a step with a draft is dearer than one without."""


@dataclass(frozen=True)
class Preset:
    """Blocks at most and at least, the half-width that is enough, tokens for each prompt."""

    blocks: int
    least_blocks: int
    narrow: float
    max_tokens: int
    repeats: int
    """Blocks more in place of those in which others used the machine."""


PRESETS = {
    "quick": Preset(blocks=3, least_blocks=2, narrow=0.02, max_tokens=128, repeats=0),
    "usual": Preset(blocks=5, least_blocks=3, narrow=0.02, max_tokens=128, repeats=2),
    "thorough": Preset(blocks=10, least_blocks=5, narrow=0.01, max_tokens=256, repeats=4),
}


def cut(plan: Plan, timing: Timing, seconds: float) -> Plan:
    """The richest part of the plan that its starts can do in time, else the poorest one.

    An interval needs two degrees of freedom at least: two blocks of two depths, or three of one.
    Two depths come next, then three prompts, texts that are not too short, and more blocks; the
    rest goes into more prompts and longer texts. All prompts and depths are those of the plan, as
    far apart as they can be.
    """
    every = list(_parts(plan))
    parts = [part for part in every if _freedom(part) >= _LEAST_FREEDOM] or every
    fitting = [part for part in parts if _seconds(part, timing) <= _MARGIN * seconds]
    if fitting:
        return max(fitting, key=_worth)
    return min(parts, key=lambda part: (_seconds(part, timing), -len(part.depths)))


def _parts(plan: Plan) -> Iterator[Plan]:
    rungs = first_rungs(plan.depths) if plan.depths else ()
    depths = {rungs[1:2] or rungs, rungs[:2], rungs}
    blocks = {min(plan.blocks, count) for count in (2, 3)}
    prompts = {min(len(plan.asked), max(count, plan.parallel)) for count in (2, 3, 4, 5, 6, 8)}
    tokens = {min(plan.max_tokens, count) for count in (16, 32, 48, 64, 96, 128)}
    for some, block, prompt, token in product(sorted(depths), blocks, prompts, tokens):
        ids = _apart(plan.asked, prompt)
        yield replace(plan, depths=some, blocks=block, prompt_ids=ids, max_tokens=token)


def _freedom(plan: Plan) -> int:
    """Degrees of freedom of the noise, if all goes well."""
    return (len(plan.settings) - 1) * (plan.blocks - 1)


def _apart(prompts: Sequence[Prompt], count: int) -> tuple[str, ...]:
    """Some of the prompts, from all over the set; nothing where that is all of them."""
    if count == len(prompts):
        return ()
    return tuple(prompts[index * len(prompts) // count].id for index in range(count))


def _seconds(plan: Plan, timing: Timing) -> float:
    return plan.blocks * len(plan.settings) * timing.start_s(plan)


def _worth(plan: Plan) -> tuple[int, ...]:
    depths, prompts = len(plan.settings) - 1, len(plan.asked)
    least = (min(depths, 2), min(prompts, 3), min(plan.max_tokens, _SHORT))
    return (*least, plan.blocks, plan.max_tokens, prompts, depths)
