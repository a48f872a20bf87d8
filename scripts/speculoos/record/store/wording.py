"""A validation error as one sentence: what is there, what was expected, what to do."""

import difflib
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic_core import ErrorDetails

from speculoos.record import types

_EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "string_type": "text; put it in quotes",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "model_type": "keys with values",
    "model_attributes_type": "keys with values",
    "dict_type": "keys with values",
    "date_parsing": "a date such as 2026-11-29",
    "date_type": "a date such as 2026-11-29",
    "date_from_datetime_parsing": "a date such as 2026-11-29",
    "finite_number": "a finite number",
}
_LONGEST = 40


def dotted(key: tuple[str | int, ...]) -> str:
    """The key as people write it: `runs[2].samples[0].draft_n`."""
    text = ""
    for part in key:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def explain(error: ErrorDetails) -> str:
    """The sentence for one error of pydantic."""
    kind, given = error["type"], error.get("input")
    if kind == "missing":
        return "missing; it is required"
    if kind == "extra_forbidden":
        return f"unknown key{_suggestion(str(error['loc'][-1]))}"
    if kind in _EXPECTED:
        return f"{_shown(given)}, expected {_EXPECTED[kind]}"
    return f"{_shown(given)}, expected {_expected(kind, error)}"


def _expected(kind: str, error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    texts = {
        "greater_than_equal": "{ge} or more",
        "less_than_equal": "{le} or less",
        "literal_error": "{expected}",
        "string_pattern_mismatch": "text of the form {pattern}",
        "string_too_short": "at least {min_length} character(s)",
        "string_too_long": "at most {max_length} characters",
        "too_short": "at least {min_length} entries",
        "too_long": "at most {max_length} entries",
    }
    return texts[kind].format(**context) if kind in texts else error["msg"]


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "keys with values"
    if isinstance(value, list):
        return "a list"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _suggestion(name: str) -> str:
    near = difflib.get_close_matches(name, _field_names(), n=1)
    return f"; did you mean {near[0]!r}?" if near else "; remove it"


@cache
def _field_names() -> tuple[str, ...]:
    return tuple(sorted({name for part in _parts() for name in part.model_fields}))


def _parts() -> Iterator[type[types.Part]]:
    yield from types.Part.__subclasses__()
