"""Figures of several slots: possible counts, and never beside those of one slot."""

from pathlib import Path

import pytest

import factories
from factories import BASELINE, drafted, mtp, run, sample
from speculoos.record.batches import broken, tokens_per_second
from speculoos.record.store import load_measurement
from speculoos.record.summary import summarise
from speculoos.record.types import Batch, Measurement


def _batch(**changes) -> Batch:
    values = {"block": 1, "prompts": ("one", "two"), "prompt_n": 10, "predicted_n": 20}
    counts = {"draft_n": 8, "draft_n_accepted": 5, "verify_steps": 4, "wall_ms": 100.0}
    return Batch(**values | counts | changes)


def _record(parallel: int | None, *runs) -> Measurement:
    record = factories.measurement(*runs)
    request = record.request.model_copy(update={"parallel": parallel})
    return record.model_copy(update={"request": request})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"draft_n_accepted": 9}, "draft_n_accepted"),
        ({"verify_steps": 9}, "verify_steps"),
        ({"truncated": True}, "truncated"),
        ({"timings_draft_n": 9}, "timings_draft_n"),
        ({"accepted_per_position": (3,)}, "accepted_per_position"),
        ({"accepted_per_position": (2, 3)}, "accepted_per_position"),
        ({"verify_steps": 3}, "draft_n"),
        ({"finish": ("limit",)}, "finish"),
        ({"finish": ("limit", "limit"), "predicted_n": 10}, "predicted_n"),
    ],
)
def test_an_impossible_count_is_named(changes, field: str):
    """Each rule is broken once."""
    assert not list(broken(_batch(), mtp(2)))
    assert [name for name, _ in broken(_batch(**changes), mtp(2))] == [field]


def test_a_baseline_drafts_nothing():
    """As for one slot."""
    fields = {"draft_n", "draft_n_accepted", "verify_steps"}
    assert {name for name, _ in broken(_batch(), BASELINE)} == fields


def test_a_rate_is_all_tokens_over_all_time():
    """Never a mean of rates."""
    both = [_batch(), _batch(predicted_n=10, wall_ms=200.0)]
    assert tokens_per_second(both) == pytest.approx(100)
    assert tokens_per_second([]) is None


def test_a_record_of_several_slots_is_valid_and_reads_back(tmp_path: Path):
    """Batches in place of samples, one a line."""
    plain = _batch(draft_n=0, draft_n_accepted=0, verify_steps=0)
    record = _record(4, run(BASELINE, batches=(plain,)), run(mtp(2), batches=(_batch(),)))
    path = factories.written(tmp_path / "measurements", record)
    assert factories.found(path) == []
    assert load_measurement(path).record.runs[1].batches == (_batch(),)
    assert path.read_text().count("- {block: 1, prompts: [one, two]") == 2


@pytest.mark.parametrize(("parallel", "foreign"), [(None, "batches"), (4, "samples")])
def test_figures_of_one_slot_and_of_several_are_never_mixed(tmp_path: Path, parallel, foreign):
    """Each stands in a file of its own, with its own baseline."""
    runs = (run(BASELINE, sample()), run(mtp(2), drafted(), batches=(_batch(),)))
    path = factories.written(tmp_path / "measurements", _record(parallel, *runs))
    assert f"runs[1].{foreign}" in {problem.key for problem in factories.found(path)}


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"prompt_n": 9}, "prompt_n"),
        ({"finish": ("eos", "limit")}, "finish"),
        ({"predicted_n": 23}, "predicted_n"),
        ({"prompts": ("one", "three")}, "prompts"),
        ({"block": 2}, "block"),
        ({"prompts": ("one", "one")}, "prompts[1]"),
        ({"verify_steps": 9}, "verify_steps"),
    ],
)
def test_a_batch_is_held_against_the_baseline_the_prompts_and_the_design(
    tmp_path: Path, changes, key: str
):
    """As samples are: the same prompts, the same kind of end, possible lengths, in its block."""
    ends = {"finish": ("limit", "limit")}
    plain = _batch(draft_n=0, draft_n_accepted=0, verify_steps=0, **ends)
    other = _batch(**ends | changes)
    record = _record(4, run(BASELINE, batches=(plain,)), run(mtp(2), batches=(other,)))
    found = factories.found(factories.written(tmp_path / "measurements", record))
    assert f"runs[1].batches[0].{key}" in {problem.key for problem in found}


def test_batches_are_compared_block_by_block():
    """A speed-up with an interval, texts counted; no step cost, for the passes are shared."""
    runs = []
    for block, slower in enumerate((1.0, 1.01, 0.99), start=1):
        plain = _batch(draft_n=0, draft_n_accepted=0, verify_steps=0)
        base = plain.model_copy(update={"block": block, "wall_ms": 200 * slower})
        runs += [run(BASELINE, batches=(base,)), run(mtp(2), batches=(_batch(block=block),))]
    found = summarise(_record(4, *runs))
    (point,) = found.points
    assert (found.parallel, found.blocks, point.texts) == (4, 3, 6)
    assert point.speedup.value == pytest.approx(2, rel=0.01)
    assert point.speedup.low < 2 < point.speedup.high
    assert (point.step_cost, point.samples) == (None, ())
    assert point.acceptance_rate == pytest.approx(5 / 8)
