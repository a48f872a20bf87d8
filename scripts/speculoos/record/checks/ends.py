from collections.abc import Iterator

from speculoos.record.checks.every import every_sample
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement
from speculoos.record.warn import Warn

_KNOWN = ("limit", "eos", "word", "none")
"""What llama-server gives as `stop_type`."""
_LEAST = 32
"""Tokens below which the start and the end of a text weigh more than what lies between."""


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    early, samples = [], list(every_sample(document.record))
    for key, _run, sample in samples:
        if sample.finish not in _KNOWN:
            text = f"{sample.finish!r}, expected {', '.join(_KNOWN)}; copy the server's stop_type"
            yield document.problem((*key, "finish"), text)
        if sample.finish in {"eos", "word"} and sample.predicted_n < _LEAST:
            early.append((key, sample.predicted_n))
    for key, tokens in early[:1]:
        text = (
            f"{tokens} tokens: {len(early)} of {len(samples)} texts end before {_LEAST}, too "
            "short to tell a speed; take prompts that ask for more"
        )
        figures = {"count": len(early), "of": len(samples), "least": _LEAST}
        yield document.caution((*key, "predicted_n"), text, Warn("early-end", figures))


RULE = Rule("ends", "A text ends in a way that is known, and not at once.", _check)
