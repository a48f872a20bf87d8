"""The server's own counters, from `/metrics` or, in builds without them, from the stream."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_LINE = re.compile(
    r'^llamacpp:(\w+)(?:\{[^}]*?(?:\bposition="(\d{1,4})")?[^}]*\})? '
    r"(\d{1,15}(?:\.\d{1,20})?(?:[eE][+-]?\d\d)?)(?: \d+)?\r?$",
    re.MULTILINE,
)
_STEPS = "spec_decode_num_drafts_total"
_DRAFTED = "spec_decode_num_draft_tokens_total"
_ACCEPTED = "spec_decode_num_accepted_tokens_total"
_PER_POSITION = "spec_decode_num_accepted_tokens_per_pos_total"
_DECODES = "n_decode_total"


@dataclass(frozen=True)
class Counts:
    """Speculation around one request; None where this build does not count it."""

    draft_n: int | None = None
    draft_n_accepted: int | None = None
    verify_steps: int | None = None
    accepted_per_position: tuple[int, ...] | None = None
    decodes: int | None = None


@dataclass(frozen=True)
class Counters:
    """One reading of `/metrics`: totals since the start of the server."""

    totals: Mapping[str, int]
    per_position: Mapping[int, int]

    @property
    def count_speculation(self) -> bool:
        """Whether this build counts drafts at all (b10068 does not, b10434 does)."""
        return _STEPS in self.totals


def readings(page: str) -> tuple[dict[str, float], dict[int, int]]:
    """Every value of a `/metrics` page by its name, and the accepted tokens by position."""
    values: dict[str, float] = {}
    per_position: dict[int, int] = {}
    for name, position, value in _LINE.findall(page):
        if not position:
            values[name] = float(value)
        elif name == _PER_POSITION:
            per_position[int(position)] = int(float(value))
    return values, per_position


def read_counters(page: str) -> Counters:
    """The counters of a `/metrics` page; gauges are windows and are left out by name."""
    values, per_position = readings(page)
    kept = {_STEPS, _DRAFTED, _ACCEPTED, _DECODES}
    totals = {name: int(value) for name, value in values.items() if name in kept}
    return Counters(totals, per_position)


def difference(before: Counters, after: Counters) -> Counts:
    """What happened between two readings."""
    if not after.count_speculation:
        return Counts()

    def grown(name: str) -> int:
        return after.totals[name] - before.totals.get(name, 0)

    positions = [
        after.per_position[at] - before.per_position.get(at, 0) for at in sorted(after.per_position)
    ]
    return Counts(
        draft_n=grown(_DRAFTED),
        draft_n_accepted=grown(_ACCEPTED),
        verify_steps=grown(_STEPS),
        accepted_per_position=tuple(positions),
        decodes=grown(_DECODES),
    )


def own_count(counts: Counts, timings: Mapping[str, Any], name: str) -> int | None:
    """What an answer says of `draft_n` or `draft_n_accepted`, where the counters say otherwise."""
    counted, said = getattr(counts, name), int(timings.get(name, 0))
    return None if counted in {None, said} else said


def from_stream(
    cumulative: Iterable[Mapping[str, Any]], final: Mapping[str, Any], depth: int = 0
) -> Counts:
    """Counts from the `timings` that a stream carries with every token.

    `draft_n` and `draft_n_accepted` are running totals: each growth of `draft_n` is one step.
    Positions are counted up to `depth` at least, as `/metrics` does.
    """
    steps: list[tuple[int, int]] = []
    drafted = accepted = 0
    for timings in (*cumulative, final):
        now, right = int(timings.get("draft_n", 0)), int(timings.get("draft_n_accepted", 0))
        if now > drafted:
            steps.append((now - drafted, right - accepted))
        drafted, accepted = max(now, drafted), max(right, accepted)
    deepest = max([depth, *(length for length, _ in steps)]) if steps else 0
    positions = tuple(sum(right > at for _, right in steps) for at in range(deepest))
    return Counts(drafted, accepted, len(steps), positions)
