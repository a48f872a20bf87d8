"""Asks one server in one way, and reads its counters around every request."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from speculoos.measure.client import Answer, Ask
from speculoos.measure.counters import Counts, difference, from_stream, own_count
from speculoos.measure.pace import WARM_UP_TOKENS
from speculoos.measure.plan import Plan
from speculoos.measure.server import Server
from speculoos.measure.slots import ask_together
from speculoos.record.types import Batch, Prompt, Sample, Settings


class Asker:
    """Asks one server in one way, and reads its counters around every request."""

    def __init__(self, plan: Plan, server: Server, settings: Settings) -> None:
        self.client, self.slots = server.client, plan.parallel
        drafts = settings.spec_type.startswith("draft-")
        self.depth = (settings.n_max or 0) if drafts else 0
        self.ask = Ask(
            max_tokens=plan.max_tokens,
            temperature=plan.temperature,
            seed=plan.seed,
            stream=not server.client.counters().count_speculation,
            deadline_s=plan.request_timeout_s,
        )

    def warm_up(self, text: str) -> None:
        """One request to every slot that is not counted."""
        short = replace(self.ask, max_tokens=min(self.ask.max_tokens, WARM_UP_TOKENS))
        if self.slots == 1:
            self.client.complete(text, short)
        else:
            self._together({f"warm-up-{n}": text for n in range(self.slots)}, short)

    def _together(self, texts: Mapping[str, str], ask: Ask) -> Batch:
        return ask_together(self.client, texts, ask, self.slots)

    def together(self, texts: Mapping[str, str], block: int) -> Batch:
        """All the prompts, as many at a time as there are slots."""
        return self._together(texts, self.ask).model_copy(update={"block": block})

    def sample(self, prompt: Prompt, text: str, block: int) -> tuple[Sample, tuple[int, ...]]:
        """One counted request: its sample and the tokens of its text."""
        before = self.client.counters()
        answer = self.client.complete(text, self.ask)
        counts = difference(before, self.client.counters())
        if self.ask.stream:
            counts = from_stream(answer.running, answer.timings, self.depth)
        return _sample(prompt.id, block, answer, counts), answer.tokens


def _sample(prompt: str, block: int, answer: Answer, counts: Counts) -> Sample:
    timings, final = answer.timings, answer.final
    return Sample(
        prompt=prompt,
        block=block,
        prompt_n=timings["prompt_n"],
        prompt_ms=round(timings["prompt_ms"], 3),
        predicted_n=timings["predicted_n"],
        predicted_ms=round(timings["predicted_ms"], 3),
        draft_n=counts.draft_n,
        draft_n_accepted=counts.draft_n_accepted,
        verify_steps=counts.verify_steps,
        accepted_per_position=counts.accepted_per_position,
        timings_draft_n=own_count(counts, timings, "draft_n"),
        timings_draft_n_accepted=own_count(counts, timings, "draft_n_accepted"),
        decodes=counts.decodes,
        finish=str(final.get("stop_type") or "none"),
        truncated=True if final.get("truncated") else None,
        output_sha256=hashlib.sha256(answer.text.encode()).hexdigest(),
        wall_ms=round(answer.wall_ms, 3),
    )
