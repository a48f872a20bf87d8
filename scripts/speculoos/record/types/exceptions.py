"""`measurements/exceptions.yaml`: what breaks a rule for a reason."""

from typing import Annotated, Literal

from pydantic import Field

from speculoos.record.types.part import Part, Slug, Text


class Exempt(Part):
    """One rule that one file need not keep."""

    rule: Slug
    file: Annotated[str, Field(pattern=r"^[^/\\]+/[^/\\]+\.yaml$", max_length=200)]
    """Below `measurements/`: `<machine>/<date>-<slug>.yaml`."""
    key: Text | None = None
    """The key that the problem names, such as `runs[2].samples[0].wall_ms`; absent for all."""
    reason: Text


class Exceptions(Part):
    """The file: every exception with its reason; one that no longer fails is an error."""

    format: Literal[1]
    exceptions: tuple[Exempt, ...]
