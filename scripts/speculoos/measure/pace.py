"""How long a measurement takes: estimated from one timed start, refined by every one that ends."""

import time
from dataclasses import dataclass
from math import inf

from speculoos.measure.client import Ask, NoAnswerError
from speculoos.measure.plan import Plan
from speculoos.measure.prompts import warm_up_text
from speculoos.measure.schedule import Pace
from speculoos.measure.server import Command, Server, ServerError

_TOKENS = 16
_MOMENT_S = 0.1
_RESERVE_S = 2.0
"""What the start of this program, the end of the last server and the table take."""
WARM_UP_TOKENS = 16
LETTERS_A_TOKEN = 3
"""Of the text that makes a depth, about; only the estimated time rests on it."""


class BudgetSpentError(Exception):
    """The time that the person gave is over."""


class Clock:
    """What is left of a budget, and what a start has taken on average."""

    def __init__(self, budget_s: float | None = None) -> None:
        self.budget_s = inf if budget_s is None else budget_s
        self.began = time.monotonic()
        self.expected_s = 0.0
        self._ended: list[float] = []

    @property
    def left_s(self) -> float:
        """Seconds until nothing more can be asked; what is then left is for the end."""
        return self.budget_s - min(_RESERVE_S, self.budget_s / 4) - self.spent_s

    @property
    def spent_s(self) -> float:
        """Seconds since the clock was started."""
        return time.monotonic() - self.began

    def at_most(self, seconds: float) -> float:
        """So many seconds, or those that are left; a moment where nothing is."""
        return max(min(seconds, self.left_s), _MOMENT_S)

    def ended(self, seconds: float) -> None:
        """One more start of the server has taken so long."""
        self._ended.append(seconds)
        self.expected_s = sum(self._ended) / len(self._ended)

    def pace(self) -> Pace:
        """What the schedule must know of time."""
        return Pace(self.left_s, self.budget_s, self.expected_s)


@dataclass(frozen=True)
class Timing:
    """What one start of the baseline has taken, split into what grows with the plan."""

    ready_s: float
    prompt_s_per_letter: float
    token_s: float

    def start_s(self, plan: Plan) -> float:
        """Seconds that a start takes if every text gets as long as it may, without speculation."""
        letters = sum(len(prompt.text) for prompt in plan.asked)
        letters += len(plan.asked) * LETTERS_A_TOKEN * plan.workload.depth
        tokens = plan.max_tokens * len(plan.asked) + WARM_UP_TOKENS * plan.warm_up
        return self.ready_s + letters * self.prompt_s_per_letter + tokens * self.token_s


def time_baseline(plan: Plan, clock: Clock) -> Timing | None:
    """Start the baseline once and ask its longest prompt; None where that fails.

    The start also brings the model's file into memory, so that the first one that counts is
    like the others. Nothing of it is stored, and it takes no longer than the budget.
    """
    command = Command(
        binary=plan.binary,
        model=plan.model,
        args=plan.common_args,
        log=plan.logs / "timing.log",
        ready_timeout_s=clock.at_most(plan.ready_timeout_s),
    )
    if clock.left_s <= 0:
        return None
    try:
        with Server(command) as server:
            return _timed(plan, server, clock)
    except (ServerError, NoAnswerError):
        return None


def _timed(plan: Plan, server: Server, clock: Clock) -> Timing:
    longest = max(plan.asked, key=lambda prompt: len(prompt.text))
    text = plan.workload.texts(server.client, [longest])[longest.id]
    short = warm_up_text(server.client, [longest])
    for each in (short, text):  # the first request of a server is slower
        deadline_s = clock.at_most(plan.request_timeout_s)
        ask = Ask(_TOKENS, plan.temperature, plan.seed, stream=False, deadline_s=deadline_s)
        timings = server.client.complete(each, ask).timings
    return Timing(
        ready_s=server.ready_ms / 1000,
        prompt_s_per_letter=timings["prompt_ms"] / 1000 / len(text),
        token_s=timings["predicted_ms"] / 1000 / max(timings["predicted_n"] - 1, 1),
    )
