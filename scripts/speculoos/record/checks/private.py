import re
from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

_PATH = re.compile(r"(?:^|[\s='\"])(?:[A-Za-z]:)?[/\\][^\s/\\]+[/\\]|(?:^|[\s='\"])~[/\\]")
_SECRET = re.compile(r"--api-key|--hf-token|-hft\b|Bearer |hf_[A-Za-z0-9]{20}")

Key = tuple[str | int, ...]


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    for key, text in _texts(document.record):
        if _PATH.search(text):
            yield document.problem(key, f"{text!r} holds a path; keep the file's name only")
        if _SECRET.search(text):
            yield document.problem(key, "holds a key or token; remove it")


def _texts(record: Measurement) -> Iterator[tuple[Key, str]]:
    if record.machine is not None and record.machine.kernel:
        yield ("machine", "kernel"), record.machine.kernel
    if record.server is not None:
        yield from ((("server", "args", at), arg) for at, arg in enumerate(record.server.args))
    if record.design is not None:
        yield ("design", "command"), record.design.command
    if record.observed is not None:
        yield ("observed", "command"), record.observed.command
    for at, run in enumerate(record.runs):
        yield from ((("runs", at, "args", index), arg) for index, arg in enumerate(run.args))
        if run.incident is not None and run.incident.line:
            yield ("runs", at, "incident", "line"), run.incident.line


RULE = Rule("private", "No path, key or token of the person stands in a file.", _check)
