"""What must hold between the counts of a sample."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import factories
from speculoos.parts.tiny_counts import expected
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.identities import broken, prompt_decodes


@given(
    shares=st.lists(st.floats(0, 1), min_size=1, max_size=8),
    seed=st.integers(0, 99),
    n_max=st.integers(1, 12),
    tokens=st.integers(1, 200),
)
def test_possible_counts_break_nothing(shares: list[float], seed: int, n_max: int, tokens: int):
    """Counts that a walk of the tiny model gives are possible, whatever its acceptance."""
    counts = expected(TinyModel(Acceptance.by_step(shares, seed)), "A", n_max, tokens)
    plain = tokens - 1 - counts.verify_steps - counts.draft_n_accepted
    sample = factories.sample(
        predicted_n=tokens,
        draft_n=counts.draft_n,
        draft_n_accepted=counts.draft_n_accepted,
        verify_steps=counts.verify_steps,
        accepted_per_position=counts.accepted_per_position,
        decodes=1 + counts.verify_steps + plain,
    )
    assert list(broken(sample, factories.mtp(n_max))) == []
    assert prompt_decodes(sample) == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"draft_n_accepted": 9, "accepted_per_position": (5, 4)}, "draft_n_accepted"),
        ({"verify_steps": 9}, "verify_steps"),
        ({"accepted_per_position": (2, 3)}, "accepted_per_position"),
        ({"accepted_per_position": (3, 1)}, "accepted_per_position"),
        ({"accepted_per_position": (3, 1, 1)}, "accepted_per_position"),
        ({"accepted_per_position": (5, 0), "verify_steps": 4}, "accepted_per_position"),
        ({"draft_n": 9}, "draft_n"),
        ({"predicted_n": 9}, "predicted_n"),
        ({"predicted_n": 13}, "predicted_n"),
        ({"decodes": 99}, "decodes"),
        ({"decodes": 5}, "decodes"),
        ({"truncated": True}, "truncated"),
        ({"timings_draft_n": 9}, "timings_draft_n"),
        ({"timings_draft_n_accepted": 4}, "timings_draft_n_accepted"),
    ],
)
def test_an_impossible_count_is_named(changes: dict[str, object], field: str):
    """Each identity is broken once; the field that breaks it is named."""
    assert list(broken(factories.drafted(), factories.mtp(2))) == []
    assert field in [name for name, _ in broken(factories.drafted(**changes), factories.mtp(2))]


@pytest.mark.parametrize("over", [0, 1, 2])
def test_a_text_that_ended_by_itself_may_have_lost_up_to_n_max_tokens(over: int):
    """Accepted behind the end of the text, counted but never sent."""
    sample = factories.drafted(finish="eos", predicted_n=10 - over, decodes=5)
    assert list(broken(sample, factories.mtp(2))) == []


def test_a_text_cannot_lose_more_than_n_max_tokens():
    """Three lost tokens with n_max 2 are impossible."""
    sample = factories.drafted(finish="eos", predicted_n=7, decodes=5)
    assert [name for name, _ in broken(sample, factories.mtp(2))] == ["predicted_n"]


@pytest.mark.parametrize(
    "changes",
    [{"draft_n": 1}, {"draft_n_accepted": 1}, {"verify_steps": 1}, {"accepted_per_position": (1,)}],
)
def test_a_baseline_drafts_nothing(changes: dict[str, object]):
    """Any count of speculation in a baseline is an error."""
    assert list(broken(factories.sample(**changes), factories.BASELINE))


def test_unknown_counts_break_nothing():
    """A build that counts nothing leaves fields absent, which is not 0."""
    sample = factories.sample(
        draft_n=None, draft_n_accepted=None, verify_steps=None, accepted_per_position=None
    )
    assert list(broken(sample, factories.mtp(2))) == []
