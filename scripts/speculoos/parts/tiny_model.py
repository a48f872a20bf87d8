"""A tiny model and its MTP head, made tensor by tensor: every draft token is known beforehand.

The model walks a fixed cycle of 48 letters, whatever the prompt.
Its blocks do nothing: their output projections are zero, so the hidden state stays the embedding
of the token, one 1 for the token's class and one 1 for a marker, here marker 0.
The MTP block keeps the class of its token and moves the marker of its hidden state on by one.
So the marker counts the draft steps, and a wrong guess can win for chosen (class, step) pairs.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self

Architecture = Literal["mimo2", "qwen35", "step35"]
"""Each with an MTP graph: qwen35 and step35 in all pinned builds, mimo2 from b10434 on."""

CYCLE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
"""What the model says, again and again; the place of a letter is its class."""
CLASSES = len(CYCLE)
STEPS = 15
"""Draft steps that are told apart; every later step is treated as this one."""
STRAY = "."
"""What a model with a `chance` says instead of the next letter."""


@dataclass(frozen=True)
class Acceptance:
    """Which guesses of the head are wrong, as pairs (class of the last token, draft step from 1).

    >>> Acceptance.by_step([0.75, 0.5]).share(1)
    0.75
    """

    wrong: frozenset[tuple[int, int]] = frozenset()

    def __post_init__(self) -> None:
        for letter, step in self.wrong:
            if not (0 <= letter < CLASSES and 1 <= step <= STEPS):
                raise ValueError(
                    f"({letter}, {step}): expected a class from 0 to {CLASSES - 1}"
                    f" and a draft step from 1 to {STEPS}"
                )

    @classmethod
    def always(cls) -> Self:
        """Every guess is right."""
        return cls()

    @classmethod
    def never(cls) -> Self:
        """Every guess is wrong."""
        return cls.wrong_at((c, step) for c in range(CLASSES) for step in range(1, STEPS + 1))

    @classmethod
    def wrong_at(cls, pairs: Iterable[tuple[int, int]]) -> Self:
        """Exactly these (class, draft step) pairs are wrong."""
        return cls(frozenset(pairs))

    @classmethod
    def by_step(cls, shares: Sequence[float], seed: int = 0) -> Self:
        """At draft step i, `shares[i - 1]` of the classes are guessed right; the last share stays.

        The classes are drawn by a hash of the seed: the same ones on every machine.
        """
        if not shares or not all(0 <= share <= 1 for share in shares):
            raise ValueError(f"shares {list(shares)}: expected one number from 0 to 1 per step")
        return cls.wrong_at(
            (letter, step)
            for step in range(1, STEPS + 1)
            for letter in _draw(1 - shares[min(step, len(shares)) - 1], f"{seed}/{step}")
        )

    def is_right(self, letter: int, step: int) -> bool:
        """Whether the guess after a token of class `letter` is right at draft step `step`."""
        return (letter, min(step, STEPS)) not in self.wrong

    def share(self, step: int) -> float:
        """Share of the classes that are guessed right at this draft step."""
        return sum(self.is_right(letter, step) for letter in range(CLASSES)) / CLASSES


def _draw(share: float, salt: str) -> list[int]:
    """`share` of the classes, in an order that only depends on `salt`."""
    order = sorted(range(CLASSES), key=lambda c: hashlib.sha256(f"{salt}/{c}".encode()).digest())
    return order[: round(CLASSES * share)]


@dataclass(frozen=True)
class TinyModel:
    """What is to be written: an architecture and its guesses, or a chance of being right.

    With `chance` p the target itself is undecided: at temperature 1 with `top_k` 0, `top_p` 1 and
    `min_p` 0 it says the next letter with probability p and a full stop otherwise, so that each
    draft token is accepted with probability p, independently of all others.
    """

    acceptance: Acceptance = field(default_factory=Acceptance)
    architecture: Architecture = "step35"
    chance: float | None = None
    head: bool = True
    """Whether there is an MTP block at all; without one a server must refuse to draft."""
    trunk: bool = True
    """Whether the blocks before it are there; without them the file is a head for another one."""

    def __post_init__(self) -> None:
        if self.chance is not None and not 0 < self.chance < 1:
            raise ValueError(f"chance {self.chance}: expected a number between 0 and 1")
        if self.chance is not None and self.acceptance.wrong:
            raise ValueError("a chance and wrong guesses at once: expected one of them")

    def write(self, path: Path) -> Path:
        """Write the model as GGUF, F32, about 450 kB; the same bytes every time."""
        # numpy and gguf take a third of a second to import
        from speculoos.parts.tiny_gguf import write_gguf  # noqa: PLC0415

        write_gguf(self, path)
        return path


def class_of(token: int) -> int:
    """Class of a token, which decides what comes next; a token is a byte of the prompt."""
    letter = CYCLE.find(chr(token))
    return letter if letter >= 0 else token % CLASSES


def continuation(prompt: str, length: int) -> str:
    """Give the text of `length` tokens that the model says after `prompt`.

    >>> continuation("Say the letters: A", 5)
    'BCDEF'
    """
    start = class_of(prompt.encode()[-1]) + 1
    return "".join(CYCLE[(start + i) % CLASSES] for i in range(length))


def chat_prompt(message: str) -> str:
    """Give the prompt that the model's chat template makes of one message of the user."""
    return f"user: {message}\nassistant:"
