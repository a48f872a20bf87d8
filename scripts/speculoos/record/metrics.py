"""Every formula of the project, once.

A rate is total tokens over total time, never a mean of rates (Fleming & Wallace 1986).
The first token of a text comes out of the prompt's pass: it counts in neither.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from math import exp, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speculoos.record.types import Batch, Sample, Window

CONFIDENCE = 0.95
_NO_RATE = 1e12
"""Tokens per second that nothing reaches: further up, figures end that a computer can hold."""
Counted = Sample | Batch | Window
"""What carries the counts of speculation: one request, several slots together, or all that ended
in a while."""


@cache
def student(freedom: int) -> float:
    """The two-sided quantile of Student's t at `CONFIDENCE`."""
    from scipy.special import stdtrit  # noqa: PLC0415 - a third of the start of every command

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def rate(tokens: float, milliseconds: float) -> float | None:
    """Tokens per second; None of nothing, in no time, or where the time must be a slip."""
    found = 1000 * tokens / milliseconds if milliseconds else 0.0
    return found if 0 < found < _NO_RATE else None


def tokens_per_second(samples: Iterable[Sample]) -> float | None:
    """Generated tokens per second over all samples, without each text's first token."""
    samples = list(samples)
    tokens = sum(max(s.predicted_n - 1, 0) for s in samples)
    return rate(tokens, sum(s.predicted_ms for s in samples))


def rate_in_use(windows: Iterable[Window]) -> float | None:
    """Generated tokens per second of the slots that were at work.

    Where the number of requests is known, each one's first token is left out, as everywhere; the
    counters of a server do not hold it, and the rate is then high by one token a request.
    """
    windows = list(windows)
    tokens = sum(w.predicted_n - min(w.requests or 0, w.predicted_n) for w in windows)
    return rate(tokens, sum(w.predicted_ms for w in windows))


def prompt_tokens_per_second(samples: Iterable[Sample]) -> float | None:
    """Prompt tokens per second over all samples."""
    samples = list(samples)
    return rate(sum(s.prompt_n for s in samples), sum(s.prompt_ms for s in samples))


def acceptance_rate(samples: Iterable[Counted]) -> float | None:
    """Accepted over drafted tokens; None where nothing was drafted, which is not 0 %."""
    samples = list(samples)
    drafted = sum(s.draft_n or 0 for s in samples)
    return sum(s.draft_n_accepted or 0 for s in samples) / drafted if drafted else None


def mean_acceptance_length(samples: Iterable[Counted]) -> float | None:
    """Tokens per verification step, 1 + accepted / steps: the log's `mean len`."""
    known = [s for s in samples if s.verify_steps is not None]
    steps = sum(s.verify_steps or 0 for s in known)
    return 1 + sum(s.draft_n_accepted or 0 for s in known) / steps if steps else None


def acceptance_by_position(samples: Iterable[Counted]) -> tuple[float, ...]:
    """S_i: the share of verification steps whose first i guesses were all accepted, i from 1.

    The last draft of a text is cut short, so deep positions read a little low in short texts.
    """
    known = [s for s in samples if s.verify_steps and s.accepted_per_position is not None]
    steps = sum(s.verify_steps or 0 for s in known)
    columns = zip_longest(*(s.accepted_per_position or () for s in known), fillvalue=0)
    return tuple(sum(column) / steps for column in columns)


def plain_decodes(sample: Sample) -> int | None:
    """P: passes without a draft, from predicted_n = 1 + D + P + A; exact for a stop at `limit`."""
    if sample.verify_steps is None or sample.draft_n_accepted is None:
        return None
    return sample.predicted_n - 1 - sample.verify_steps - sample.draft_n_accepted


def tokens_per_pass(samples: Iterable[Sample]) -> float | None:
    """Tokens per pass of the model, (predicted_n - 1) / (D + P): plain passes included."""
    known = [s for s in samples if s.verify_steps is not None and s.predicted_n > 1]
    passes = sum((s.verify_steps or 0) + max(plain_decodes(s) or 0, 0) for s in known)
    return sum(s.predicted_n - 1 for s in known) / passes if passes else None


def step_cost(length: float, speedup: float) -> float:
    """What one step costs in plain passes, (1 + n · acceptance) · baseline rate / rate(n).

    `length` is the tokens that a step gives; the cost separates the machine from the text.
    """
    return length / speedup


def expected_tokens(acceptance: float, n_max: int) -> float:
    """E(n) = 1 + a + … + a^n, tokens per step (Leviathan et al. 2023, arXiv 2211.17192, eq. 1)."""
    return float(sum(acceptance**i for i in range(n_max + 1)))


def expected_tokens_by_position(shares: Sequence[float], n_max: int) -> float | None:
    """E(n) = 1 + S_1 + … + S_n from the shares by position; None where one of them is unknown."""
    return 1 + sum(shares[:n_max]) if n_max <= len(shares) else None


