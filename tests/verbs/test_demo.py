"""The demo's own check: warnings are results, errors end it."""

from pathlib import Path

import click
import pytest

import factories
from factories import BASELINE, mtp
from speculoos.terminal import console
from speculoos.verbs.demo import check_results


def test_a_warning_does_not_end_the_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A text that ended otherwise than the baseline's is told, and the demo goes on."""
    root = tmp_path / "measurements"
    ended = factories.drafted(finish="eos")
    record = factories.measurement(
        factories.run(BASELINE, factories.sample()), factories.run(mtp(2), ended)
    )
    factories.written(root, record)
    check_results(console(), root)
    assert "warning" in capsys.readouterr().out


def test_an_error_ends_the_demo(tmp_path: Path):
    """Counts that cannot be."""
    root = tmp_path / "measurements"
    wrong = factories.drafted(draft_n=1)
    record = factories.measurement(
        factories.run(BASELINE, factories.sample()), factories.run(mtp(2), wrong)
    )
    factories.written(root, record)
    with pytest.raises(click.ClickException):
        check_results(console(), root)
