from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

_NEED_AN_ENDING = ("crash", "killed", "illegal-instruction")


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    for at, run in enumerate(document.record.runs):
        seen, key = run.incident, ("runs", at, "incident")
        if seen is None:
            continue
        done = len(run.samples) + len(run.batches)
        if seen.after_samples > done:
            text = f"{seen.after_samples}, but the run holds {done}; make them agree"
            yield document.problem((*key, "after_samples"), text)
        ended = seen.signal is not None or seen.exit_code is not None or seen.line is not None
        if seen.kind in _NEED_AN_ENDING and not ended:
            text = f"a {seen.kind} without its end; add exit_code, signal, or the server's line"
            yield document.problem(key, text)


RULE = Rule("incident", "A run that ended badly says how, and after how many samples.", _check)
