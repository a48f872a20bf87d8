"""Prompt sets: where they are found, and how a prompt becomes the text that is sent."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from speculoos.measure.client import Client
from speculoos.measure.filler import filler
from speculoos.record.store import Document, load_prompt_set
from speculoos.record.types import Prompt, PromptSet

DEFAULT_SET = "mixed-1"
_WARM_UP = "Write one sentence about the weather."


def find_prompt_set(name: str, folders: Sequence[Path]) -> Document[PromptSet]:
    """A set by its id, or a file by its path; raises `LookupError` that names what there is."""
    named = Path(name)
    if named.suffix == ".yaml" and named.is_file():
        return load_prompt_set(named)
    for folder in (*folders, *_own_folders()):
        path = folder / f"{name}.yaml"
        if path.is_file():
            return load_prompt_set(path)
    known = ", ".join(sorted(_known(folders))) or "none"
    raise LookupError(f"no prompt set {name!r}; there are: {known}")


def _own_folders() -> Iterator[Path]:
    """The sets that an installed package carries, or those of the repository around it."""
    package = Path(str(files("speculoos")))
    yield package / "prompts"
    yield package.parents[1] / "measurements" / "prompts"


def _known(folders: Sequence[Path]) -> set[str]:
    return {path.stem for folder in (*folders, *_own_folders()) for path in folder.glob("*.yaml")}


@dataclass(frozen=True)
class Workload:
    """How the same prompts are asked in one measurement; each way needs a baseline of its own."""

    reasoning: bool = False
    """Whether the model is asked to think first, where its chat template can."""
    depth: int = 0
    """Tokens of neutral text in front of every prompt, about."""

    def texts(self, client: Client, prompts: Sequence[Prompt]) -> dict[str, str]:
        """The text to send for every prompt, by its id; the server applies a chat template."""
        front = filler(self.depth, client.tokens)
        return {prompt.id: self._text(client, prompt, front) for prompt in prompts}

    def possible(self, client: Client, prompts: Sequence[Prompt]) -> bool:
        """Whether reasoning that is asked for reaches the model."""
        return not self.reasoning or (
            not all(prompt.raw for prompt in prompts) and knows_reasoning(client)
        )

    @property
    def words(self) -> str:
        """What the name of a file says of it; nothing for the plain workload."""
        depth = f" depth {self.depth}" if self.depth else ""
        return depth + (" reasoning" if self.reasoning else "")

    def _text(self, client: Client, prompt: Prompt, front: str) -> str:
        message = f"{front}\n\n{prompt.text}" if front else prompt.text
        return message if prompt.raw else client.render(message, reasoning=self.reasoning)


PLAIN = Workload()
"""No reasoning, nothing in front."""


def knows_reasoning(client: Client) -> bool:
    """Whether the chat template writes another text when the model is asked to think."""
    return client.render(_WARM_UP, reasoning=True) != client.render(_WARM_UP, reasoning=False)


def warm_up_text(client: Client, prompts: Sequence[Prompt]) -> str:
    """A text that no set holds: an n-gram cache must learn nothing from the warm-up."""
    return _WARM_UP if all(p.raw for p in prompts) else client.render(_WARM_UP)
