"""Machines that exist only as formulas: what a start of the server would show on them.

They test the search, whose success cannot be known on a real machine; no figure of theirs is shown.
"""

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass

from speculoos.measure.plan import Plan
from speculoos.measure.schedule import Done, History, Limit, Start, next_start
from speculoos.record.types import Run, Sample, Settings, Watched

TOKENS = 128
SHA = "a" * 64
StepTime = Callable[[int], float]


def _jumps(rng: random.Random) -> StepTime:
    """A card: flat until the batch is full, then a jump."""
    edge, jump, draft = rng.choice([2, 4, 8]), rng.uniform(0.1, 0.8), rng.uniform(0.02, 0.15)
    return lambda n: 1 + jump * (n // edge) + draft * n


def _experts(rng: random.Random) -> StepTime:
    """A mixture of experts: every token of the batch wakes some more of them."""
    share, most, draft = rng.uniform(0.05, 0.3), rng.uniform(1, 5), rng.uniform(0.01, 0.1)
    return lambda n: 1 + most * (1 - (1 - share) ** n) + draft * n


def _teeth(rng: random.Random) -> StepTime:
    """A processor: rows are computed in groups, and what is left over costs as much."""
    group, cost, draft = rng.choice([2, 4]), rng.uniform(0.2, 2.0), rng.uniform(0.02, 0.2)
    return lambda n: 1 + cost * (n // group) / group + draft * n


def _overhead(rng: random.Random) -> StepTime:
    """Speculation costs something once a step, and a little for every guess."""
    fixed, each = rng.uniform(0.02, 0.4), rng.uniform(0.02, 0.25)
    return lambda n: 1 + (fixed + each * n if n else 0)


FAMILIES = (_jumps, _experts, _teeth, _overhead)


@dataclass
class Machine:
    """A machine and a model: step times, the acceptance of every prompt, and the noise."""

    rng: random.Random
    step: StepTime
    right: dict[str, list[bool]]
    """Whether the guess for each position of each prompt's text is right: the same in every run."""
    start_noise: float = 0.015
    request_noise: float = 0.03

    def rate(self, n: int) -> float:
        """The true tokens per millisecond over all texts."""
        passes = sum(sum(self._steps(prompt, n)[:2]) for prompt in self.right)
        return len(self.right) * (TOKENS - 1) / (10 * passes * self.step(n))

    def _steps(self, prompt: str, n: int) -> tuple[int, int, int, list[int]]:
        """Steps with a draft, passes without one, tokens drafted, accepted by position."""
        at, steps, plain, drafted, accepted = 1, 0, 0, 0, [0] * n
        while at < TOKENS:
            depth = min(n, TOKENS - at - 1)
            guesses = self.right[prompt][at : at + depth]
            good = guesses.index(False) if False in guesses else depth
            for position in range(good):
                accepted[position] += 1
            steps, plain, drafted = steps + (depth > 0), plain + (depth == 0), drafted + depth
            at += good + 1
        return steps, plain, drafted, accepted

    def run(self, start: Start) -> Run:
        """One start of the server."""
        own = self.rng.gauss(1, self.start_noise)
        samples = tuple(
            self._sample(prompt.id, start.settings, start.block, own) for prompt in start.prompts
        )
        return Run.model_construct(
            settings=start.settings,
            samples=samples,
            batches=(),
            watched=None,
            incident=None,
            phase=start.phase,
        )

    def _sample(self, prompt: str, settings: Settings, block: int, own: float) -> Sample:
        n = settings.n_max or 0
        steps, plain, drafted, at = self._steps(prompt, n)
        ms = 10 * (steps + plain) * self.step(n) * own * self.rng.gauss(1, self.request_noise)
        return Sample.model_construct(
            prompt=prompt,
            block=block,
            prompt_n=5,
            prompt_ms=10.0,
            predicted_n=TOKENS,
            predicted_ms=ms,
            draft_n=drafted,
            draft_n_accepted=sum(at),
            verify_steps=steps,
            accepted_per_position=tuple(at),
            decodes=1 + steps + plain,
            finish="limit",
            truncated=None,
            output_sha256=SHA,
            first_difference=None,
            wall_ms=ms,
        )


def machine(seed: int, plan: Plan) -> Machine:
    """One machine of the four families, by its seed."""
    rng = random.Random(seed)
    step = FAMILIES[seed % len(FAMILIES)](rng)
    middle = rng.uniform(0.2, 0.92)
    right = {prompt.id: _guesses(rng, middle) for prompt in plan.asked}
    return Machine(rng, step, right)


def _guesses(rng: random.Random, middle: float) -> list[bool]:
    acceptance = min(max(rng.gauss(middle, 0.07), 0.05), 0.97)
    return [rng.random() < acceptance for _ in range(TOKENS)]


def measured(plan: Plan, on: Machine, loaded: Collection[int] = ()) -> tuple[History, Limit]:
    """Everything that the plan has started on a machine, and what ended it.

    In some blocks other programs use half of its processors.
    """
    history = History(())
    while isinstance(start := next_start(plan, history), Start):
        others_ms = 5000.0 if start.block in loaded else 0.0
        seen = Watched(window_ms=5000.0, cpu_ms=10_000.0, others_cpu_ms=others_ms)
        run = on.run(start).model_copy(update={"watched": seen})
        history = History((*history.done, Done(start.block, run)))
    return history, start
