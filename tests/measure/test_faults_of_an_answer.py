"""Answers that no real server can be made to give at will: its own, harmed by a proxy."""

from pathlib import Path

import pytest

from measure.harm import behind_a_proxy
from speculoos.measure.run import Failed
from speculoos.record import faults

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.mark.parametrize(
    ("harm", "kind"),
    [
        ("hang", "no-answer"),
        ("endless", "no-answer"),
        ("cut", "cut-answer"),
        ("fail", "cut-answer"),
    ],
)
def test_a_harmed_answer_is_told_and_the_rest_is_measured(
    measured, build, tiny: Path, tmp_path: Path, harm: str, kind: str
):
    """`/health` stays green all the while; the sample before it is kept."""
    binary = behind_a_proxy(build, tmp_path, harm)
    record, events = measured(binary, tiny, request_timeout_s=3.0)
    runs = {run.settings.label: run for run in record.runs}
    assert (runs["n_max 1"].incident.kind, runs["n_max 1"].incident.after_samples) == (kind, 1)
    assert [len(runs[label].samples) for label in ("baseline", "n_max 1", "n_max 3")] == [3, 1, 3]
    (told,) = [event.sentence for event in events if isinstance(event, Failed)]
    assert faults.by_kind(kind).remedy in told
