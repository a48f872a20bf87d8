"""The counts that a server must report for a tiny model: the walk, played through in Python."""

from dataclasses import dataclass
from itertools import takewhile

from speculoos.parts.tiny_model import CLASSES, TinyModel, class_of


@dataclass(frozen=True)
class Counts:
    """What one request drafts; the names are those of the record's samples.

    A server leaves `draft_n` and `draft_n_accepted` out of its answer where nothing was drafted.
    """

    draft_n: int
    draft_n_accepted: int
    verify_steps: int
    accepted_per_position: tuple[int, ...]
    """One count for each position up to `n_max`."""


def expected(model: TinyModel, prompt: str, n_max: int, predicted_n: int) -> Counts:
    """Count what one greedy request of `predicted_n` tokens drafts, in a context with room for all.

    The prompt's pass gives the first token.
    A draft is never longer than the tokens that remain, less the one that each check adds itself.
    """
    if n_max < 1:
        raise ValueError(f"n_max {n_max}: a baseline drafts nothing; expected 1 or more")
    if model.chance is not None:
        raise ValueError("the counts of a model with a chance are not known, only their means")
    drafted, accepted = [], []
    letter, remaining = class_of(prompt.encode()[-1]) + 1, predicted_n - 1
    while remaining > 1:
        drafted.append(min(n_max, remaining - 1))
        accepted.append(_accepted(model, letter, drafted[-1]))
        letter += accepted[-1] + 1
        remaining -= accepted[-1] + 1
    return Counts(
        draft_n=sum(drafted),
        draft_n_accepted=sum(accepted),
        verify_steps=len(drafted),
        accepted_per_position=tuple(sum(k > i for k in accepted) for i in range(n_max)),
    )


def _accepted(model: TinyModel, letter: int, length: int) -> int:
    """How many guesses in a row are right, from the token of class `letter` on."""
    guesses = (
        model.acceptance.is_right((letter + step - 1) % CLASSES, step)
        for step in range(1, length + 1)
    )
    return sum(takewhile(bool, guesses))
