from collections.abc import Iterator

from speculoos.record import metrics
from speculoos.record.blocks import BASELINE, block_rates
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

_WIDE = 0.1


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    rates = block_rates(document.record.runs).get(BASELINE, {})
    spread = metrics.spread(list(rates.values()))
    if spread is not None and spread > _WIDE:
        text = (
            f"the baseline varies by {100 * spread:.0f} % between blocks, expected at most "
            f"{100 * _WIDE:.0f} %; measure again on a quieter machine, or with more blocks"
        )
        yield document.caution(("runs",), text)


RULE = Rule("spread", "The baseline of every block is within 10% of the others.", _check)
