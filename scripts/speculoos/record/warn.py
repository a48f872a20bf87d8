"""What a reader must know before the figures, as data: the sentences are made where they show."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Warn:
    """Something a reader must know before the figures; `kind` is a slug."""

    kind: str
    figures: Mapping[str, float | str] | None = None
