"""`docs/sources.yaml`: every text that the pages cite, once."""

from typing import Annotated, Literal

from pydantic import Field

from speculoos.record.types.part import Part, Slug, Text

Kind = Literal["paper", "method", "project", "field"]


class Reference(Part):
    """One text of others; the key it stands under is its anchor on the page of sources."""

    kind: Kind
    """`paper`, `method` (how to measure), `project` (llama.cpp), `field` (what people met)."""
    short: Annotated[str, Field(min_length=1, max_length=40)]
    """How a page names it in passing: `Leviathan et al., 2022`, `llama.cpp 25345`."""
    author: Text
    title: Text
    link: Annotated[str, Field(pattern=r"^https://\S+$", max_length=500)]
    published: Annotated[str, Field(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")] | None = None
    """As exactly as it is known: a year, a month or a day."""
    consulted: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")] | None = None
    """The day on which it was read; absent where it is cited without having been read again."""


class Sources(Part):
    """The file: references by key."""

    format: Literal[1]
    sources: Annotated[dict[Slug, Reference], Field(min_length=1)]
