"""Several slots at once: another measurement, with figures of its own kind."""

import time
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest

from speculoos.measure.client import Answer, Ask, Client
from speculoos.measure.counters import Counts, difference, from_stream, own_count
from speculoos.record.types import Batch


def ask_together(client: Client, texts: Mapping[str, str], ask: Ask, slots: int) -> Batch:
    """Ask all the prompts, as many at a time as there are slots; raises `NoAnswerError`.

    The counters are read around the whole batch: they cannot tell one request from another.
    The block is 1; who knows better replaces it.
    """
    before = client.counters()
    start = time.monotonic()
    answers = _all(client, list(texts.values()), ask, slots)
    wall_ms = (time.monotonic() - start) * 1000
    counts = difference(before, client.counters())
    if counts.draft_n is None:
        counts = _added(from_stream(each.running, each.timings) for each in answers)
    return _batch(tuple(texts), answers, counts, wall_ms)


def _all(client: Client, texts: list[str], ask: Ask, slots: int) -> list[Answer]:
    """The answers in the order of the texts.

    Where one fails, or a person interrupts, nobody waits for the others: the server is stopped
    next, and that ends them.
    """
    pool = ThreadPoolExecutor(slots)
    try:
        return list(pool.map(lambda text: client.complete(text, ask), texts))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _batch(
    prompts: tuple[str, ...], answers: list[Answer], counts: Counts, wall_ms: float
) -> Batch:
    total = {name: _sum(answers, name) for name in ("draft_n", "draft_n_accepted")}
    return Batch(
        block=1,
        prompts=prompts,
        prompt_n=_sum(answers, "prompt_n"),
        predicted_n=_sum(answers, "predicted_n"),
        draft_n=counts.draft_n,
        draft_n_accepted=counts.draft_n_accepted,
        verify_steps=counts.verify_steps,
        accepted_per_position=counts.accepted_per_position,
        timings_draft_n=own_count(counts, total, "draft_n"),
        timings_draft_n_accepted=own_count(counts, total, "draft_n_accepted"),
        finish=tuple(str(answer.final.get("stop_type") or "none") for answer in answers),
        truncated=True if any(answer.final.get("truncated") for answer in answers) else None,
        wall_ms=round(wall_ms, 3),
    )


def _sum(answers: list[Answer], name: str) -> int:
    return sum(int(answer.timings.get(name, 0)) for answer in answers)


def _added(each: Iterable[Counts]) -> Counts:
    found = list(each)
    positions = [counts.accepted_per_position or () for counts in found]
    return Counts(
        draft_n=sum(counts.draft_n or 0 for counts in found),
        draft_n_accepted=sum(counts.draft_n_accepted or 0 for counts in found),
        verify_steps=sum(counts.verify_steps or 0 for counts in found),
        accepted_per_position=tuple(map(sum, zip_longest(*positions, fillvalue=0))),
    )
