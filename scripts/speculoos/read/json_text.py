"""JSON out of texts of strangers: whatever they hold, it is a value or nothing."""

import json
from typing import Any, NamedTuple

_DECODER = json.JSONDecoder()


class Found(NamedTuple):
    """A JSON value, and where the text behind it begins."""

    value: Any
    end: int


def value_at(text: str, start: int = 0) -> Found | None:
    """The value that begins at a place; None where none does, or one too deeply nested."""
    try:
        return Found(*_DECODER.raw_decode(text, start))
    except (ValueError, RecursionError):
        return None


def only_value(text: str) -> Any:
    """The value of a text that holds one and nothing else; None otherwise."""
    found = value_at(text)
    return found.value if found and not text[found.end :].strip() else None
