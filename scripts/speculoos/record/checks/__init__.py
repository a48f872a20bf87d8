"""Every rule that a file under `measurements/` must keep; one rule a module."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from speculoos.record.checks import (
    arms,
    baseline,
    counts,
    decodes,
    drafted,
    machine,
    order,
    parts,
    place,
    private,
    prompts,
    slots,
    surroundings,
)
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, find_root, load_collection

RULES: tuple[Rule, ...] = (
    parts.RULE,
    place.RULE,
    machine.RULE,
    prompts.RULE,
    order.RULE,
    baseline.RULE,
    drafted.RULE,
    counts.RULE,
    decodes.RULE,
    surroundings.RULE,
    arms.RULE,
    slots.RULE,
    private.RULE,
)

__all__ = ["RULES", "Rule", "check_collection", "check_paths"]


def check_collection(collection: Collection) -> list[Problem]:
    """Every problem of every file, sorted by file and line."""
    found = [
        replace(problem, rule=rule.name)
        for rule in RULES
        for document in collection.measurements
        for problem in rule.check(document, collection)
    ]
    return sorted([*collection.problems, *place.misnamed(collection), *found])


def check_paths(paths: Sequence[Path]) -> list[Problem]:
    """The problems of these files and folders, and of what they rely on in the same collection."""
    roots = {find_root(path.absolute()) for path in paths}
    problems = [p for root in sorted(roots) for p in check_collection(load_collection(root))]
    return sorted({problem for problem in problems if _concerns(problem, paths)})


def _concerns(problem: Problem, paths: Sequence[Path]) -> bool:
    place = Path(problem.path).absolute()
    return any(place == path.absolute() or path.absolute() in place.parents for path in paths)
