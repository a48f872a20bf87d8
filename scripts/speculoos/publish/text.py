"""How numbers and labels read in the two languages of the site."""

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Literal, get_args

Language = Literal["fr", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

THIN = "\u202f"
"""Narrow no-break space: French typography before units and high punctuation, and in thousands."""
FIXED = "\u00a0"
MINUS = "\u2212"
TIMES = "\u00d7"
ABSENT = "\u2013"
_DIGITS = Context(prec=350)
"""As many as the largest number of a computer has, and its decimals."""


def number(value: float, language: Language, digits: int = 2) -> str:
    r"""`value` rounded half up to `digits` decimals, in the language's signs.

    >>> number(1234.565, "fr"), number(1234.565, "en")
    ('1\u202f234,57', '1,234.57')
    """
    step = Decimal(1).scaleb(-digits)
    rounded = Decimal(str(value)).quantize(step, ROUND_HALF_UP, _DIGITS)
    if not rounded:
        rounded = abs(rounded)  # no minus before a zero
    shown = f"{rounded:,f}".replace("-", MINUS)
    return shown if language == "en" else shown.replace(",", THIN).replace(".", ",")


def percent(share: float, language: Language, digits: int = 0) -> str:
    """A share of 1 as a percentage: `41 %` in French, `41%` in English."""
    space = THIN if language == "fr" else ""
    return f"{number(share * 100, language, digits)}{space}%"


def times(ratio: float, language: Language, digits: int = 2) -> str:
    """A ratio between rates, its sign before the number in French, after it in English."""
    shown = number(ratio, language, digits)
    return f"{TIMES}{THIN}{shown}" if language == "fr" else f"{shown}{TIMES}"


LOWEST, HIGHEST = 0.1, 10.0
"""A bound of an interval beyond these comes from too few data: its digits mean nothing."""


def _bound(value: float, language: Language, digits: int) -> str:
    if value < LOWEST:
        return f"<{FIXED}{number(LOWEST, language, 1)}"
    if value > HIGHEST:
        return f">{FIXED}{number(HIGHEST, language, 0)}"
    return number(value, language, digits)


def between(low: float, high: float, language: Language, digits: int = 2) -> str:
    """The bounds of a speed-up's interval: `1,12 à 1,22`, `1.12 to 1.22`."""
    return span((_bound(end, language, digits) for end in (low, high)), language)


def span(ends: Iterable[str], language: Language) -> str:
    """From one end to the other: `1 à 2`, `1 to 2`."""
    return (" à " if language == "fr" else " to ").join(ends)


def with_unit(value: float, unit: str, language: Language, digits: int = 1) -> str:
    """A quantity; its unit never starts a line."""
    space = THIN if language == "fr" else FIXED
    return f"{number(value, language, digits)}{space}{unit}"


def rate(value: float, language: Language) -> str:
    """Generated tokens per second."""
    return with_unit(value, "jetons/s" if language == "fr" else "tokens/s", language)


def joined(words: Iterable[str], language: Language) -> str:
    """`1, 2 et 3`; `1, 2 and 3`."""
    *first, last = list(words) or [""]
    glue = " et " if language == "fr" else " and "
    return glue.join([", ".join(first), last]) if first else last


def colon(language: Language) -> str:
    """The colon with the space that the language puts around it."""
    return f"{THIN}: " if language == "fr" else ": "


def typeset(text: str, language: Language) -> str:
    """French spaces: narrow before `; : ! ? %` and inside « », so that sources stay readable."""
    if language == "en":
        return text
    text = re.sub(r" (?=[;:!?%»])", THIN, text)
    return text.replace("« ", f"«{THIN}")
