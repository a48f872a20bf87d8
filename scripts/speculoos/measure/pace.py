"""How long a measurement takes: estimated from one timed start, refined by every one that ends."""

from dataclasses import dataclass
from threading import Thread

from speculoos.measure.client import Ask
from speculoos.measure.clock import Clock
from speculoos.measure.exchange import NoAnswerError
from speculoos.measure.plan import Plan
from speculoos.measure.prompts import warm_up_text
from speculoos.measure.server import Command, Server, ServerError
from speculoos.record.metrics import student

_TOKENS = 16
WARM_UP_TOKENS = 16
LETTERS_A_TOKEN = 3
"""Of the text that makes a depth, about; only the estimated time rests on it."""


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
        ready_timeout_s=plan.ready_timeout_s,
        until=clock.until,
    )
    if clock.left_s <= 0:
        return None
    # what computes intervals takes a third of a second to load: here no sample waits for it
    Thread(target=student, args=(1,)).start()
    try:
        with Server(command) as server:
            return _timed(plan, server)
    except (ServerError, NoAnswerError):
        return None


def _timed(plan: Plan, server: Server) -> Timing:
    longest = max(plan.asked, key=lambda prompt: len(prompt.text))
    text = plan.workload.texts(server.client, [longest])[longest.id]
    short = warm_up_text(server.client, [longest])
    for each in (short, text):  # the first request of a server is slower
        limit_s = plan.request_timeout_s
        ask = Ask(_TOKENS, plan.temperature, plan.seed, stream=False, deadline_s=limit_s)
        timings = server.client.complete(each, ask).timings
    return Timing(
        ready_s=server.ready_ms / 1000,
        prompt_s_per_letter=timings["prompt_ms"] / 1000 / len(text),
        token_s=timings["predicted_ms"] / 1000 / max(timings["predicted_n"] - 1, 1),
    )
