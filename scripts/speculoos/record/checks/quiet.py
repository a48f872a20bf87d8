from collections.abc import Iterator

from speculoos.record.blocks import explored_and_confirmed
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document, Key
from speculoos.record.surroundings import load_of, surroundings_warnings
from speculoos.record.types import Measurement
from speculoos.record.warn import Warn

_TEXTS: dict[str, tuple[Key, str]] = {
    "busy": (
        ("machine", "busy_before"),
        "others used {share:.0%} of the processors before the start; close them, measure again",
    ),
    "card-shared": (
        ("machine", "gpu_processes"),
        "{programs} other programs held a card; close them and measure again",
    ),
    "busy-during": (
        ("runs",),
        "others used up to {share:.0%} of the processors (blocks {loaded} of {of}); close them "
        "and measure again",
    ),
    "busy-set-aside": (
        ("runs",),
        "others used up to {share:.0%} of the processors (blocks {loaded} of {of}); these blocks "
        "do not count, close them before the next measurement",
    ),
    "busy-exploring": (
        ("runs",),
        "others used {share:.0%} of the processors while exploring; measure again, or with --grid",
    ),
    "quota": (
        ("runs",),
        "a limit held the measurement back for {share:.0%} of the time; lift the container's "
        "limit, or give the server fewer threads",
    ),
    "throttled": (
        ("runs",),
        "the clock was lowered because of heat in {runs} of {of} runs; cool the machine and "
        "measure again",
    ),
    "clock": (
        ("runs",),
        "the {what} clock went from {low_mhz:.0f} to {high_mhz:.0f} MHz between runs; fix the "
        "power mode and measure again",
    ),
}


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    _exploring, deciding = explored_and_confirmed(document.record.runs)
    for warn in surroundings_warnings(document.record, load_of(deciding)):
        key, text = _TEXTS.get(warn.kind, (("runs",), f"{warn.kind}; speculoos show says more"))
        yield document.caution(key, _filled(text, warn), warn)


def _filled(text: str, warn: Warn) -> str:
    return text.format(**(warn.figures or {}))


RULE = Rule("quiet", "Nothing else used the machine, and no heat or limit slowed it.", _check)
