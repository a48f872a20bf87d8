"""The tiny model's description, its bytes, and the walk that counts its drafts."""

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speculoos.parts.tiny_counts import Counts, expected
from speculoos.parts.tiny_model import (
    CLASSES,
    STEPS,
    Acceptance,
    Architecture,
    TinyModel,
    chat_prompt,
    continuation,
)

PAIRS = st.tuples(st.integers(0, CLASSES - 1), st.integers(1, STEPS))
ACCEPTANCES = st.frozensets(PAIRS, max_size=200).map(Acceptance)
PROMPTS = st.text(min_size=1, max_size=20)
N_MAX = st.integers(1, 20)
LENGTHS = st.integers(1, 200)


@pytest.mark.parametrize("architecture", get_args(Architecture))
def test_the_same_description_gives_the_same_bytes(architecture: Architecture, tmp_path: Path):
    """A model is identified by its SHA-256; a test may pin one."""
    model = TinyModel(Acceptance.by_step([0.8, 0.5], seed=3), architecture)
    first, second = model.write(tmp_path / "a.gguf"), model.write(tmp_path / "b.gguf")
    assert first.read_bytes() == second.read_bytes()
    assert first.stat().st_size < 500_000


def test_another_acceptance_gives_other_bytes(tmp_path: Path):
    """What is described is what is written."""
    first = TinyModel(Acceptance.always()).write(tmp_path / "a.gguf")
    second = TinyModel(Acceptance.wrong_at([(3, 1)])).write(tmp_path / "b.gguf")
    assert first.read_bytes() != second.read_bytes()


@given(shares=st.lists(st.floats(0, 1), min_size=1, max_size=8), seed=st.integers(0, 99))
def test_each_draft_step_has_the_share_that_was_asked_for(shares: list[float], seed: int):
    """The share is met to the nearest class, and the last one holds for all later steps."""
    acceptance = Acceptance.by_step(shares, seed)
    for step in range(1, STEPS + 1):
        asked = shares[min(step, len(shares)) - 1]
        assert abs(acceptance.share(step) - asked) <= 0.5 / CLASSES + 1e-9


def test_a_seed_draws_the_same_classes_for_ever():
    """The draw is a hash, not a random generator that a new Python may change."""
    wrong = Acceptance.by_step([0.9], seed=1).wrong
    assert sorted(letter for letter, step in wrong if step == 1) == [14, 19, 40, 43, 46]


def test_steps_beyond_the_last_are_like_the_last():
    """A draft longer than the markers reach is still known."""
    acceptance = Acceptance.wrong_at([(7, STEPS)])
    assert not acceptance.is_right(7, STEPS + 5)


@pytest.mark.parametrize("pair", [(-1, 1), (CLASSES, 1), (0, 0), (0, STEPS + 1)])
def test_a_pair_outside_the_model_is_refused(pair: tuple[int, int]):
    """A pair that no tensor can hold would be silently right."""
    with pytest.raises(ValueError, match="expected a class from 0 to 47 and a draft step"):
        Acceptance.wrong_at([pair])


def test_shares_must_be_shares():
    """A percentage is not a share."""
    with pytest.raises(ValueError, match="one number from 0 to 1 per step"):
        Acceptance.by_step([90])


def test_a_chance_must_leave_both_ways_open():
    """Certainty is described by an acceptance, whose counts are exact."""
    with pytest.raises(ValueError, match="expected a number between 0 and 1"):
        TinyModel(chance=1.0)


def test_a_chance_and_wrong_guesses_exclude_each_other():
    """With both, no count would be known and no mean either."""
    with pytest.raises(ValueError, match="expected one of them"):
        TinyModel(Acceptance.never(), chance=0.5)


def test_a_prompt_enters_the_cycle_after_its_last_letter():
    """The text is the alphabet from there on, and starts over after its 48 letters."""
    assert continuation("Say A", 3) == "BCD"
    assert continuation("...u", 4) == "vABC"


def test_a_chat_enters_where_its_template_ends():
    """Whatever the message says, the template's last letter decides."""
    assert continuation(chat_prompt("Hello"), 9) == continuation(chat_prompt("Bonjour"), 9)


@given(ACCEPTANCES, PROMPTS, N_MAX, LENGTHS)
def test_every_token_has_one_origin(
    acceptance: Acceptance, prompt: str, n_max: int, predicted_n: int
):
    """Tokens come from the prompt's pass, a verification step, a draft, or one last plain step."""
    counts = expected(TinyModel(acceptance), prompt, n_max, predicted_n)
    plain = predicted_n - 1 - counts.verify_steps - counts.draft_n_accepted
    assert plain in {0, 1}


@given(ACCEPTANCES, PROMPTS, N_MAX, LENGTHS)
def test_positions_add_up_and_never_rise(
    acceptance: Acceptance, prompt: str, n_max: int, predicted_n: int
):
    """A token is accepted only if all tokens before it in its draft were."""
    counts = expected(TinyModel(acceptance), prompt, n_max, predicted_n)
    by_position = counts.accepted_per_position
    assert len(by_position) == n_max
    assert sum(by_position) == counts.draft_n_accepted <= counts.draft_n
    assert list(by_position) == sorted(by_position, reverse=True)
    assert counts.verify_steps <= counts.draft_n <= counts.verify_steps * n_max


@given(PROMPTS, N_MAX, LENGTHS)
def test_right_guesses_are_all_accepted_and_wrong_ones_never(
    prompt: str, n_max: int, predicted_n: int
):
    """The two ends between which every other pattern lies."""
    best = expected(TinyModel(Acceptance.always()), prompt, n_max, predicted_n)
    worst = expected(TinyModel(Acceptance.never()), prompt, n_max, predicted_n)
    assert best.draft_n_accepted == best.draft_n
    assert worst.draft_n_accepted == 0
    assert best.verify_steps <= worst.verify_steps


@pytest.mark.parametrize("predicted_n", [1, 2])
def test_a_text_of_two_tokens_drafts_nothing(predicted_n: int):
    """The second token needs a pass anyway, and there is no third to guess."""
    assert expected(TinyModel(), "A", 3, predicted_n) == Counts(0, 0, 0, (0, 0, 0))


def test_the_last_draft_is_cut_to_the_tokens_that_remain():
    """Ten tokens, all guesses right, n_max 5: one pass, a draft of five, then one of two."""
    assert expected(TinyModel(), "A", 5, 10) == Counts(7, 7, 2, (2, 2, 1, 1, 1))


def test_a_chance_has_no_exact_counts():
    """They differ from seed to seed; a test of them needs a tolerance."""
    with pytest.raises(ValueError, match="only their means"):
        expected(TinyModel(chance=0.7), "A", 3, 10)


def test_a_baseline_has_no_counts():
    """n_max 0 aborts a real server on its first request."""
    with pytest.raises(ValueError, match="expected 1 or more"):
        expected(TinyModel(), "A", 0, 10)
