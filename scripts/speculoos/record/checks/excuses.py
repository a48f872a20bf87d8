"""What may break a rule for a reason that stands in `measurements/exceptions.yaml`."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from speculoos.record.problem import Problem, shown
from speculoos.record.store import Collection, Document
from speculoos.record.types import Exceptions

NEVER = ("form", "changed")
"""A file that cannot be read has no other reading; a merged one is withdrawn, not excepted."""


def excused(
    problems: Iterable[Problem], collection: Collection, rules: set[str]
) -> Iterator[Problem]:
    """The problems that no exception names, and what is wrong with the exceptions themselves."""
    exceptions = collection.exceptions
    if exceptions is None:
        yield from problems
        return
    wanted = [
        (entry.rule, shown(collection.root / entry.file), entry.key)
        for entry in exceptions.record.exceptions
    ]
    used = set()
    for problem in problems:
        places = {(problem.rule, problem.path, key) for key in (None, problem.key)}
        found = places.intersection(wanted) if problem.rule not in NEVER else set()
        used |= found
        if not found:
            yield problem
    for at, place in enumerate(wanted):
        wrong = _wrong(exceptions, at, collection, rules)
        if wrong is None and place not in used:
            text = f"no problem of {place[0]!r} is left there; remove this exception"
            wrong = exceptions.problem(("exceptions", at), text)
        if wrong is not None:
            yield wrong


def _wrong(
    exceptions: Document[Exceptions], at: int, collection: Collection, rules: set[str]
) -> Problem | None:
    entry = exceptions.record.exceptions[at]
    if entry.rule in NEVER:
        text = f"{entry.rule!r} knows no exception; correct the file, or withdraw it with a reason"
        return exceptions.problem(("exceptions", at, "rule"), text)
    if entry.rule not in rules:
        near = get_close_matches(entry.rule, rules, n=1)
        hint = f"did you mean {near[0]!r}?" if near else "`speculoos check --list` names them"
        return exceptions.problem(("exceptions", at, "rule"), f"{entry.rule!r} is no rule; {hint}")
    known = {document.path for document in collection.measurements}
    known |= {document.path for document in collection.machines.values()}
    if collection.root / entry.file not in known:
        text = f"{entry.file} is no file of this folder; write <machine>/<name>.yaml, or remove it"
        return exceptions.problem(("exceptions", at, "file"), text)
    return None
