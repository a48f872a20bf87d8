import datetime as dt
from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document, Key
from speculoos.record.types import Measurement

_FIRST = dt.date(2023, 1, 1)
"""Before it, no llama.cpp could speculate."""
_OTHER_SIDE = dt.timedelta(days=1)
"""The calendar of whoever measured may be a day ahead."""


def _check(document: Document[Measurement], collection: Collection) -> Iterator[Problem]:
    record = document.record
    dates: list[tuple[Key, dt.date]] = [(("date",), record.date)]
    if record.source is not None:
        dates.append((("source", "consulted"), record.source.consulted))
        if record.source.published is not None:
            dates.append((("source", "published"), record.source.published))
    for key, date in dates:
        if collection.today is not None and date > collection.today + _OTHER_SIDE:
            text = f"{date} is still to come; write the day on which it was done"
            yield document.problem(key, text)
        elif date < _FIRST:
            text = f"{date}, before llama.cpp could speculate; write the day on which it was done"
            yield document.problem(key, text)


RULE = Rule("dates", "Every day lies in the past, and after speculation began.", _check)
