"""What printed figures allow to conclude: divisor, steps, counts per position, n_max.

Every function gives None where the figures leave more than one answer.
"""

from math import ceil, floor
from typing import TypeVar

from speculoos.read.digits import Floats
from speculoos.read.request import RateDivisor

Figure = TypeVar("Figure", float, Floats)

TWO_DIGITS, THREE_DIGITS = 0.00501, 0.000501
STEPS_FOR_A_PROOF = 8
"""With fewer steps a drafted count can look like another n_max by chance."""


def rate_divisor(
    n: int | None, ms: float | None, *printed: tuple[float, float], exact: bool = False
) -> RateDivisor | None:
    """Which count the printed figures were divided by.

    `printed` holds (value, power): 1 for tokens per second, -1 for ms per token. Printed with
    two digits unless `exact`.
    """
    if not n or not ms or not printed:
        return None
    slack = 1e-6 if exact else None
    whole, less = (
        all(_fits(value, power, count, ms, slack) for value, power in printed)
        for count in (n, n - 1)
    )
    if whole == less:
        return None
    return "n" if whole else "n-1"


def some_divisor_fits(n: int, ms: float, printed: tuple[float, float]) -> bool:
    """Whether a printed figure follows from the count, or from one token less."""
    value, power = printed
    return any(_fits(value, power, count, ms, None) for count in (n, n - 1))


def _fits(value: float, power: float, count: int, ms: float, slack: float | None) -> bool:
    """Whether `value` is 1000 count / ms (power 1) or ms / count (power -1), as it was rounded."""
    if not (count and ms):
        return value == 0
    if slack is not None:
        true = 1000 * count / ms if power > 0 else ms / count
        return abs(true - value) <= slack * true
    if power > 0:
        least, most = tokens_between(value, ms)
        return least <= count <= most
    return (
        (value - TWO_DIGITS) * count - TWO_DIGITS <= ms <= (value + TWO_DIGITS) * count + TWO_DIGITS
    )


def tokens_between(rate: Figure, ms: Figure) -> tuple[Figure, Figure]:
    """Least and most tokens that give this rate in this time: two digits are printed of both.

    A time of 0.03 ms may have been 0.025 or 0.035 ms: of a short one the rate shows little.
    """
    least = (rate - TWO_DIGITS) * (ms - TWO_DIGITS) / 1000
    return least, (rate + TWO_DIGITS) * (ms + TWO_DIGITS) / 1000


def verify_steps(
    accepted: int, mean_length: float, positions: tuple[float, ...] = ()
) -> int | None:
    """Verification steps from the mean length, which is 1 + accepted / steps to two digits."""
    found = [s for s in _step_range(accepted, mean_length) if _positions(accepted, s, positions)]
    return found[0] if len(found) == 1 else None


def _step_range(accepted: int, mean_length: float) -> range:
    low, high = mean_length - 1 - TWO_DIGITS, mean_length - 1 + TWO_DIGITS
    if accepted < 1 or low <= 0:
        return range(0)
    return range(ceil(accepted / high), floor(accepted / low) + 1)


def _positions(accepted: int, steps: int, rates: tuple[float, ...]) -> tuple[int, ...] | None:
    """The counts per position that `steps` and the rates give, if they add up to `accepted`."""
    if not rates:
        return (accepted,)
    counts = tuple(round(rate * steps) for rate in rates)
    close = all(abs(c / steps - r) <= THREE_DIGITS for c, r in zip(counts, rates, strict=True))
    return counts if close and sum(counts) == accepted else None


def accepted_per_position(
    accepted: int, steps: int | None, rates: tuple[float, ...]
) -> tuple[int, ...] | None:
    """Counts behind printed rates, where they add up to the accepted tokens."""
    if not rates or not steps or steps > 999:  # noqa: PLR2004  three digits tell no more apart
        return None
    return _positions(accepted, steps, rates)


def n_max(drafted: int, steps: int | None, requests: int = 1) -> int | None:
    """The one n_max with which every step drafts it in full but the last of each request.

    With N drafted per step and `requests` last steps cut short to one token at the least,
    N · steps - (N - 1) · requests <= drafted <= N · steps.
    """
    if not steps or steps < STEPS_FOR_A_PROOF or steps <= requests or requests < 1:
        return None
    low = ceil(drafted / steps)
    high = (drafted - requests) // (steps - requests)
    return low if low == high else None
