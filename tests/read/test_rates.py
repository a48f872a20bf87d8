"""What printed figures allow, rounded as they are."""

import pytest

from read.log_writer import Truth, keyed
from speculoos.read import rates, read


@pytest.mark.parametrize("true_ms", [0.0256, 0.03, 0.0344, 0.104, 0.4949])
@pytest.mark.parametrize("n", [2, 8, 40])
def test_a_time_below_a_millisecond_makes_no_rate_wrong(true_ms, n):
    """It is printed with two digits, the rate from all of them: some tens of percent apart."""
    lines = keyed(Truth(0, 3, 40, 500.0, n, true_ms, ((3, 2),)), "B")
    assert not [hint for hint in read(lines, "log").hints if hint.kind == "rate-mismatch"]


@pytest.mark.parametrize("ms", [0.03, 2.0, 2000.0])
def test_a_rate_of_other_tokens_does_not_fit(ms):
    """Twice the rate is seen at any length of time that is printed."""
    n = 40
    assert rates.some_divisor_fits(n, ms, (1000 * n / ms, 1.0))
    assert not rates.some_divisor_fits(n, ms, (1000 * 2 * n / ms, 1.0))
