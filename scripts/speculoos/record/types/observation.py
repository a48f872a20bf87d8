"""What a server at work did, in its own counts: no prompt, no text, no time of day."""

from typing import Annotated, Literal

from pydantic import Field

from speculoos.record.types.part import Count, Part, Positive, Quantity, Text
from speculoos.record.types.settings import Settings


class Window(Part):
    """What the server finished between two moments; a request counts where it ends."""

    from_s: Quantity | None = None
    """Seconds since the observation began; absent for a log, whose lines have no clock."""
    to_s: Quantity | None = None
    requests: Count | None = None
    """Known from a log; the counters of `/metrics` do not hold it."""
    prompt_n: Count | None = None
    prompt_ms: Quantity | None = None
    predicted_n: Count
    predicted_ms: Quantity
    """Time of the slots, added up: with several at once more than what the clock shows."""
    draft_n: Count | None = None
    draft_n_accepted: Count | None = None
    verify_steps: Count | None = None
    accepted_per_position: tuple[Count, ...] | None = None
    decodes: Count | None = None
    """Passes of the model, running requests included."""
    slot_decodes: Quantity | None = None
    """The busy slots of each pass, added up: over `decodes`, how many were at work at once."""


class Silence(Part):
    """A time without an answer, between the last one before it and the first one after it."""

    from_s: Quantity
    to_s: Quantity | None = None
    """Absent where the server had not come back when the observation ended."""
    restarted: bool | None = None
    """Whether the counters began anew; what ran when the server ended is not counted."""


class Rounding(Part):
    """How far each total may be off: `/metrics` prints six significant digits."""

    prompt_n: Quantity = 0.0
    prompt_ms: Quantity = 0.0
    predicted_n: Quantity = 0.0
    predicted_ms: Quantity = 0.0
    draft_n: Quantity = 0.0
    draft_n_accepted: Quantity = 0.0
    verify_steps: Quantity = 0.0


class Observation(Part):
    """A server at work, seen through its counters or its log."""

    by: Literal["metrics", "log"]
    settings: Settings | None = None
    """What the server was started with: no endpoint tells n_max, so a person must."""
    slots: Positive | None = None
    every_s: Quantity | None = None
    """Time between two readings."""
    watched_s: Quantity | None = None
    """From the first reading to the last, silences included."""
    windows: Annotated[tuple[Window, ...], Field(max_length=1000)] = ()
    """Those in which something was finished; neighbours are added up where there are too many."""
    silences: tuple[Silence, ...] = ()
    rounding: Rounding | None = None
    """Absent where the counters were printed exactly."""
    running_at_end: Count | None = None
    """Requests that had not ended; nothing of them is counted."""
    tool_version: Text
    command: Text
    """The command that made the file: no address, no path, no key."""
