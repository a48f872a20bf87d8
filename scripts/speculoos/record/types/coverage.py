"""`docs/coverage.yaml`: how often an interval holds the true value, on simulated machines."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from speculoos.record.types.part import Part, Positive

Share = Annotated[float, Field(ge=0, le=1)]


class CoverageRow(Part):
    """Machines of one restlessness: the share of intervals that hold the truth, by rule."""

    noise: Share
    """Of a start of the server, as a share of its rate."""
    at_once: Share
    """Ended at the first block with a narrow interval."""
    one_more: Share
    """Ended one block later: the rule that `measure` follows."""
    all_blocks: Share
    """Never ended early."""


class Coverage(Part):
    """All rows of one simulation."""

    format: Literal[1]
    date: date
    simulations: Positive
    """Machines for each row."""
    rows: Annotated[tuple[CoverageRow, ...], Field(min_length=1)]
