"""What a run must prove before and while it is measured."""

from pathlib import Path

import pytest

from measure.harm import behind_a_proxy
from speculoos.record.identities import broken
from speculoos.record.summary import summarise

pytestmark = pytest.mark.usefixtures("nothing_left")


def test_an_answer_that_contradicts_the_counters_is_stored_and_not_compared(
    measured, server, tiny: Path, tmp_path: Path
):
    """Both counts stand in the file; the sample is invalid, and so is its run."""
    if server.build == "b10068":
        return  # it has no counters to contradict: its stream is all that there is
    record, _ = measured(behind_a_proxy(server, tmp_path, "lie"), tiny)
    (run,) = [run for run in record.runs if run.settings.label == "n_max 1"]
    first, second, third = run.samples
    assert second.timings_draft_n == second.draft_n + 1
    assert [field for field, _ in broken(second, run.settings)] == ["timings_draft_n"]
    assert not list(broken(first, run.settings)) + list(broken(third, run.settings))
    summary = summarise(record)
    assert {p.settings.label for p in summary.points if p.speedup} == {"n_max 3"}
    assert "invalid-samples" in {warn.kind for warn in summary.warnings}


def test_counts_that_agree_are_stored_once(measured, build, tiny: Path):
    """The answer's own counts are absent where they say what the counters say."""
    record, _ = measured(build.path, tiny)
    for run in record.runs:
        for sample in run.samples:
            assert sample.timings_draft_n is None
            assert sample.timings_draft_n_accepted is None
