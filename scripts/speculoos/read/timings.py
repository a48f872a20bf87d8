"""Saved answers of llama-server: their `timings`, alone or in the answer, one or many."""

from collections.abc import Iterable, Iterator
from typing import Any

from speculoos.read.json_text import value_at
from speculoos.read.rates import rate_divisor
from speculoos.read.request import Request, Speculation

AT_ONCE = 64
"""Streams that may stand in one input at a time."""


def is_timings(entry: Any) -> bool:
    """Whether an object is a `timings` object or holds one."""
    return isinstance(entry, dict) and (_is_own(entry) or _timings(entry) is not None)


def _is_own(entry: Any) -> bool:
    """Whether it has figures of a generation; servers that imitate llama-server give no times."""
    return isinstance(entry, dict) and (
        "predicted_ms" in entry or entry.keys() >= {"predicted_n", "predicted_per_second"}
    )


def read(document: Any) -> Iterator[Request]:
    """The requests of one answer or of a list of answers."""
    entries = document if isinstance(document, list) else [document]
    for entry in entries:
        if is_timings(entry):
            yield _request(entry)


def read_stream(lines: Iterable[tuple[int, str]]) -> Iterator[Request]:
    """The requests of a saved stream or of one answer a line; of a stream, its last timings."""
    latest: dict[Any, dict[str, Any]] = {}
    for number, line in lines:
        entry = _entry(line)
        if not is_timings(entry):
            continue
        key = entry.get("id", number if entry.get("stop", True) else None)
        if entry.get("stop") is True:  # the end of a stream of /completion, which has no id
            latest.pop(None, None)
        if key not in latest and len(latest) >= AT_ONCE:
            yield _request(latest.pop(next(iter(latest))))
        latest[key] = entry
    for entry in latest.values():
        yield _request(entry)


def _entry(line: str) -> Any:
    """The object that a line begins with; curl may write behind it."""
    found = value_at(line.removeprefix("data:").lstrip())
    return found and found.value


def _timings(entry: dict[str, Any]) -> dict[str, Any] | None:
    for place in (entry, entry.get("response"), entry.get("__verbose")):
        found = place.get("timings") if isinstance(place, dict) else None
        if isinstance(found, dict) and (_is_own(found) or "draft_n" in found):
            return found
    return None


def _request(entry: dict[str, Any]) -> Request:
    timings = _timings(entry) or entry
    n, ms = _count(timings, "predicted_n"), _number(timings, "predicted_ms")
    rate = _number(timings, "predicted_per_second")
    drafted = _count(timings, "draft_n") or None
    printed = ((rate, 1.0),) if rate is not None else ()
    build = entry.get("system_fingerprint")
    return Request(
        source="timings",
        slot=_count(entry, "id_slot"),
        prompt_n=_count(timings, "prompt_n"),
        prompt_ms=_number(timings, "prompt_ms"),
        predicted_n=n,
        predicted_ms=ms,
        printed_tokens_per_second=rate,
        rate_divisor=rate_divisor(n, ms, *printed, exact=True),
        draft_n=drafted,
        draft_n_accepted=_count(timings, "draft_n_accepted") if drafted else None,
        speculation=_speculation(timings, drafted),
        build=build if isinstance(build, str) else None,
    )


def _speculation(timings: dict[str, Any], drafted: int | None) -> Speculation:
    """Only llama-server, which gives the time too, is known to say what it drafted."""
    if drafted:
        return "drafted"
    return "none" if "predicted_ms" in timings or "draft_n" in timings else "unknown"


def _number(entry: dict[str, Any], key: str) -> float | None:
    value = entry.get(key)
    good = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    return float(value) if good and value is not None else None


def _count(entry: dict[str, Any], key: str) -> int | None:
    value = _number(entry, key)
    return int(value) if value is not None and value == int(value) else None
