"""What a server was started with, as far as speculation is concerned."""

from typing import Annotated

from pydantic import Field

from speculoos.record.types.part import Part, Share, Slug

NO_SPECULATION = "none"
UNKNOWN = "unknown"
"""A type that a log or a page of counters does not tell; `check` asks a person for it."""


class Settings(Part):
    """What one run tries. The baseline is `spec_type: none` and nothing else."""

    spec_type: Slug
    n_max: Annotated[int, Field(ge=1, le=1024)] | None = None
    n_min: Annotated[int, Field(ge=0, le=1024)] | None = None
    p_min: Share | None = None

    @property
    def label(self) -> str:
        """The name of this setting in `design.order`: `baseline`, `n_max 3`."""
        if self.spec_type == NO_SPECULATION:
            return "baseline"
        return self.spec_type if self.n_max is None else f"n_max {self.n_max}"
