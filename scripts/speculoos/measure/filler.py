"""Neutral text to put in front of a prompt, so that its answer begins at a depth of the context."""

import hashlib
from collections.abc import Callable, Sequence

_PLACES = ("harbour", "station", "orchard", "quarry", "library", "mill", "bridge", "lighthouse")
_WINDS = ("a northern wind", "a weak breeze", "no wind at all", "gusts from the sea", "warm air")
_SKIES = ("low clouds", "a clear sky", "fog until noon", "thin haze", "broken clouds", "drizzle")
_NOTES = (
    "the gauge was read twice",
    "a fence was mended",
    "two cyclists stopped to ask the way",
    "the log was signed by the keeper",
    "the lamp was cleaned",
    "nothing else was noted",
    "the boat came late",
)
_INTRODUCTION = "The log of a weather station, for reference only; the request follows below it."
_SAMPLE = 200
"""Sentences that are counted to know how long one is."""


def filler(depth: int, count_tokens: Callable[[str], int]) -> str:
    """About `depth` tokens of a station's log; the same text every time, and no line twice.

    A text that repeats itself would be a gift to n-grams. `count_tokens` is the model's own.
    """
    if depth == 0:
        return ""
    sentences = max(round(depth * _SAMPLE / count_tokens(_log(_SAMPLE))), 1)
    for _ in range(2):
        sentences = max(round(sentences * depth / count_tokens(_log(sentences))), 1)
    return f"{_INTRODUCTION}\n\n{_log(sentences)}"


def _log(sentences: int) -> str:
    return "\n".join(_sentence(number) for number in range(1, sentences + 1))


def _sentence(number: int) -> str:
    draw = hashlib.sha256(str(number).encode()).digest()

    def pick(words: Sequence[str], byte: int) -> str:
        return words[draw[byte] % len(words)]

    measured = f"{draw[4] % 30} degrees and {950 + draw[5] % 80} hectopascals"
    return (
        f"Entry {number}, at the {pick(_PLACES, 0)}: {pick(_WINDS, 1)}, {pick(_SKIES, 2)}, "
        f"{measured}; {pick(_NOTES, 3)}."
    )