def expected_speedup(length: float, cost: float) -> float:
    """The tokens that a step gives over what it costs in plain passes: `step_cost` turned round."""
    return length / cost


@dataclass(frozen=True)
class Interval:
    """A ratio with its interval; the bounds are None where the data cannot give them."""

    value: float
    low: float | None = None
    high: float | None = None
    freedom: int = 0
    """Degrees of freedom that its noise was estimated with."""

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval, as a share of the value."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2 / self.value


def speedup_intervals(
    rates: Mapping[str, Mapping[int, float]], baseline: str
) -> dict[str, Interval]:
    """Speed-ups over `baseline` with pooled 95 % intervals, for these prompts on this machine.

    `rates` holds one rate per setting and block; the baseline has one in every block.
    Randomised blocks (Abedi & Brecht 2017): log rate = setting + block + noise, by least squares,
    the noise pooled over all settings: (k - 1)(n - 1) degrees of freedom for k settings that stand
    in all of n blocks, one less for every cell that is missing.
    """
    names = list(rates)
    fit = _fit(rates)
    at = names.index(baseline)
    return {
        name: _interval(
            float(fit.effects[index] - fit.effects[at]), fit.half_width(index, at), fit.freedom
        )
        for index, name in enumerate(names)
        if index != at
    }


@dataclass(frozen=True)
class _Fit:
    """Effects of the settings, then of the blocks; their covariance in units of the noise."""

    effects: NDArray[np.floating[Any]]
    covariance: NDArray[np.floating[Any]]
    variance: float
    freedom: int

    def half_width(self, one: int, other: int) -> float | None:
        """Half the 95 % interval of a difference of two settings, in logs."""
        if self.freedom < 1:
            return None
        c = self.covariance
        scale = float(c[one, one] + c[other, other] - 2 * c[one, other])
        quantile = student(self.freedom)
        return quantile * sqrt(scale * self.variance)


def _fit(rates: Mapping[str, Mapping[int, float]]) -> _Fit:
    blocks = sorted({block for own in rates.values() for block in own})
    cells = [
        (at, blocks.index(b), r) for at, own in enumerate(rates.values()) for b, r in own.items()
    ]
    design = np.zeros((len(cells), len(rates) + len(blocks) - 1))
    for row, (setting, block, _) in enumerate(cells):
        design[row, setting] = 1
        if block:
            design[row, len(rates) + block - 1] = 1
    logs = np.log([rate for *_, rate in cells])
    covariance = np.linalg.inv(design.T @ design)
    effects = covariance @ design.T @ logs
    freedom = len(cells) - design.shape[1]
    rest = float(((logs - design @ effects) ** 2).sum())
    return _Fit(effects, covariance, rest / max(freedom, 1), freedom)


LEAST_PROMPTS = 4
"""Prompts below which nothing is said of others like them."""


def interval_of_such_prompts(speedup: Interval, ratios: Sequence[float]) -> Interval | None:
    """A speed-up for prompts like these: half-width sqrt(h_prompts^2 + h_runs^2), in logs.

    `ratios` holds one ratio a prompt, taken as a sample of all such prompts: the interval of
    their geometric mean by Student's t. None for fewer than four, or without an interval of runs.
    """
    if speedup.high is None or len(ratios) < LEAST_PROMPTS:
        return None
    spread = float(np.log(np.array(ratios)).std(ddof=1))
    quantile = student(len(ratios) - 1)
    half_of_prompts = quantile * spread / sqrt(len(ratios))
    half_of_runs = log(speedup.high / speedup.value)
    half = sqrt(half_of_prompts**2 + half_of_runs**2)
    return _interval(log(speedup.value), half, speedup.freedom)


def _interval(log_ratio: float, half: float | None, freedom: int) -> Interval:
    if half is None:
        return Interval(exp(log_ratio))
    return Interval(exp(log_ratio), exp(log_ratio - half), exp(log_ratio + half), freedom)


def ratio_of(one: Interval, other: Interval) -> Interval:
    """How much larger one speed-up is than another that was measured apart from it.

    Half-widths add up as squares, in logs; no bounds where one of the two has none.
    """
    if one.high is None or other.high is None:
        return Interval(one.value / other.value)
    halves = (log(each.high / each.value) for each in (one, other) if each.high)
    half = sqrt(sum(half**2 for half in halves))
    return _interval(log(one.value / other.value), half, min(one.freedom, other.freedom))


def spread(rates: Sequence[float]) -> float | None:
    """(max - min) / mean of the same setting over the blocks; None for fewer than two."""
    return (max(rates) - min(rates)) / (sum(rates) / len(rates)) if len(rates) > 1 else None
