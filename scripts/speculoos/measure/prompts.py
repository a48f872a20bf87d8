"""Prompt sets: where they are found, and how a prompt becomes the text that is sent."""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from speculoos.measure.client import Client
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


def render(client: Client, prompts: Sequence[Prompt]) -> dict[str, str]:
    """The text to send for every prompt, by its id; a chat template is applied by the server."""
    return {p.id: p.text if p.raw else client.render(p.text) for p in prompts}


def warm_up_text(client: Client, prompts: Sequence[Prompt]) -> str:
    """A text that no set holds: an n-gram cache must learn nothing from the warm-up."""
    return _WARM_UP if all(p.raw for p in prompts) else client.render(_WARM_UP)
