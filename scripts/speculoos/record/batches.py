"""Several slots at once: what such a batch says, and what must hold between its counts.

Decodes are shared between the slots, so the identities of a sample do not hold here.
"""

from collections.abc import Iterator, Sequence

from speculoos.record.types import NO_SPECULATION, Batch, Settings


def tokens_per_second(batches: Sequence[Batch]) -> float | None:
    """Tokens of all the slots over the time that all of them took, prompts included."""
    wall_ms = sum(batch.wall_ms for batch in batches)
    return 1000 * sum(batch.predicted_n for batch in batches) / wall_ms if wall_ms else None


def broken(batch: Batch, settings: Settings) -> Iterator[tuple[str, str]]:
    """The field of every count that cannot be, and what is wrong with it."""
    drafted, accepted = batch.draft_n or 0, batch.draft_n_accepted or 0
    if settings.spec_type == NO_SPECULATION and drafted:
        yield "draft_n", f"{drafted} in a baseline; without speculation nothing is drafted"
    if accepted > drafted:
        yield "draft_n_accepted", f"{accepted} accepted but draft_n is {drafted}"
    if (batch.verify_steps or 0) > drafted:
        yield "verify_steps", f"{batch.verify_steps} steps but draft_n is {drafted}"
    if batch.truncated:
        yield "truncated", "the server cut a context; its counts mean nothing. Use a larger -c."
    for field in ("timings_draft_n", "timings_draft_n_accepted"):
        said, counted = getattr(batch, field), getattr(batch, field.removeprefix("timings_"))
        if said is not None and said != counted:
            yield field, f"{said} say the answers, {counted} say the server's counters"
