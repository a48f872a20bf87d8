from collections.abc import Iterator

from speculoos.record.blocks import block_rates, complete_blocks, explored_and_confirmed
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    record = document.record
    if record.kind != "measured" or record.purpose is not None:
        return
    _exploring, deciding = explored_and_confirmed(record.runs)
    if complete_blocks(block_rates(deciding)) == 1:
        text = "one complete block: a speed-up without interval; measure again with --blocks 3"
        yield document.caution(("design", "blocks"), text)


RULE = Rule("interval", "A speed-up has an interval: two complete blocks or more.", _check)
