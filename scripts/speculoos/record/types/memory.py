"""`docs/memory.yaml` and `docs/memory-logged.yaml`: what models need, and what servers logged."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from speculoos.record.types.part import Count, Part, Positive, Quantity, Slug, Text

Sizes = dict[Text, Quantity]


class LoggedStart(Part):
    """One start of a server: buffers in MiB by name, as logged and as expected."""

    model: Text
    build: Slug
    context: Positive
    slots: Positive
    unified: bool
    ubatch: Positive
    kv_type: Slug
    n_max: Count
    logged: Sizes
    predicted: Sizes


class LoggedMemory(Part):
    """All starts that were compared."""

    format: Literal[1]
    date: date
    starts: Annotated[tuple[LoggedStart, ...], Field(min_length=1)]


class PublicModel(Part):
    """A model by the keys of its file, without the architecture's prefix."""

    name: Text
    architecture: Slug
    source: Slug
    """Key of the source that gives these keys."""
    parameters_billion: Quantity
    """As its publisher states it: the tensors that follow from the keys must add up to it."""
    vocabulary: Positive
    tied: bool = False
    """Whether the embedding is the output matrix too."""
    type: Text = "Q4_K"
    """Of the matrices."""
    keys: dict[Text, Any]


class ReportedShare(Part):
    """What others saw a head take on a card."""

    machine: Text
    n_max: Positive
    mib: Quantity
    more_mib: Quantity | None = None
    """For each further token of n_max."""
    source: Slug


class PublicModels(Part):
    """Cards and models of the table."""

    format: Literal[1]
    cards_gib: tuple[Positive, ...]
    keep_free_gib: Quantity
    models: tuple[PublicModel, ...]
    reported: tuple[ReportedShare, ...] = ()
