"""Going on where a measurement stopped, and only if nothing has changed that must not."""

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from speculoos.measure.plan import Plan
from speculoos.measure.run import named
from speculoos.record.problem import BadFileError, ToldError
from speculoos.record.store import load_measurement
from speculoos.record.types import Measurement, Settings

_OPEN = {"interrupted", "budget"}
"""How a measurement stands that can go on; `blocks` and `narrow` are answers."""
_ABSENT = "nothing"
_SAME = (
    ("format",),
    ("machine", "id"),
    ("build", "sha256"),
    ("model", "sha256"),
    ("draft_model", "sha256"),
    ("request", "endpoint"),
    ("request", "temperature"),
    ("request", "seed"),
    ("request", "max_tokens"),
    ("request", "reasoning"),
    ("request", "depth"),
    ("request", "parallel"),
    ("request", "cache_prompt"),
    ("request", "prompt_set"),
    ("request", "prompt_set_sha256"),
    ("server", "args"),
    ("design", "method"),
    ("design", "blocks"),
    ("design", "order_seed"),
    ("design", "warm_up"),
    ("design", "cooldown_s"),
    ("design", "settings"),
    ("design", "prompts"),
)
"""What two halves of one measurement have in common. The date, the budget and the state of the
machine may differ: a block is compared with itself."""


class CannotResumeError(ToldError):
    """What keeps a measurement from going on, one line each."""

    def __init__(self, path: Path, lines: list[str]) -> None:
        super().__init__("\n".join(f"{path}: {line}" for line in lines))


class NothingToResumeError(CannotResumeError):
    """No measurement of the day is like the one that was asked for."""

    def __init__(self, folder: Path) -> None:
        text = "holds no measurement of today like this one; leave --resume out to start one"
        super().__init__(folder, [text])


def is_open(record: Measurement) -> bool:
    """Whether a measurement stopped before it had its answer."""
    return record.design is not None and record.design.stopped in _OPEN


def resumed(path: Path, plan: Plan, head: Measurement) -> Measurement:
    """The saved record, ready to go on under `plan`; `head` is what would be measured now.

    A record that is complete comes back as it is. Raises `CannotResumeError` with every difference.
    """
    saved = load_measurement(path).record
    if lines := list(differences(saved, plan, head)):
        raise CannotResumeError(path, [*lines, "measure into a new file, without --resume"])
    if not is_open(saved) or saved.design is None:
        return saved
    known = {"stopped": "interrupted", "stop_rule": plan.stop_rule}
    return saved.model_copy(update={"design": saved.design.model_copy(update=known)})


def differences(saved: Measurement, plan: Plan, head: Measurement) -> Iterator[str]:
    """One line for everything that must match and does not: what it was, what it is now."""
    for keys in _SAME:
        before, now = _at(saved, keys), _at(head, keys)
        if before != now:
            yield f"{'.'.join(keys)}: {_shown(before)} in the file, {_shown(now)} now"
    if _at(saved, ("design", "settings")) == _at(head, ("design", "settings")):
        yield from _arguments(saved, plan)


def _arguments(saved: Measurement, plan: Plan) -> Iterator[str]:
    for index, run in enumerate(saved.runs):
        now = named(plan.run_args(run.settings))
        if run.args != now:
            yield f"runs[{index}].args: {_shown(run.args)} in the file, {_shown(now)} now"


def newest(usual: Path, plan: Plan, head: Measurement) -> Path:
    """The newest measurement named as `usual` or `usual-2` … that `--resume` means.

    That is one that can go on under `plan`, else one of that plan that is complete, else one that
    stopped under another plan, which the person is told of. Raises `NothingToResumeError`.
    """
    found = list(_by_age(usual))
    same = [path for path, each in found if not any(differences(each, plan, head))]
    unfinished = [path for path, each in found if is_open(each)]
    chosen = [path for path in same if path in unfinished] or same or unfinished
    if not chosen:
        raise NothingToResumeError(usual.parent)
    return chosen[0]


def _by_age(usual: Path) -> Iterator[tuple[Path, Measurement]]:
    """Without the other ways of asking, whose names go on with words: `usual-reasoning`."""
    name = re.compile(re.escape(usual.stem) + r"(-\d+)?")
    files = [path for path in usual.parent.glob("*.yaml") if name.fullmatch(path.stem)]
    for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True):
        with contextlib.suppress(BadFileError):
            yield path, load_measurement(path).record


def _at(record: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        record = getattr(record, key, None)
    return record


def _shown(value: Any) -> str:
    if value is None or value == ():
        return _ABSENT
    if isinstance(value, tuple):
        return " ".join(map(_shown, value))
    return f"{value.spec_type}/{value.label}" if isinstance(value, Settings) else str(value)
