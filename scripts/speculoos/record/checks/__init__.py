"""Every rule that a file under `measurements/` must keep; one rule a module."""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from speculoos.record.checks import (
    arms,
    asked,
    baseline,
    changed,
    comparable,
    counts,
    dates,
    decodes,
    described,
    drafted,
    duplicates,
    ends,
    flags,
    form,
    incident,
    interval,
    languages,
    length,
    machine,
    memory,
    observed,
    order,
    parts,
    place,
    private,
    prompts,
    proof,
    quiet,
    rates,
    slots,
    spread,
    surroundings,
    times,
)
from speculoos.record.checks.excuses import excused
from speculoos.record.checks.rule import AnyRule, CollectionRule, MachineRule, Rule
from speculoos.record.problem import Problem
from speculoos.record.store import FOLDER, Collection, Merged, find_root, load_collection

RULES: tuple[AnyRule, ...] = (
    form.RULE,
    place.RULE,
    parts.RULE,
    dates.RULE,
    languages.RULE,
    private.RULE,
    machine.RULE,
    described.RULE,
    prompts.RULE,
    order.RULE,
    flags.RULE,
    baseline.RULE,
    proof.RULE,
    drafted.RULE,
    incident.RULE,
    counts.RULE,
    length.RULE,
    decodes.RULE,
    ends.RULE,
    times.RULE,
    rates.RULE,
    memory.RULE,
    arms.RULE,
    asked.RULE,
    comparable.RULE,
    slots.RULE,
    observed.RULE,
    surroundings.RULE,
    quiet.RULE,
    spread.RULE,
    interval.RULE,
    duplicates.RULE,
    changed.RULE,
)

__all__ = [
    "RULES",
    "AnyRule",
    "CollectionRule",
    "MachineRule",
    "Rule",
    "check_collection",
    "check_paths",
]


def check_collection(collection: Collection) -> list[Problem]:
    """Every problem of every file, sorted by file and line; what is excepted is left out."""
    found = [
        replace(problem, rule=rule.name) for rule in RULES for problem in rule.problems(collection)
    ]
    names = {rule.name for rule in RULES}
    return sorted(set(excused(found, collection, names)))


def check_paths(
    paths: Sequence[Path],
    *,
    today: dt.date | None = None,
    merged: Callable[[Path], Merged | None] = lambda _root: None,
) -> list[Problem]:
    """The problems of these files and folders, and of what they rely on in the same collection.

    `today` is what no date may lie behind; `merged` gives what was accepted before in a folder.
    """
    wanted = {_wanted(path.absolute()) for path in paths}
    collections = (
        replace(load_collection(root, alone), today=today, merged=merged(root))
        for root, alone in sorted(wanted, key=str)
    )
    problems = {problem for each in collections for problem in check_collection(each)}
    return sorted(problem for problem in problems if _concerns(problem, paths))


def _wanted(path: Path) -> tuple[Path, Path | None]:
    """The folder to read, and the file alone where it lies in no `measurements/`."""
    root = find_root(path)
    return root, path if root.name != FOLDER and not path.is_dir() else None


def _concerns(problem: Problem, paths: Sequence[Path]) -> bool:
    place = Path(problem.path).absolute()
    return any(place == path.absolute() or path.absolute() in place.parents for path in paths)
