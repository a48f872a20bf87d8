"""`prompts/<set>.yaml`: versioned prompts; a set is never edited, a new one is added."""

from typing import Annotated, Literal

from pydantic import Field

from speculoos.record.types.part import Bilingual, Part, Slug


class Prompt(Part):
    """One prompt: a user's message, or raw text for a model without a chat template."""

    id: Slug
    kind: Slug
    """What it asks for: code, rewrite, explain, prose, list …"""
    language: Literal["fr", "en", "none"]
    text: Annotated[str, Field(min_length=1, max_length=200_000)]
    raw: bool = False
    """Sent as it stands, without the model's chat template."""


class PromptSet(Part):
    """Versioned prompts; a set is never edited, a new one is added."""

    format: Literal[1]
    id: Slug
    notes: Bilingual
    prompts: Annotated[tuple[Prompt, ...], Field(min_length=1)]
