from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Bilingual, Measurement

_LONG = 40
"""A name may be the same in both languages; a sentence is not."""


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    record = document.record
    for name in ("title", "notes", "withdrawn"):
        text: Bilingual | None = getattr(record, name)
        if text is not None and text.fr == text.en and len(text.fr) > _LONG:
            said = "the same sentence in both languages; translate it"
            yield document.caution((name, "en"), said)


RULE = Rule("languages", "A text in two languages is not one text twice.", _check)
