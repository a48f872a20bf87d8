"""A plan becomes a record: one server start after the other, saved after every sample."""

import datetime as dt
import hashlib
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from speculoos.measure.client import Answer, Ask, NoAnswerError
from speculoos.measure.counters import Counts, difference, from_stream, own_count
from speculoos.measure.draft import Draft
from speculoos.measure.memory import read_backend, read_memory
from speculoos.measure.pace import WARM_UP_TOKENS, BudgetSpentError, Clock
from speculoos.measure.plan import Plan
from speculoos.measure.prompts import warm_up_text
from speculoos.measure.proof import Files, prove, prove_drafting
from speculoos.measure.schedule import TRIES, Limit, Start, is_baseline, next_start
from speculoos.measure.server import Command, Server, ServerError
from speculoos.measure.watch import Watch
from speculoos.record import faults
from speculoos.record.identities import broken
from speculoos.record.types import Incident, Measurement, Prompt, Sample, Settings


@dataclass(frozen=True)
class Started:
    """A server is ready."""

    start: Start


@dataclass(frozen=True)
class Sampled:
    """One sample is saved; `wrong` says which identities it breaks."""

    settings: Settings
    sample: Sample
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class Failed:
    """A run ended in an incident; the sentence says what happened and what to do."""

    settings: Settings
    sentence: str


@dataclass(frozen=True)
class Stopped:
    """The measurement is complete; `limit` ended it."""

    limit: Limit


Event = Started | Sampled | Failed | Stopped


class BaselineFailedError(Exception):
    """The baseline cannot be started: there is nothing to compare with."""


def measure(
    plan: Plan, head: Measurement, out: Path, clock: Clock | None = None
) -> Iterator[Event]:
    """Start, prove, ask and stop, block by block; the record in `out` is whole at any moment.

    Runs that `head` has already are kept, and only what is missing is measured.
    `clock` counts the budget, which may have begun before.
    Raises `BaselineFailedError` when the baseline fails in the first block; once more is tried
    where something outside may have ended it.
    """
    draft = Draft(head, out)
    clock = clock or Clock(plan.budget_s)
    try:
        limit = yield from _all_starts(plan, draft, clock)
    except BudgetSpentError:
        limit = "budget"
    draft.finish(limit)
    yield Stopped(limit)


def _all_starts(plan: Plan, draft: Draft, clock: Clock) -> Generator[Event, None, Limit]:
    files = Files.of((plan.binary, plan.model, plan.draft_model))
    lost = 0
    while isinstance(start := next_start(plan, draft.history, clock.pace()), Start):
        began = time.monotonic()
        yield from _one_start(plan, draft, start, files, clock)
        if draft.last_incident and is_baseline(start.settings) and start.block == 1:
            lost += 1
            if lost == TRIES or not _may_pass(draft.last_incident):
                raise BaselineFailedError(draft.last_sentence)
        time.sleep(plan.cooldown_s)
        if len(start.prompts) == len(plan.asked):
            clock.ended(time.monotonic() - began)
    return start


def _may_pass(incident: Incident) -> bool:
    """Whether another start may end better: something outside did it, or it went well at first."""
    return incident.kind in faults.PASSING or incident.after_samples > 0


def _one_start(
    plan: Plan, draft: Draft, start: Start, files: Files, clock: Clock
) -> Iterator[Event]:
    settings = start.settings
    draft.start_run(start, named(plan.run_args(settings)))
    try:
        with Server(_command(plan, start, clock)) as server:
            files.prove(server)
            yield Started(start)
            for sample in _samples(plan, draft, server, start, clock):
                yield Sampled(settings, sample, tuple(w for _, w in broken(sample, settings)))
            prove_drafting(server, draft.runs[-1])
    except ServerError as error:
        if clock.left_s <= 0:
            raise BudgetSpentError from error
        draft.fail(error.incident, str(error))
        yield Failed(settings, str(error))


def _command(plan: Plan, start: Start, clock: Clock) -> Command:
    label = start.settings.label.replace(" ", "-")
    return Command(
        binary=plan.binary,
        model=plan.model,
        args=(*plan.common_args, *plan.run_args(start.settings)),
        log=plan.logs / f"block-{start.block}-{start.position}-{label}.log",
        ready_timeout_s=max(min(plan.ready_timeout_s, clock.left_s), 0.1),
    )


def named(args: tuple[str, ...]) -> tuple[str, ...]:
    """Arguments with every path reduced to its name: folders name users and disks."""
    return tuple(map(_named, args))


def _named(word: str) -> str:
    if Path(word) == Path.home():
        return "~"
    return Path(word).name if "/" in word or "\\" in word else word


def _samples(
    plan: Plan, draft: Draft, server: Server, start: Start, clock: Clock
) -> Iterator[Sample]:
    try:
        proof = prove(server, plan.model, start.settings)
        asker = _Asker(plan, server, start.settings, clock)
        if not plan.workload.possible(server.client, start.prompts):
            raise server.refusal(faults.NO_REASONING, "the text is the same with and without")
        texts = plan.workload.texts(server.client, start.prompts)
        for _ in range(plan.warm_up):
            asker.warm_up(warm_up_text(server.client, start.prompts))
        draft.learn(stream=asker.ask.stream, backend=read_backend(server.log_head()))
        watch = Watch()
        for prompt in start.prompts:
            sample, tokens = asker.sample(prompt, texts[prompt.id], start.block)
            draft.add(sample, tokens)
            memory = read_memory(server.log_head(), server.resident_mib(), watch.device_mib())
            draft.describe_run(server.ready_ms, memory, proof, watch.seen())
            yield draft.last_sample
    except NoAnswerError as error:
        done = draft.samples_of_run
        raise server.failure(done, timed_out=error.timed_out) from error


class _Asker:
    """Asks one server in one way, and reads its counters around every request."""

    def __init__(self, plan: Plan, server: Server, settings: Settings, clock: Clock) -> None:
        self.client, self.clock = server.client, clock
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
        """One request that is not counted."""
        short = replace(self.ask, max_tokens=min(self.ask.max_tokens, WARM_UP_TOKENS))
        self._complete(text, short)

    def _complete(self, text: str, ask: Ask) -> Answer:
        """No request outlives the budget: that is the end of the time, no fault of the server."""
        left_s = self.clock.left_s
        if left_s <= 0:
            raise BudgetSpentError
        return self.client.complete(text, replace(ask, deadline_s=min(ask.deadline_s, left_s)))

    def sample(self, prompt: Prompt, text: str, block: int) -> tuple[Sample, tuple[int, ...]]:
        """One counted request: its sample and the tokens of its text."""
        before = self.client.counters()
        answer = self._complete(text, self.ask)
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


def today() -> dt.date:
    """The day of the measurement, in the machine's own calendar."""
    return dt.datetime.now(tz=dt.UTC).astimezone().date()
