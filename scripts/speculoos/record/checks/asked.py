from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    request = document.record.request
    if document.record.kind != "measured" or request is None:
        return
    if request.cache_prompt:
        text = "true, expected false: a cached prompt is another experiment; measure again"
        yield document.problem(("request", "cache_prompt"), text)
    if request.temperature:
        text = (
            f"{request.temperature:g}, expected 0: above it, texts and acceptance are drawn anew "
            "at every start; measure again"
        )
        yield document.problem(("request", "temperature"), text)


RULE = Rule("asked", "A measurement asks at temperature 0, without a cached prompt.", _check)
