"""Answers that no real server can be made to give at will: its own, harmed by a proxy."""

import sys
from pathlib import Path

import pytest

from measure import harmful_proxy
from measure.harm import script
from speculoos.measure.run import Failed
from speculoos.parts.servers import ServerPart
from speculoos.record import faults

pytestmark = pytest.mark.usefixtures("nothing_left")


def _behind(proxied: ServerPart, folder: Path, harm: str) -> Path:
    """A binary that harms the second sample of the setting n_max 1."""
    proxy = f'"{sys.executable}" "{harmful_proxy.__file__}" "{proxied.path}"'
    return script(
        folder / "proxy.sh",
        f'case "$*" in *"n-max 1"*) exec {proxy} {harm} "$@";; esac',
        f'exec "{proxied.path}" "$@"',
    )


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
    binary = _behind(build, tmp_path, harm)
    record, events = measured(binary, tiny, request_timeout_s=3.0)
    runs = {run.settings.label: run for run in record.runs}
    assert (runs["n_max 1"].incident.kind, runs["n_max 1"].incident.after_samples) == (kind, 1)
    assert [len(runs[label].samples) for label in ("baseline", "n_max 1", "n_max 3")] == [3, 1, 3]
    (told,) = [event.sentence for event in events if isinstance(event, Failed)]
    assert faults.by_kind(kind).remedy in told
