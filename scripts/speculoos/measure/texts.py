"""The tokens of the texts, kept beside the file while it grows.

A record says where a text leaves the baseline's, not what it says. To go on after an interruption
the tokens themselves are needed: the baseline's of every prompt, and those of the samples that
came before their baseline. They lie in a hidden file that goes away with the last sample.
"""

import contextlib
import json
from pathlib import Path

from speculoos.record.store import write_whole

Tokens = tuple[int, ...]
Place = tuple[int, int]
"""The run, and the sample in it."""


def first_difference(tokens: Tokens, reference: Tokens) -> int | None:
    """Index of the first token that differs; None where both texts are the same."""
    for index, (own, other) in enumerate(zip(tokens, reference, strict=False)):
        if own != other:
            return index
    return None if len(tokens) == len(reference) else min(len(tokens), len(reference))


class Texts:
    """The baseline's tokens by prompt, and the early samples' by their place in the record."""

    def __init__(self, out: Path) -> None:
        self.path = out.with_name(f".{out.stem}.tokens.json")
        self.reference: dict[str, Tokens] = {}
        self.early: dict[Place, Tokens] = {}

    def load(self) -> None:
        """What an interrupted measurement has left; nothing where the file is gone or broken."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            saved = json.loads(self.path.read_text(encoding="utf-8"))
            self.reference = {prompt: tuple(own) for prompt, own in saved["reference"].items()}
            self.early = {(run, at): tuple(own) for run, at, own in saved["early"]}

    def save(self) -> None:
        """Write what is kept so that no moment leaves half a file."""
        early = [(*place, tokens) for place, tokens in self.early.items()]
        write_whole(self.path, json.dumps({"reference": self.reference, "early": early}))

    def remove(self) -> None:
        """Leave nothing beside a file that is complete."""
        self.path.unlink(missing_ok=True)
