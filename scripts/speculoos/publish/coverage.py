"""How often an interval holds the true value, by the rule that ended the measurement."""

from dataclasses import replace

from speculoos.publish.tables import Table, labelled
from speculoos.publish.text import Language, number, percent
from speculoos.publish.words import label
from speculoos.record.types.coverage import Coverage

_HEADS = ("coverage_noise", "coverage_at_once", "coverage_one_more", "coverage_all_blocks")


def coverage_table(coverage: Coverage, language: Language) -> Table:
    """One row for each restlessness of the simulated machines."""
    rows = [
        [percent(share, language, 1) for share in (r.noise, r.at_once, r.one_more, r.all_blocks)]
        for r in coverage.rows
    ]
    made = number(coverage.simulations, language, 0)
    note = label("coverage_note", language).format(simulations=made)
    return replace(labelled("coverage", _HEADS, rows, language), note=note)
