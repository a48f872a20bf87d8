"""Saved answers of llama-server: their `timings`, alone or in the answer, one or many."""

from collections.abc import Iterable, Iterator
from typing import Any

from speculoos.read.json_text import count, number, value_at
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
    latest: dict[tuple[str, str], dict[str, Any]] = {}
    for at, line in lines:
        entry = _entry(line)
        if not is_timings(entry):
            continue
        key, ends = _place(entry, at)
        if key[1] == "" and key not in latest and any(other[0] == key[0] for other in latest):
            continue  # a last chunk of usage, which repeats what the answer's last said
        if ends:
            latest.pop(key, None)
            key = str(at), ""
        if key not in latest and len(latest) >= AT_ONCE:
            yield _request(latest.pop(next(iter(latest))))
        latest[key] = entry
    for entry in latest.values():
        yield _request(entry)


def _place(entry: dict[str, Any], at: int) -> tuple[tuple[str, str], bool]:
    """The stream that a chunk belongs to, its answer there, and whether it ends it.

    Chunks of /completion have no id, those of /v1/responses are typed; an answer has an index.
    """
    choices = entry.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else entry
    index = str(first.get("index", "")) if isinstance(first, dict) else ""
    if "id" in entry:
        return (f"id {entry['id']}", index), False
    if isinstance(entry.get("type"), str):
        return ("responses", index), entry["type"] == "response.completed"
    stream = "native" if "stop" in entry else str(at)
    return (stream, index), entry.get("stop", True) is True


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
    n, ms = count(timings, "predicted_n"), number(timings, "predicted_ms")
    rate = number(timings, "predicted_per_second")
    drafted = count(timings, "draft_n") or None
    printed = ((rate, 1.0),) if rate is not None else ()
    build = entry.get("system_fingerprint")
    return Request(
        source="timings",
        slot=count(entry, "id_slot"),
        prompt_n=count(timings, "prompt_n"),
        prompt_ms=number(timings, "prompt_ms"),
        predicted_n=n,
        predicted_ms=ms,
        printed_tokens_per_second=rate,
        rate_divisor=rate_divisor(n, ms, *printed, exact=True),
        draft_n=drafted,
        draft_n_accepted=count(timings, "draft_n_accepted") if drafted else None,
        speculation=_speculation(timings, drafted),
        build=build if isinstance(build, str) else None,
    )


def _speculation(timings: dict[str, Any], drafted: int | None) -> Speculation:
    """Only llama-server, which gives the time too, is known to say what it drafted."""
    if drafted:
        return "drafted"
    return "none" if "predicted_ms" in timings or "draft_n" in timings else "unknown"
