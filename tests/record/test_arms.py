"""What must be the same in every setting."""

from pathlib import Path

import factories
from factories import BASELINE, drafted, mtp, run, sample
from speculoos.record.arms import differences


def _pair(**changes):
    return (run(BASELINE, sample()), run(mtp(2), drafted(predicted_ms=50.0, **changes)))


def test_a_text_that_ends_in_another_way_is_named():
    """The baseline met the limit, the other arm stopped by itself: another workload."""
    (found,) = differences(_pair(finish="eos"), "finish")
    assert (found.run, found.index, found.value, found.baseline) == (1, 0, "eos", ("limit",))


def test_arms_that_agree_differ_in_nothing():
    """Same end, same length of the prompt."""
    assert not list(differences(_pair(), "finish"))
    assert not list(differences(_pair(), "prompt_n"))


def test_without_a_baseline_there_is_nothing_to_differ_from():
    """A prompt that the baseline was not asked."""
    assert not list(differences(_pair(prompt="two", finish="eos"), "finish"))


def test_another_end_is_a_warning_and_another_prompt_an_error(tmp_path: Path):
    """A near tie may end a text; nothing honest changes the length of a prompt."""
    record = factories.measurement(*_pair(finish="eos", prompt_n=4))
    found = factories.found(factories.written(tmp_path / "measurements", record))
    assert {(p.key.rsplit(".", 1)[1], p.severity) for p in found if p.rule == "arms"} == {
        ("finish", "warning"),
        ("prompt_n", "error"),
    }
