from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document, Key
from speculoos.record.types import NO_SPECULATION, Measurement, Run

_SPECULATION = ("--spec-", "--draft", "-md", "--model-draft")
_DEPTH = "--spec-draft-n-max"


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    server = document.record.server
    for index, word in enumerate(server.args if server else ()):
        if word.startswith(_SPECULATION):
            text = f"{word} for every run, the baseline too; move it to the runs that speculate"
            yield document.problem(("server", "args", index), text)
    for at, run in enumerate(document.record.runs):
        for key, text in _wrong(run):
            yield document.problem(("runs", at, *key), text)


def _wrong(run: Run) -> Iterator[tuple[Key, str]]:
    settings, args = run.settings, run.args
    if (
        settings.n_min is not None
        and settings.n_max is not None
        and settings.n_min > settings.n_max
    ):
        yield ("settings", "n_min"), f"{settings.n_min} is above n_max {settings.n_max}; lower it"
    if settings.spec_type == NO_SPECULATION:
        for index, word in enumerate(args):
            if word.startswith(_SPECULATION):
                yield ("args", index), f"{word} in a baseline; measure it without speculation"
        return
    for flag, wanted in (("--spec-type", settings.spec_type), (_DEPTH, settings.n_max)):
        for index, word in enumerate(args[:-1]):
            if word == flag and args[index + 1] != str(wanted):
                text = f"{args[index + 1]} after {flag}, but the settings say {wanted}"
                yield ("args", index + 1), f"{text}; make them agree"


RULE = Rule("flags", "What the server was told is what the settings say.", _check)
