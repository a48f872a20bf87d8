from collections.abc import Iterator

from speculoos.record.arms import differences
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement
from speculoos.record.warn import Warn


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    runs = document.record.runs
    for other in differences(runs, "prompt_n"):
        text = f"{other.value}, but the baseline has {_either(other.baseline)} for this prompt"
        key = ("runs", other.run, "samples", other.sample, "prompt_n")
        yield document.problem(
            key, f"{text}; it was another prompt, or cached: measure again with cache_prompt false"
        )
    for other in differences(runs, "finish"):
        text = f"{other.value}, but the baseline ended by {_either(other.baseline)}"
        key = ("runs", other.run, "samples", other.sample, "finish")
        said = f"{text}; the two texts are not the same work, read its speed-up with care"
        yield document.caution(
            key, said, Warn("other-end", {"setting": _label(document, other.run)})
        )


def _label(document: Document[Measurement], run: int) -> str:
    return document.record.runs[run].settings.label


def _either(values: tuple[str | int, ...]) -> str:
    return " or ".join(map(str, values))


RULE = Rule(
    "arms", "A prompt has one length, and its text one kind of end, in every setting.", _check
)
