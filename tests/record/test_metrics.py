"""The formulas, against values worked out by hand or known from public data."""

from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import factories
from speculoos.record import metrics


def test_a_rate_is_total_tokens_over_total_time_without_the_first_token():
    """10 and 20 tokens in 100 and 400 ms: 30 / 0.5 s, not the mean of 100 and 50."""
    samples = [
        factories.sample(predicted_n=11, predicted_ms=100.0),
        factories.sample(predicted_n=21, predicted_ms=400.0),
    ]
    assert metrics.tokens_per_second(samples) == pytest.approx(60.0)


def test_no_tokens_give_no_rate():
    """A text of one token says nothing about speed."""
    assert metrics.tokens_per_second([factories.sample(predicted_n=1)]) is None


@pytest.mark.parametrize("predicted_ms", [0.0, 5e-324, 1e-20])
def test_a_time_that_is_a_slip_gives_no_rate(predicted_ms: float):
    """What follows would be more than a computer holds."""
    assert metrics.tokens_per_second([factories.sample(predicted_ms=predicted_ms)]) is None


def test_acceptance_is_pooled():
    """5 of 8 and 1 of 2: 6 / 10."""
    samples = [factories.drafted(), factories.drafted(draft_n=2, draft_n_accepted=1)]
    assert metrics.acceptance_rate(samples) == pytest.approx(0.6)


def test_nothing_drafted_is_no_acceptance_rate():
    """It is not 0 %."""
    assert metrics.acceptance_rate([factories.sample()]) is None


def test_acceptance_by_position_is_a_share_of_the_steps():
    """(3, 2) in 4 steps and (1,) in 1 step: 4/5 and 2/5."""
    samples = [
        factories.drafted(),
        factories.drafted(verify_steps=1, draft_n_accepted=1, accepted_per_position=(1,)),
    ]
    assert metrics.acceptance_by_position(samples) == pytest.approx((0.8, 0.4))


def test_mean_acceptance_length_is_one_plus_accepted_over_steps():
    """5 accepted in 4 steps: 2.25 tokens a step."""
    assert metrics.mean_acceptance_length([factories.drafted()]) == pytest.approx(2.25)


def test_plain_passes_follow_from_the_tokens():
    """11 = 1 + 4 steps + 5 accepted + 1 plain pass."""
    assert metrics.plain_decodes(factories.drafted()) == 1


def test_tokens_per_pass_counts_plain_passes():
    """10 tokens in 4 steps and 1 plain pass."""
    assert metrics.tokens_per_pass([factories.drafted()]) == pytest.approx(2.0)


@given(a=st.floats(0, 0.99), n=st.integers(0, 16))
def test_expected_tokens_is_the_geometric_series(a: float, n: int):
    """(1 - a^(n+1)) / (1 - a), Leviathan et al. 2023."""
    assert metrics.expected_tokens(a, n) == pytest.approx((1 - a ** (n + 1)) / (1 - a))


def _intervals(rates: dict[str, list[float]], baseline: str = "baseline"):
    """Intervals of settings that stand in every block."""
    by_block = {name: dict(enumerate(values, 1)) for name, values in rates.items()}
    return metrics.speedup_intervals(by_block, baseline)


def test_step_cost_of_a_public_series():
    """RTX 5090: n_max 3, acceptance .83, 61.4 to 127.9 tokens/s give about 1.68 plain passes."""
    assert metrics.step_cost(1 + 3 * 0.83, 127.9 / 61.4) == pytest.approx(1.675, abs=0.001)


def test_the_interval_of_two_settings_is_the_paired_t_interval():
    """With two settings the pooled block interval is Student's for paired differences."""
    base, fast = [10.0, 11.0, 10.5], [15.0, 15.5, 16.5]
    differences = np.log(fast) - np.log(base)
    half = 4.302653 * differences.std(ddof=1) / sqrt(3)
    found = _intervals({"baseline": base, "n_max 1": fast})["n_max 1"]
    assert found.value == pytest.approx(exp(differences.mean()))
    assert found.low == pytest.approx(exp(differences.mean() - half))
    assert found.high == pytest.approx(exp(differences.mean() + half))


def test_one_block_has_no_interval():
    """There is nothing to estimate noise from."""
    found = _intervals({"baseline": [10.0], "n_max 1": [12.0]})
    assert found["n_max 1"] == metrics.Interval(pytest.approx(1.2))


@given(scale=st.floats(0.1, 10))
def test_a_block_that_is_slower_as_a_whole_changes_nothing(scale: float):
    """Drift between blocks hits every setting alike and cancels."""
    rates = {"baseline": [10.0, 11.0], "n_max 1": [12.0, 13.5], "n_max 2": [9.0, 9.5]}
    drifted = {name: [first, second * scale] for name, (first, second) in rates.items()}
    before = _intervals(rates)["n_max 1"]
    after = _intervals(drifted)["n_max 1"]
    assert after.low == pytest.approx(before.low)
    assert after.value == pytest.approx(before.value)


def test_the_interval_covers_as_often_as_it_says():
    """500 simulated measurements, 4 settings in 3 blocks: 95 % of the intervals hold the truth."""
    random = np.random.default_rng(1)
    hits = 0
    for _ in range(500):
        logs = random.normal(0, 0.02, (4, 3))
        rates = {str(i): list(np.exp(row)) for i, row in enumerate(logs)}
        found = _intervals(rates, "0")["1"]
        hits += found.low <= 1 <= found.high
    assert 0.92 <= hits / 500 <= 0.98


def test_the_interval_of_such_prompts_adds_both_widths():
    """sqrt(h_prompts^2 + h_runs^2) in logs, around the speed-up itself."""
    ratios = [1.2, 1.5, 1.1, 1.4]
    spread = np.log(ratios).std(ddof=1)
    of_prompts, of_runs = 3.182446 * spread / 2, log(1.05)
    found = metrics.interval_of_such_prompts(metrics.Interval(1.3, 1.3 / 1.05, 1.3 * 1.05), ratios)
    half = sqrt(of_prompts**2 + of_runs**2)
    assert found.high == pytest.approx(1.3 * exp(half))
    assert found.low == pytest.approx(1.3 / exp(half))


def test_three_prompts_say_nothing_of_others():
    """Nor does a speed-up without an interval."""
    whole = metrics.Interval(1.3, 1.2, 1.4)
    assert metrics.interval_of_such_prompts(whole, [1.2, 1.3, 1.4]) is None
    assert metrics.interval_of_such_prompts(metrics.Interval(1.3), [1.2] * 8) is None


def test_the_tokens_of_a_step_by_position_are_those_of_a_constant_acceptance():
    """S_i = a^i gives the closed form; a position that is not known gives nothing."""
    shares = [0.8**i for i in range(1, 9)]
    for n in range(9):
        found = metrics.expected_tokens_by_position(shares, n)
        assert found == pytest.approx((1 - 0.8 ** (n + 1)) / (1 - 0.8))
        assert found == pytest.approx(metrics.expected_tokens(0.8, n))
    assert metrics.expected_tokens_by_position(shares, 9) is None


def test_the_expected_speedup_turns_the_step_cost_round():
    """Tokens over cost; the cost that belongs to it gives the tokens back."""
    speedup = metrics.expected_speedup(2.4, 1.5)
    assert speedup == pytest.approx(1.6)
    assert metrics.step_cost(2.4, speedup) == pytest.approx(1.5)
