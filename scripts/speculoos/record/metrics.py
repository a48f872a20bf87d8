"""Every formula of the project, once.

A rate is total tokens over total time, never a mean of rates (Fleming & Wallace 1986).
The first token of a text comes out of the prompt's pass: it counts in neither.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import exp, log, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from speculoos.record.types import Sample

CONFIDENCE = 0.95


def tokens_per_second(samples: Iterable[Sample]) -> float | None:
    """Generated tokens per second over all samples, without each text's first token."""
    samples = list(samples)
    tokens = sum(max(s.predicted_n - 1, 0) for s in samples)
    milliseconds = sum(s.predicted_ms for s in samples)
    return 1000 * tokens / milliseconds if tokens and milliseconds else None


def prompt_tokens_per_second(samples: Iterable[Sample]) -> float | None:
    """Prompt tokens per second over all samples."""
    samples = list(samples)
    milliseconds = sum(s.prompt_ms for s in samples)
    return 1000 * sum(s.prompt_n for s in samples) / milliseconds if milliseconds else None


def acceptance_rate(samples: Iterable[Sample]) -> float | None:
    """Accepted over drafted tokens; None where nothing was drafted, which is not 0 %."""
    samples = list(samples)
    drafted = sum(s.draft_n or 0 for s in samples)
    return sum(s.draft_n_accepted or 0 for s in samples) / drafted if drafted else None


def mean_acceptance_length(samples: Iterable[Sample]) -> float | None:
    """Tokens per verification step, 1 + accepted / steps: the log's `mean len`."""
    known = [s for s in samples if s.verify_steps is not None]
    steps = sum(s.verify_steps or 0 for s in known)
    return 1 + sum(s.draft_n_accepted or 0 for s in known) / steps if steps else None


def acceptance_by_position(samples: Iterable[Sample]) -> tuple[float, ...]:
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


@dataclass(frozen=True)
class Interval:
    """A ratio with its interval; the bounds are None where the data cannot give them."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval, as a share of the value."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / 2 / self.value


def speedup_intervals(rates: Mapping[str, Sequence[float]], baseline: str) -> dict[str, Interval]:
    """Speed-ups over `baseline` with pooled 95 % intervals, for these prompts on this machine.

    `rates` holds one rate per block for every setting, all of the same number of blocks.
    Randomised complete blocks (Abedi & Brecht 2017): log rate = setting + block + noise, the noise
    pooled over all settings, with (k - 1)(n - 1) degrees of freedom for k settings in n blocks.
    """
    names = list(rates)
    logs = np.log(np.array([rates[name] for name in names], dtype=float))
    half = _pooled_half_width(logs)
    means = logs.mean(axis=1)
    reference = means[names.index(baseline)]
    return {
        name: _interval(float(mean - reference), half)
        for name, mean in zip(names, means, strict=True)
        if name != baseline
    }


def _pooled_half_width(logs: ArrayLike) -> float | None:
    values = np.asarray(logs, dtype=float)
    settings, blocks = values.shape
    freedom = (settings - 1) * (blocks - 1)
    if freedom < 1:
        return None
    rows, columns = values.mean(axis=1, keepdims=True), values.mean(axis=0, keepdims=True)
    residual = values - rows - columns + values.mean()
    variance = float((residual**2).sum()) / freedom
    quantile = float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
    return quantile * sqrt(2 * variance / blocks)


def _interval(log_ratio: float, half: float | None) -> Interval:
    if half is None:
        return Interval(exp(log_ratio))
    return Interval(exp(log_ratio), exp(log_ratio - half), exp(log_ratio + half))


def geometric_mean(ratios: Iterable[float]) -> float | None:
    """The mean of ratios between prompts (Fleming & Wallace 1986)."""
    logs = [log(ratio) for ratio in ratios]
    return exp(sum(logs) / len(logs)) if logs else None


def spread(rates: Sequence[float]) -> float | None:
    """(max - min) / mean of the same setting over the blocks; None for fewer than two."""
    return (max(rates) - min(rates)) / (sum(rates) / len(rates)) if len(rates) > 1 else None
