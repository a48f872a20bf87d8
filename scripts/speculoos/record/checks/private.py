import re
from collections.abc import Iterator
from typing import Any

from speculoos.record.checks.every import every_text
from speculoos.record.checks.rule import CollectionRule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document

# a search begins at the start of a word alone: else a long one is read again from each sign of it
_PATH = re.compile(
    r"""(?x) (?:^|[\s='"(:,@]) (?:[/\\][^\s/\\]+[/\\] | ~[/\\] | [A-Za-z]:[/\\])   # /a/b ~/ C:\
      | /(?:home|Users|root|mnt|media)\b/? | \\Users\\ | file://"""
)
_SECRET = re.compile(
    r"""(?ix) --(?:api-key|hf-token|api-token|token|password)\b | -hft\b | \bbearer\s\S
      | \b(?:hf_|ghp_|gho_|github_pat_|glpat-|sk-|xox[bp]-)[a-z0-9_-]{16} | \bAKIA[0-9A-Z]{16}
      | -----BEGIN | \b(?:password|passwd|secret|api_?key|token)\s*[=:]\s*\S{6}
      | (?<![\w-])eyJ[a-z0-9_-]{10,}\.[a-z0-9_-]{10}"""
)
_PERSON = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]")
_HOST = re.compile(
    r"""(?ix) (?<![\w-])[\w-]+\.(?:local|lan|internal|intranet|corp|localdomain)\b
      | ^Linux\s[\w.-]+\s\d | \bhost(?:name)?\s*[=:]\s*\S"""
)
_ADDRESS = re.compile(
    r"""(?ix) \b(?!127\.|0\.0\.0\.0\b)(?:\d{1,3}\.){3}\d{1,3}\b(?!\.)
      | \b(?:[0-9a-f]{1,4}:){4,}[0-9a-f]{1,4}\b | \bfe80::"""
)
_KINDS = (
    (_SECRET, "holds a key, token or password; remove it, and make a new one"),
    (_PATH, "holds a path; keep the file's name only"),
    (_PERSON, "holds the address of a person or an account; remove it"),
    (_HOST, "holds the name of a computer; remove it"),
    (_ADDRESS, "holds the address of a computer; remove it"),
)
_VERSIONS = ("driver", "kernel", "os", "version")
"""Versions look like addresses of computers; WSL's kernel has four numbers."""


def _check(collection: Collection) -> Iterator[Problem]:
    for measurement in collection.measurements:
        yield from _texts(measurement)
    for machine in collection.machines.values():
        yield from _texts(machine)


def _texts(document: Document[Any]) -> Iterator[Problem]:
    for key, text in every_text(document.data):
        for pattern, said in _KINDS:
            if key[-1] == "link" or (pattern is _ADDRESS and key[-1] in _VERSIONS):
                continue
            if pattern.search(text):
                shown = "" if pattern is _SECRET else f"{text[:60]!r} "
                yield document.problem(key, f"{shown}{said}")
                break


RULE = CollectionRule(
    "private", "No path, account, computer, address or key of the person stands in a file.", _check
)
