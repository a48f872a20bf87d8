"""What a run must prove before and while it is measured."""

from pathlib import Path

import pytest

from measure.harm import behind_a_proxy, script
from speculoos.measure.run import BaselineFailedError
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


@pytest.mark.parametrize(("harm", "field"), [("truncate", "truncated"), ("shorten", "predicted_n")])
def test_a_text_that_cannot_be_is_stored_and_not_compared(
    measured, server, tiny: Path, tmp_path: Path, harm: str, field: str
):
    """A cut context, or fewer tokens than the steps have given: said, and kept."""
    if server.build == "b10068":
        return  # its answers are streams, which the proxy passes whole
    record, _ = measured(behind_a_proxy(server, tmp_path, harm), tiny)
    (run,) = [run for run in record.runs if run.settings.label == "n_max 1"]
    assert len(run.samples) == 3
    assert [name for name, _ in broken(run.samples[1], run.settings)] == [field]
    summary = summarise(record)
    assert {p.settings.label for p in summary.points if p.speedup} == {"n_max 3"}
    assert "invalid-samples" in {warn.kind for warn in summary.warnings}


def test_a_text_that_ends_in_another_way_is_said(measured, server, tiny: Path, tmp_path: Path):
    """By itself, where the baseline's was stopped: another work, which is stored as it was."""
    if server.build == "b10068":
        return  # its answers are streams, which the proxy passes whole
    record, _ = measured(behind_a_proxy(server, tmp_path, "end"), tiny)
    (run,) = [run for run in record.runs if run.settings.label == "n_max 1"]
    assert [sample.finish for sample in run.samples] == ["limit", "eos", "limit"]
    (warn,) = [warn for warn in summarise(record).warnings if warn.kind == "other-end"]
    assert warn.figures == {"setting": "n_max 1", "runs": 1}


def test_a_baseline_that_speculates_is_refused(measured, build, tiny: Path, tmp_path: Path):
    """A wrapper that adds flags of its own to every start: nothing could be compared."""
    flags = "--spec-type draft-mtp --spec-draft-n-max 2"
    binary = script(
        tmp_path / "server.sh",
        f'[ "$1" = --version ] && exec "{build.path}" --version',
        f'exec "{build.path}" "$@" {flags}',
    )
    with pytest.raises(BaselineFailedError, match="What to do"):
        measured(binary, tiny)
