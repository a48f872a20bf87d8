"""A validation error as one sentence: what is there, what was expected, what to do."""

import difflib
from functools import cache
from typing import Any

from pydantic_core import ErrorDetails

from speculoos.record import types

_WHOLE = "a whole number; write digits alone, without quotes"
_NUMBER = "a number; write digits alone, without quotes or a unit"
_TEXT = "text; put it in quotes"
_LIST = "a list; write [a, b], or one line with - for each entry"
_KEYS = "keys with values; write one `key: value` a line"
_YES_NO = "true or false; write one of them without quotes"
_DATE = "a date such as 2026-11-29; write year, month and day"
_LANGUAGES = "both languages; write {fr: …, en: …}"
_EXPECTED = {
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": "a whole number of usual size; correct it",
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "string_type": _TEXT,
    "bool_type": _YES_NO,
    "bool_parsing": _YES_NO,
    "tuple_type": _LIST,
    "model_type": _KEYS,
    "model_attributes_type": _KEYS,
    "dict_type": _KEYS,
    "date_parsing": _DATE,
    "date_type": _DATE,
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": _DATE,
    "finite_number": "a finite number; leave the key out where the value is not known",
}
_BOUNDS = {
    "greater_than_equal": "{ge} or more; correct it, or leave it out where it is not known",
    "less_than_equal": "{le} or less; correct it (is the unit right?)",
    "less_than": "less than {lt}; correct it",
    "literal_error": "{expected}; write it like that",
    "string_too_short": "at least {min_length} character(s); write it, or leave the key out",
    "string_too_long": "at most {max_length} characters; shorten it",
    "too_short": "at least {min_length} entries; add what is missing",
    "too_long": "at most {max_length} entries; remove the rest",
}
_FORMS = {
    r"\S": "text that is not blank; write it, or leave the key out",
    r"^[0-9a-f]{64}$": "a SHA-256 of 64 digits 0-9 a-f; copy what `sha256sum FILE` prints",
    r"^[a-z0-9]+(?:[-._][a-z0-9]+)*$": "lower-case letters and digits, joined by - . or _; "
    "rename it",
    r"^[^/\\]+$": "a file's name; remove the folders before it",
    r"^[^/\\]+/[^/\\]+\.yaml$": "a file of this folder; write <machine>/<name>.yaml",
    r"^https?://\S+$": "an address that starts with https://; write it in full",
}
_LONGEST = 40
_BLANK = {None: "nothing", True: "true", False: "false"}


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
        both = error["loc"][-1] in types.Bilingual.model_fields
        example = "write it in both languages" if both else "add it, as CONTRIBUTING.md shows"
        return f"missing; it is required, {example}"
    if kind == "extra_forbidden":
        return f"unknown key{_suggestion(str(error['loc'][-1]))}"
    return f"{_shown(given)}, expected {_expected(kind, error)}"


def _expected(kind: str, error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    if context.get("class_name") == types.Bilingual.__name__:
        return _LANGUAGES
    if kind == "string_pattern_mismatch":
        pattern = context["pattern"]
        return _FORMS.get(pattern, f"text of the form {pattern}; correct it")
    if kind in _BOUNDS:
        return _BOUNDS[kind].format(**context)
    return _EXPECTED.get(kind) or f"something else ({error['msg']}); correct it"


def _shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return _BLANK[value]
    if isinstance(value, dict):
        return "keys with values"
    if isinstance(value, list):
        return "a list"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _suggestion(name: str) -> str:
    near = difflib.get_close_matches(name[:_LONGEST], _field_names(), n=1)
    return f"; did you mean {near[0]!r}?" if near else "; remove it"


@cache
def _field_names() -> tuple[str, ...]:
    return tuple(
        sorted({name for part in types.Part.__subclasses__() for name in part.model_fields})
    )
