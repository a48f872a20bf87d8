"""What an observation says: figures over all its windows, and how far single windows lie apart."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from speculoos.record import metrics
from speculoos.record.types import Observation, Window
from speculoos.record.warn import Warn

MOST_WINDOWS = 240
"""Windows that a file holds; beyond them neighbours are added up."""
_TELLING_TOKENS = 32
"""Tokens below which a window's own rate says nothing."""

_SEVERAL = 1.05
"""Busy slots on average from which several requests shared the passes."""
_TELLING_ERROR = 0.005
"""Share of a rate that its rounding must reach to be told."""

Range = tuple[float, float]


@dataclass(frozen=True)
class Usage:
    """The reading of one observation."""

    observation: Observation
    prompt_n: int | None
    predicted_n: int
    requests: int | None
    tokens_per_second: float | None
    tokens_per_second_error: float
    """How far rounded counters may move the rate, in tokens per second."""
    rates: Range | None
    """Slowest and fastest window of more than a few tokens."""
    acceptance_rate: float | None
    acceptance_rates: Range | None
    acceptance_by_position: tuple[float, ...]
    mean_acceptance_length: float | None
    draft_n: int | None
    verify_steps: int | None
    busy_slots: float | None
    """Slots at work at once, on average over the passes; None where nothing tells."""
    silent_s: float
    restarts: int

    @property
    def n_max(self) -> int | None:
        """The depth, as far as a person or the counters tell it."""
        settings = self.observation.settings
        return settings.n_max if settings else None


def usage(observation: Observation) -> Usage:
    """All figures of an observation; None where its source does not tell."""
    windows = observation.windows
    rate = metrics.rate_in_use(windows)
    silences = observation.silences
    return Usage(
        observation=observation,
        prompt_n=_sum(w.prompt_n for w in windows),
        predicted_n=sum(w.predicted_n for w in windows),
        requests=_sum(w.requests for w in windows),
        tokens_per_second=rate,
        tokens_per_second_error=(rate or 0) * _relative_error(observation),
        rates=_range(windows, metrics.rate_in_use),
        acceptance_rate=metrics.acceptance_rate(windows),
        acceptance_rates=_range(windows, metrics.acceptance_rate),
        acceptance_by_position=metrics.acceptance_by_position(windows),
        mean_acceptance_length=metrics.mean_acceptance_length(windows),
        draft_n=_sum(w.draft_n for w in windows),
        verify_steps=_sum(w.verify_steps for w in windows),
        busy_slots=_busy_slots(windows),
        silent_s=sum(
            (observation.watched_s or s.from_s if s.to_s is None else s.to_s) - s.from_s
            for s in silences
        ),
        restarts=sum(bool(silence.restarted) for silence in silences),
    )


def _busy_slots(windows: Sequence[Window]) -> float | None:
    known = [w for w in windows if w.decodes and w.slot_decodes is not None]
    decodes = sum(w.decodes or 0 for w in known)
    return sum(w.slot_decodes or 0 for w in known) / decodes if decodes else None


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _range(windows: Sequence[Window], read: Callable[[list[Window]], float | None]) -> Range | None:
    found = [read([w]) for w in telling(windows)]
    known = [value for value in found if value is not None]
    return (min(known), max(known)) if len(known) > 1 else None


def telling(windows: Iterable[Window]) -> list[Window]:
    """The windows with enough tokens to say something by themselves."""
    return [w for w in windows if w.predicted_n >= _TELLING_TOKENS]


def _relative_error(observation: Observation) -> float:
    rounding = observation.rounding
    tokens = sum(w.predicted_n for w in observation.windows)
    milliseconds = sum(w.predicted_ms for w in observation.windows)
    if rounding is None or not tokens or not milliseconds:
        return 0.0
    return rounding.predicted_n / tokens + rounding.predicted_ms / milliseconds


def added(one: Window, other: Window) -> Window:
    """Two neighbours as one window; what one of them does not know, the sum does not know.

    Draft tokens are the exception: acceptance is pooled over those that are known.
    """
    return Window(
        from_s=one.from_s,
        to_s=other.to_s,
        predicted_n=one.predicted_n + other.predicted_n,
        predicted_ms=round(one.predicted_ms + other.predicted_ms, 6),
        requests=_both(one.requests, other.requests),
        prompt_n=_both(one.prompt_n, other.prompt_n),
        prompt_ms=_both_ms(one.prompt_ms, other.prompt_ms),
        draft_n=_sum((one.draft_n, other.draft_n)),
        draft_n_accepted=_sum((one.draft_n_accepted, other.draft_n_accepted)),
        verify_steps=_both(one.verify_steps, other.verify_steps),
        accepted_per_position=_positions(one, other),
        decodes=_both(one.decodes, other.decodes),
        slot_decodes=_both_ms(one.slot_decodes, other.slot_decodes),
    )


def _both(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _both_ms(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else round(one + other, 6)


def _positions(one: Window, other: Window) -> tuple[int, ...] | None:
    if one.accepted_per_position is None or other.accepted_per_position is None:
        return None
    pairs = zip_longest(one.accepted_per_position, other.accepted_per_position, fillvalue=0)
    return tuple(a + b for a, b in pairs)


def thinned(windows: Sequence[Window], most: int = MOST_WINDOWS) -> tuple[Window, ...]:
    """The windows, neighbours added up pair by pair until there are at most `most`."""
    while len(windows) > most:
        pairs = [windows[at : at + 2] for at in range(0, len(windows), 2)]
        windows = [added(*pair) if len(pair) > 1 else pair[0] for pair in pairs]
    return tuple(windows)


def cautions(found: Usage) -> Iterator[Warn]:
    """What a reader must know before the figures of an observation."""
    yield Warn("observed-no-baseline")
    observed = found.observation
    rate = found.tokens_per_second
    if rate is not None and found.requests is None:
        yield Warn("observed-first-tokens")
    if rate is not None and found.busy_slots is not None and found.busy_slots > _SEVERAL:
        together = {"busy_slots": found.busy_slots, "together": rate * found.busy_slots}
        yield Warn("observed-several", together)
    if not observed.windows:
        return
    if found.draft_n is None:
        yield Warn("observed-not-counted" if observed.by == "metrics" else "observed-not-logged")
    elif not found.draft_n:
        yield Warn("observed-nothing-drafted")
    if rate is not None and found.tokens_per_second_error > _TELLING_ERROR * rate:
        yield Warn("observed-rounded", {"error": found.tokens_per_second_error})
    if found.restarts:
        yield Warn("observed-restarted", {"restarts": found.restarts})
    if observed.running_at_end:
        yield Warn("observed-running", {"running": observed.running_at_end})
