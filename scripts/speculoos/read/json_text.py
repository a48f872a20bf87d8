"""JSON out of texts of strangers: whatever they hold, it is a value or nothing."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

_LARGEST = 1e15
"""No count and no time of a request comes near."""
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


def number(entry: Mapping[str, Any], key: str) -> float | None:
    """A figure of an object that strangers wrote; None where it is none."""
    value = entry.get(key)
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if good and value is not None and 0 <= value < _LARGEST else None


def count(entry: Mapping[str, Any], key: str) -> int | None:
    """A count of an object that strangers wrote; None where it is none."""
    value = number(entry, key)
    return int(value) if value is not None and value == int(value) else None


def numbers(entry: Mapping[str, Any], key: str) -> list[float]:
    """The figures of a list; none where one of them is none."""
    values = entry.get(key)
    found = [number({key: v}, key) for v in values] if isinstance(values, list) else []
    return [v for v in found if v is not None] if None not in found else []


def entries(document: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The objects of a list within a document."""
    found = document.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
