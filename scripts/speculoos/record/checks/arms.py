from collections.abc import Iterator

from speculoos.record.arms import Value, differences
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    runs = document.record.runs
    for other in differences(runs, "prompt_n"):
        text = f"{other.value}, but the baseline has {_either(other.baseline)} for this prompt"
        key = ("runs", other.run, other.part, other.index, "prompt_n")
        yield document.problem(
            key, f"{text}; it was another prompt, or cached: measure again with cache_prompt false"
        )
    for other in differences(runs, "finish"):
        text = f"{_shown(other.value)}, but the baseline ended by {_either(other.baseline)}"
        key = ("runs", other.run, other.part, other.index, "finish")
        said = f"{text}; this run does not count, take a max_tokens that every text reaches"
        yield document.caution(key, said)  # the summary warns of it


def _either(values: tuple[Value, ...]) -> str:
    return " or ".join(map(_shown, values))


def _shown(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


RULE = Rule(
    "arms", "A prompt has one length, and its text one kind of end, in every setting.", _check
)
