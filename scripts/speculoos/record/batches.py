"""Several slots at once: what such a batch says, and what must hold between its counts.

Decodes are shared between the slots, so what ties them to the tokens of one text does not hold.
"""

from collections.abc import Iterator, Sequence

from speculoos.record.identities import Broken, broken_counts
from speculoos.record.metrics import rate
from speculoos.record.types import Batch, Settings


def tokens_per_second(batches: Sequence[Batch]) -> float | None:
    """Tokens of all the slots over the time that all of them took, prompts included."""
    return rate(sum(b.predicted_n for b in batches), sum(b.wall_ms for b in batches))


def broken(batch: Batch, settings: Settings) -> Iterator[Broken]:
    """The field of every count that cannot be, and what is wrong with it."""
    yield from broken_counts(batch, settings)
    if batch.finish and len(batch.finish) != len(batch.prompts):
        yield "finish", f"{len(batch.finish)} ends for {len(batch.prompts)} prompts"
    made, stops = _made(batch), set(batch.finish)
    if made is not None and stops <= {"limit"} and batch.predicted_n < made:
        yield (
            "predicted_n",
            f"{batch.predicted_n} tokens, but the first ones, steps and accepted make {made}",
        )


def _made(batch: Batch) -> int | None:
    """Tokens that must have come: the first of each text, one a step, and those accepted.

    More may come from plain passes; fewer where drafts reached behind an end of text.
    """
    if batch.verify_steps is None or not batch.finish:
        return None
    return len(batch.prompts) + batch.verify_steps + (batch.draft_n_accepted or 0)
