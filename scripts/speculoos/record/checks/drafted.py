from collections.abc import Iterator
from dataclasses import replace

from speculoos.record.blocks import answers
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import NO_SPECULATION, Measurement, Run


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    for at, run in enumerate(document.record.runs):
        if _drafts(run) and not any(one.draft_n for one in answers(run)):
            text = (
                f"{run.settings.label} drafted nothing: speculation was off; see "
                "/slots[].speculative and the server's log"
            )
            problem = document.problem(("runs", at), text)
            # an n-gram that finds nothing to repeat is a result, not a fault
            ngram = run.settings.spec_type.startswith("ngram")
            yield replace(problem, severity="warning" if ngram else "error")


def _drafts(run: Run) -> bool:
    return run.settings.spec_type != NO_SPECULATION and bool(answers(run)) and not run.incident


RULE = Rule("drafted", "A run that speculates drafted something.", _check)
