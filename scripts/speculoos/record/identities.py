"""What must hold between the counts of one sample; a sample that breaks it is invalid.

D = verification steps, A = accepted, P = plain passes without a draft, B = decodes of the prompt.
`predicted_n = 1 + D + P + A - over`, where `over` (accepted behind the end of a text, never sent)
is 0 when the stop is `limit`; `decodes = B + D + P`.
"""

from collections.abc import Iterator
from itertools import pairwise

from speculoos.record.types import NO_SPECULATION, Batch, Sample, Settings

Broken = tuple[str, str]
"""The field, and what is wrong with it."""


def broken(sample: Sample, settings: Settings) -> Iterator[Broken]:
    """Every identity that the sample breaks."""
    yield from broken_counts(sample, settings)
    yield from _text(sample, settings)


def broken_counts(counted: Sample | Batch, settings: Settings) -> Iterator[Broken]:
    """Those between the counts of speculation, which hold for several slots together, too."""
    if settings.spec_type == NO_SPECULATION:
        yield from _baseline(counted)
    else:
        yield from _drafts(counted)
        yield from _positions(counted, settings)
    yield from _answer(counted)
    if counted.truncated:
        yield "truncated", "the server cut the context; its counts mean nothing. Use a larger -c."


def prompt_decodes(sample: Sample) -> int | None:
    """B, exact where the stop is `limit`: decodes - D - P, with P from the tokens."""
    if sample.decodes is None or sample.finish != "limit":
        return None
    return sample.decodes - (sample.predicted_n - 1 - (sample.draft_n_accepted or 0))


def _answer(sample: Sample | Batch) -> Iterator[Broken]:
    for field in ("timings_draft_n", "timings_draft_n_accepted"):
        said, counted = getattr(sample, field), getattr(sample, field.removeprefix("timings_"))
        if said is not None and said != counted:
            yield field, f"{said} says the answer, {counted} say the server's counters"


def _baseline(sample: Sample | Batch) -> Iterator[Broken]:
    for field in ("draft_n", "draft_n_accepted", "verify_steps"):
        value = getattr(sample, field)
        if value:
            yield field, f"{value} in a baseline; without speculation nothing is drafted"
    if any(sample.accepted_per_position or ()):
        yield "accepted_per_position", "counts in a baseline; without speculation there are none"


def _drafts(sample: Sample | Batch) -> Iterator[Broken]:
    drafted, accepted, steps = sample.draft_n, sample.draft_n_accepted, sample.verify_steps
    if drafted is not None and accepted is not None and accepted > drafted:
        yield (
            "draft_n_accepted",
            f"{accepted} accepted but draft_n is {drafted}; a token is drafted before it is "
            "accepted",
        )
    if drafted is not None and steps is not None and steps > drafted:
        yield "verify_steps", f"{steps} steps but draft_n is {drafted}; a step checks a draft"


def _positions(sample: Sample | Batch, settings: Settings) -> Iterator[Broken]:
    counts, field = sample.accepted_per_position, "accepted_per_position"
    if counts is not None:
        if any(later > earlier for earlier, later in pairwise(counts)):
            yield field, f"{list(counts)} grows; a position counts only if those before it do"
        if sum(counts) != (sample.draft_n_accepted or 0):
            yield field, f"adds up to {sum(counts)}, draft_n_accepted is {sample.draft_n_accepted}"
        if counts and sample.verify_steps is not None and counts[0] > sample.verify_steps:
            yield field, f"{counts[0]} at the first position in {sample.verify_steps} steps"
    if settings.n_max is not None:
        yield from _depth(sample, settings.n_max)


def _depth(sample: Sample | Batch, n_max: int) -> Iterator[Broken]:
    deepest = len([count for count in sample.accepted_per_position or () if count])
    if deepest > n_max:
        yield "accepted_per_position", f"{deepest} positions with n_max {n_max}"
    if sample.draft_n is not None and sample.verify_steps is not None:
        most = sample.verify_steps * n_max
        if sample.draft_n > most:
            yield (
                "draft_n",
                f"{sample.draft_n} drafted in {sample.verify_steps} steps; with n_max {n_max} "
                f"at most {most}",
            )


def _text(sample: Sample, settings: Settings) -> Iterator[Broken]:
    steps, accepted = sample.verify_steps, sample.draft_n_accepted or 0
    if sample.decodes is not None and sample.predicted_n > sample.decodes + accepted:
        yield (
            "predicted_n",
            f"{sample.predicted_n} tokens from {sample.decodes} decodes and {accepted} accepted",
        )
    if steps is None or sample.predicted_n == 0:
        return
    plain = sample.predicted_n - 1 - steps - accepted
    over = 0 if sample.finish == "limit" else (settings.n_max or _UNKNOWN_DEPTH)
    if plain < -over:
        yield (
            "predicted_n",
            f"{sample.predicted_n} tokens, but the first one, {steps} steps and {accepted} "
            f"accepted make {1 + steps + accepted}",
        )
    decodes = prompt_decodes(sample)
    if decodes is not None and not 1 <= decodes <= max(sample.prompt_n, 1):
        yield "decodes", f"{decodes} decodes are left for a prompt of {sample.prompt_n} tokens"


_UNKNOWN_DEPTH = 64
"""How far an n-gram draft without a stated depth may reach behind an end of text."""
