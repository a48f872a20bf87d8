"""A plan becomes a record: one server start after the other, saved after every sample."""

import datetime as dt
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from speculoos.measure.asker import Asker
from speculoos.measure.clock import BudgetSpentError, Clock
from speculoos.measure.draft import Draft
from speculoos.measure.exchange import NoAnswerError
from speculoos.measure.memory import read_backend, read_memory
from speculoos.measure.plan import Plan
from speculoos.measure.prompts import warm_up_text
from speculoos.measure.proof import Files, prove, prove_drafting
from speculoos.measure.schedule import TRIES, Limit, Start, is_baseline, next_start
from speculoos.measure.server import Command, Server, ServerError
from speculoos.measure.watch import Watch
from speculoos.record import faults
from speculoos.record.batches import broken as broken_batch
from speculoos.record.identities import broken
from speculoos.record.types import Batch, Incident, Measurement, Sample, Settings


@dataclass(frozen=True)
class Started:
    """A server is ready."""

    start: Start


@dataclass(frozen=True)
class Sampled:
    """A sample, or a batch of several slots, is saved; `wrong` says what it breaks."""

    settings: Settings
    sample: Sample | Batch
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
            for counted in _answers(plan, draft, server, start):
                yield Sampled(settings, counted, _wrong(counted, settings))
            prove_drafting(server, draft.runs[-1])
    except ServerError as error:
        clock.check()  # a server that we have stopped ourselves has not failed
        draft.fail(error.incident, str(error))
        yield Failed(settings, str(error))


def _command(plan: Plan, start: Start, clock: Clock) -> Command:
    label = start.settings.label.replace(" ", "-")
    return Command(
        binary=plan.binary,
        model=plan.model,
        args=(*plan.common_args, *plan.run_args(start.settings)),
        log=plan.logs / f"block-{start.block}-{start.position}-{label}.log",
        ready_timeout_s=plan.ready_timeout_s,
        until=clock.until,
    )


def named(args: tuple[str, ...]) -> tuple[str, ...]:
    """Arguments with every path reduced to its name: folders name users and disks."""
    return tuple(map(_named, args))


def _named(word: str) -> str:
    if Path(word) == Path.home():
        return "~"
    return Path(word).name if "/" in word or "\\" in word else word


def _wrong(counted: Sample | Batch, settings: Settings) -> tuple[str, ...]:
    if isinstance(counted, Sample):
        return tuple(text for _, text in broken(counted, settings))
    return tuple(text for _, text in broken_batch(counted, settings))


def _answers(plan: Plan, draft: Draft, server: Server, start: Start) -> Iterator[Sample | Batch]:
    try:
        proof = prove(server, plan.model, start.settings)
        asker = Asker(plan, server, start.settings)
        if not plan.workload.possible(server.client, start.prompts):
            raise server.refusal(faults.NO_REASONING, "the text is the same with and without")
        texts = plan.workload.texts(server.client, start.prompts)
        for _ in range(plan.warm_up):
            asker.warm_up(warm_up_text(server.client, start.prompts))
        log = server.log_head()
        draft.learn(stream=asker.ask.stream, backend=read_backend(log))
        buffers, watch = read_memory(log), Watch()
        for _ in _counted(plan, draft, asker, start, texts):
            held = {"resident_mib": server.resident_mib(), "device_mib": watch.device_mib()}
            memory = buffers.model_copy(update=held)
            draft.describe_run(server.ready_ms, memory, proof, watch.seen())
            yield draft.last_answer
    except NoAnswerError as error:
        done = draft.samples_of_run
        raise server.failure(done, timed_out=error.timed_out) from error


def _counted(
    plan: Plan, draft: Draft, asker: Asker, start: Start, texts: Mapping[str, str]
) -> Iterator[None]:
    """Ask and add to the draft: prompt by prompt, or all of them where there are several slots."""
    if plan.parallel > 1:
        draft.add_batch(asker.together(texts, start.block))
        yield
        return
    for prompt in start.prompts:
        draft.add(*asker.sample(prompt, texts[prompt.id], start.block))
        yield


def today() -> dt.date:
    """The day of the measurement, in the machine's own calendar."""
    return dt.datetime.now(tz=dt.UTC).astimezone().date()
