"""Results as CSV: what was measured, observed or stated by others, each in a file of its own.

A spreadsheet takes a cell that starts with `=` and the like for a formula: such text gets an
apostrophe in front, as OWASP's note on CSV injection advises. Numbers are never touched.
"""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from speculoos.publish.dataset import entry
from speculoos.publish.results import Result

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_OF_RESULT = ("id", "kind", "date", "machine", "build", "model", "withdrawn")
_OF_POINT = (
    "setting", "n_max", "tokens_per_second", "speedup", "speedup_low", "speedup_high",
    "acceptance_rate", "mean_acceptance_length", "step_cost", "samples",
)  # fmt: skip
_OF_CLAIM = (
    "tokens_per_second", "tokens_per_second_high", "speedup", "speedup_high", "acceptance_rate",
    "memory_mib",
)  # fmt: skip

Row = dict[str, Any]


def results_csv(results: Iterable[Result]) -> str:
    """The baseline and every setting of what was measured."""
    head = (*_OF_RESULT, *_OF_POINT, "incident")
    found = [entry(result) for result in results if result.measurement.kind == "measured"]
    return _written(head, (row for each in found for row in _points(each)))


def _points(result: Row) -> Iterator[Row]:
    head = {name: result[name] for name in _OF_RESULT}
    for point in (result["baseline"], *result["points"]):
        if point:
            incident = point["incident"]
            shown = {name: point[name] for name in _OF_POINT}
            yield {**head, **shown, "incident": incident and incident["kind"]}


def observed_csv(results: Iterable[Result]) -> str:
    """What was observed of servers in use, one row each; there is no baseline and no speed-up."""
    found = [entry(result) for result in results if result.measurement.kind == "observed"]
    rows = [{**{name: each[name] for name in _OF_RESULT}, **_single(each)} for each in found]
    names = dict.fromkeys(name for row in rows for name in row)
    return _written(names or _OF_RESULT, ({**dict.fromkeys(names), **row} for row in rows))


def _single(result: Row) -> Row:
    """The values of an observation that fit a cell; its lists stand in the JSON."""
    observed = result.get("observed") or {}
    listed = ("tokens_per_second_range", "acceptance_rate_range", "acceptance_by_position")
    return {name: value for name, value in observed.items() if name not in listed}


def reported_csv(results: Iterable[Result]) -> str:
    """Every claim of others, with its conditions and its source; never beside measurements."""
    head = ("id", "date", "setting", "n_max", *_OF_CLAIM, "conditions", "source", "link")
    return _written(head, (row for r in results if r.kind == "reported" for row in _claims(r)))


def _claims(result: Result) -> Iterator[Row]:
    stated = entry(result)
    for claim, known in zip(result.measurement.claims, stated["claims"], strict=True):
        yield {
            "id": result.id,
            "date": stated["date"],
            "setting": claim.settings.label,
            "n_max": claim.settings.n_max,
            **{name: known.get(name) for name in _OF_CLAIM},
            "conditions": claim.conditions.en,
            "source": stated["source"] and stated["source"]["title"],
            "link": stated["source"] and stated["source"].get("link"),
        }


def _written(head: Iterable[str], rows: Iterable[Row]) -> str:
    text = StringIO()
    names = list(head)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A value as a cell; nothing where it is unknown, and never a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
