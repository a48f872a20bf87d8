"""One input in, its events out: requests, hints and findings in the order in which they end."""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import chain
from typing import Any, BinaryIO, cast

from speculoos.read import (
    llama_bench,
    metrics_page,
    mtp_bench,
    recognise,
    scan,
    speculative_simple,
    speed_bench,
    timings,
)
from speculoos.read.batch import Batch
from speculoos.read.lines import ANSI, clean, strip_prefixes
from speculoos.read.log_findings import LogFindings
from speculoos.read.plain import Rows
from speculoos.read.request import Event, Hint, Reading
from speculoos.read.server_log import ServerLog

SMALL = 4 << 20
"""An input up to this size is looked at whole, so it may mix several forms."""
HEAD = 1 << 18
"""So much of a larger one tells its form."""

JSON_READERS: dict[str, Callable[[Any], Iterator[Event]]] = {
    "speed_bench": speed_bench.read,
    "llama_bench": llama_bench.read_json,
    "timings": timings.read,
}
LINE_READERS: dict[str, Callable[[Iterable[tuple[int, str]]], Iterator[Event]]] = {
    "mtp_bench": mtp_bench.read,
    "llama_bench": llama_bench.read_markdown,
    "metrics": metrics_page.read,
    "speculative_simple": speculative_simple.read,
}


def read(lines: BinaryIO | Iterable[str | bytes], name: str) -> Reading:
    """Everything that one input says, held in memory; for a log of any size use `stream`.

    `lines` is a binary stream or the input's lines. Nothing raises for what stands in them.
    """
    forms, events = stream(lines)
    return Reading.of(name, forms, events)


def stream(lines: BinaryIO | Iterable[str | bytes]) -> tuple[list[str], Iterator[Event]]:
    """The recognised forms and the events, one at a time and in constant memory."""
    forms, events = batches(lines)
    return forms, _one_by_one(events)


def batches(
    lines: BinaryIO | Iterable[str | bytes],
) -> tuple[list[str], Iterator[Event | Batch]]:
    """As `stream`, with many requests of a long log as one event: ten times as fast."""
    source = _source(lines)
    head = scan.read_up_to(source, SMALL)
    if len(head) >= SMALL:
        return _large(head, source)
    return _small(head.decode("utf-8", "replace"), head)


def _large(head: bytes, rest: BinaryIO) -> tuple[list[str], Iterator[Event | Batch]]:
    forms = recognise.text_forms(head[:HEAD].decode("utf-8", "replace"))
    if not forms or "server_log" in forms:
        log = _server_log(_Again(head, rest))
        return (["server_log"], log) if forms else ([], iter(()))
    return forms[:1], iter(())


def _one_by_one(events: Iterable[Event | Batch]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Batch):
            yield from event
        else:
            yield event


def _small(text: str, head: bytes) -> tuple[list[str], Iterator[Event | Batch]]:
    document = recognise.document(text)
    form = recognise.json_form(document) if document is not None else None
    if form:
        return [form], JSON_READERS[form](document)
    forms = recognise.text_forms(text)
    return forms, chain.from_iterable(_reader(form, text, head) for form in forms)


def _reader(form: str, text: str, head: bytes) -> Iterator[Event | Batch]:
    if form == "timings":
        return timings.read_stream(text)
    if form == "server_log":
        return _server_log(BytesIO(head))
    return LINE_READERS[form](_plain_lines(text))


def _plain_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        yield number, strip_prefixes(ANSI.sub("", line))[1]


def _server_log(source: scan.Bytes) -> Iterator[Event | Batch]:
    log = ServerLog()
    findings = LogFindings(log)
    for hit in scan.hits(source):
        if isinstance(hit, Rows):
            log.batch(hit)
            yield from log.take()
            continue
        if hit.raw.startswith(b"#"):
            continue  # a comment about the log, not the log
        log.cut = not hit.whole
        for line in clean(hit.raw, whole=hit.whole):
            log.feed(line, hit.number)
            if hit.says_more:
                findings.feed(line, hit.number)
        if log.done:
            yield from log.take()
    log.finish()
    yield from log.take()
    if log.progress and not log.requests:
        yield Hint("progress-only", 0)


def _source(lines: Any) -> BinaryIO:
    if hasattr(lines, "read"):
        return cast("BinaryIO", lines)
    return BytesIO(b"".join(map(_bytes, lines)))


def _bytes(line: str | bytes) -> bytes:
    raw = line.encode() if isinstance(line, str) else line
    return raw if raw.endswith(b"\n") else raw + b"\n"


class _Again:
    """The bytes that were read to recognise the input, then the rest of it."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self.head, self.rest = BytesIO(head), rest

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, as of a file."""
        return self.head.read(size) or self.rest.read(size)
