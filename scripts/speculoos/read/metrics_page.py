"""A saved `/metrics` page: exact totals since the start of the server, as one request.

The gauges `*_tokens_seconds` are windows since the last reading: a hint names them, no field
holds them. n_max is not there, and without the number of requests it cannot be proven.
"""

import re
from collections.abc import Iterable, Iterator

from speculoos.read.request import Event, Hint, Request

SAMPLE = re.compile(
    r"^llamacpp:(?P<name>\w+)(?:\{(?P<labels>(?:[^\"}]|\"(?:[^\"\\]|\\.)*\")*)\})? "
    r"(?P<value>\d{1,15}(?:\.\d{1,15})?(?:[eE][+-]?\d\d?)?)(?: \d+)?$"
)
POSITION = re.compile(r"\bposition=\"(\d{1,4})\",?")
PER_POSITION = "spec_decode_num_accepted_tokens_per_pos_total"
GAUGE = "predicted_tokens_seconds"

Page = dict[tuple[str, int], tuple[float, int]]


def read(lines: Iterable[tuple[int, str]]) -> Iterator[Event]:
    """One request a page and server.

    Several pages in one input are told apart by a name that returns, servers by the labels that
    Prometheus adds.
    """
    pages: dict[str, Page] = {}
    for number, line in lines:
        match = SAMPLE.match(line.rstrip())
        if match is None:
            continue
        labels = match["labels"] or ""
        position = POSITION.search(labels)
        server = POSITION.sub("", labels).rstrip(",")
        key = match["name"], int(position[1]) if position else -1
        if key in pages.setdefault(server, {}):
            yield from _page(pages[server])
            pages[server] = {}
        pages[server][key] = float(match["value"]), number
    for page in pages.values():
        yield from _page(page)


def _page(page: Page) -> Iterator[Event]:
    if not page:
        return
    drafted, accepted = _count(page, "draft_tokens"), _count(page, "accepted_tokens")
    steps = _count(page, "drafts")
    some = bool(drafted)
    length = 1 + accepted / steps if some and accepted is not None and steps else None
    nothing = "unknown" if drafted is None else "none"
    yield Request(
        source="metrics",
        prompt_n=_whole(page, "prompt_tokens_total"),
        prompt_ms=_ms(page, "prompt_seconds_total"),
        predicted_n=_whole(page, "tokens_predicted_total"),
        predicted_ms=_ms(page, "tokens_predicted_seconds_total"),
        draft_n=drafted or None,
        draft_n_accepted=accepted if some else None,
        speculation="drafted" if some else nothing,  # type: ignore[arg-type]
        mean_acceptance_length=length,
        accepted_per_position=_positions(page, accepted) if some else None,
    )
    if gauge := page.get((GAUGE, -1)):
        yield Hint("window-gauge", gauge[1], (("name", GAUGE), ("printed", gauge[0])))


def _whole(page: Page, name: str) -> int | None:
    found = page.get((name, -1))
    return int(found[0]) if found else None


def _count(page: Page, what: str) -> int | None:
    return _whole(page, f"spec_decode_num_{what}_total")


def _ms(page: Page, name: str) -> float | None:
    """Milliseconds from seconds, without the digits that the product makes up."""
    found = page.get((name, -1))
    return round(1000 * found[0], 6) if found else None


def _positions(page: Page, accepted: int | None) -> tuple[int, ...] | None:
    """The counters by position; None where a cut page does not hold them all."""
    found = sorted(key[1] for key in page if key[0] == PER_POSITION)
    counts = tuple(int(page[PER_POSITION, position][0]) for position in found)
    complete = counts and found == list(range(len(found))) and sum(counts) == accepted
    return counts if complete else None
