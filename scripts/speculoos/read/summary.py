"""What the requests of a reading say together, in constant memory.

A rate is total tokens over total time, never a mean of rates; acceptance is pooled over tokens.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from speculoos.read.batch import Batch
from speculoos.read.digits import Floats
from speculoos.read.request import Request, Speculation


@dataclass(slots=True)
class Summary:
    """Running totals; add requests as they come."""

    requests: int = 0
    prompt_n: int = 0
    predicted_n: int = 0
    timed_requests: int = 0
    timed_n: int = 0
    """Generated tokens of the requests whose time is known."""
    with_first_n: int = 0
    """The same with each text's first token."""
    timed_ms: float = 0.0
    draft_n: int = 0
    draft_n_accepted: int = 0
    speculation: dict[Speculation, int] = field(
        default_factory=lambda: {"drafted": 0, "none": 0, "unknown": 0}
    )
    slowest: float | None = None
    fastest: float | None = None
    """Tokens per second of single requests, from their counts."""

    @classmethod
    def of(cls, requests: Iterable[Request]) -> Self:
        """The summary of some requests."""
        summary = cls()
        for request in requests:
            summary.add(request)
        return summary

    def add(self, request: Request) -> None:
        """Count one request."""
        self.requests += 1
        self.prompt_n += request.prompt_n or 0
        self.predicted_n += request.predicted_n or 0
        self.speculation[request.speculation] += 1
        if request.draft_n and request.draft_n_accepted is not None:
            self.draft_n += request.draft_n
            self.draft_n_accepted += request.draft_n_accepted
        rate = tokens_per_second(request)
        if rate is not None and request.predicted_n and request.predicted_ms:
            self._time(timed_tokens(request), request.predicted_ms, rate)
            self.with_first_n += request.predicted_n

    def add_all(self, batch: Batch) -> None:
        """Count many requests at once."""
        rows, tokens = batch.rows, batch.rows["predicted_n"]
        self.requests += len(batch)
        self.prompt_n += int(rows["prompt_n"].sum())
        self.predicted_n += int(tokens.sum())
        drafted = int(np.count_nonzero(rows.drafted))
        self.speculation["drafted"] += drafted
        self.speculation["none"] += len(batch) - drafted
        self.draft_n += int(rows["drafted"].sum())
        self.draft_n_accepted += int(rows["accepted"].sum())
        timed = (tokens > 1) & (batch.predicted_ms > 0)
        if timed.any():
            self._times(tokens[timed] - 1, batch.predicted_ms[timed])
            self.with_first_n += int(tokens[timed].sum())

    def _times(self, n: Floats, ms: Floats) -> None:
        rates = 1000 * n / ms
        self._time(0, 0.0, float(rates.min()))
        self._time(int(n.sum()), float(ms.sum()), float(rates.max()))
        self.timed_requests += len(n) - 2

    def _time(self, n: int, ms: float, rate: float) -> None:
        self.timed_requests += 1
        self.timed_n += n
        self.timed_ms += ms
        self.slowest = rate if self.slowest is None else min(self.slowest, rate)
        self.fastest = rate if self.fastest is None else max(self.fastest, rate)

    @property
    def tokens_per_second(self) -> float | None:
        """Generated tokens over time, without each text's first token, which the prompt gives."""
        return 1000 * self.timed_n / self.timed_ms if self.timed_ms else None

    @property
    def acceptance_rate(self) -> float | None:
        """Accepted over drafted tokens; None where nothing was drafted, which is not 0 %."""
        return self.draft_n_accepted / self.draft_n if self.draft_n else None

    @property
    def spread(self) -> float | None:
        """(fastest - slowest) / rate of the totals; None for fewer than two requests."""
        rate = self.tokens_per_second
        if self.timed_requests < 2 or not rate:  # noqa: PLR2004
            return None
        assert self.fastest is not None
        assert self.slowest is not None
        return (self.fastest - self.slowest) / rate


def timed_tokens(request: Request) -> int:
    """The tokens that a request's time was spent on.

    A server's text has one more, which the prompt's pass gives; llama-bench generates every one,
    and how many texts stand behind a page of totals is not known.
    """
    n = request.predicted_n or 0
    return n if request.source in {"llama_bench", "metrics"} else max(0, n - 1)


def tokens_per_second(request: Request) -> float | None:
    """A request's rate from its counts, without its first token; None where a count is missing."""
    n = timed_tokens(request)
    return 1000 * n / request.predicted_ms if n and request.predicted_ms else None
