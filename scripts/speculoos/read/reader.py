"""One input in, its events out: requests, hints and findings in the order in which they end."""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from itertools import chain
from typing import Any, cast

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
from speculoos.read.unpack import Again, Bytes, File, Unpacked, read_up_to
from speculoos.read.whole_log import WholeLog

SMALL = 4 << 20
"""An input up to this size is looked at whole, so it may mix several forms."""
HEAD = 1 << 18
"""So much of a larger one tells its form."""
LARGEST = 64 << 20
"""A JSON document is held in memory, so far."""

JSON_READERS: dict[str, Callable[[Any], Iterator[Event]]] = {
    "speed_bench": speed_bench.read,
    "llama_bench": llama_bench.read_json,
    "timings": timings.read,
}
LINE_READERS: dict[str, Callable[[Iterable[tuple[int, str]]], Iterator[Event]]] = {
    "mtp_bench": mtp_bench.read,
    "llama_bench": llama_bench.read_lines,
    "metrics": metrics_page.read,
    "speculative_simple": speculative_simple.read,
    "timings": timings.read_stream,
}
CUT_DOCUMENT = Hint("cut", 0, (("what", "the JSON is not whole"),))


def read(lines: Bytes | Iterable[str | bytes], name: str) -> Reading:
    """Everything that one input says, held in memory; for a log of any size use `stream`.

    `lines` is a binary stream or the input's lines. Nothing raises for what stands in them.
    """
    forms, events = stream(lines)
    return Reading.of(name, forms, events)


def stream(lines: Bytes | Iterable[str | bytes]) -> tuple[list[str], Iterator[Event]]:
    """The recognised forms and the events, one at a time and in constant memory."""
    forms, events = batches(lines)
    return forms, _one_by_one(events)


def batches(
    lines: Bytes | Iterable[str | bytes],
) -> tuple[list[str], Iterator[Event | Batch]]:
    """As `stream`, with many requests of a long log as one event: ten times as fast."""
    source = Unpacked(_source(lines))
    head = read_up_to(source, SMALL)
    large = len(head) >= SMALL
    forms, events = _large(head, source) if large else _small(head.decode("utf-8", "replace"), head)
    return forms, _to_the_end(events, source)


def _to_the_end(events: Iterable[Event | Batch], source: Unpacked) -> Iterator[Event | Batch]:
    yield from events
    if source.broken:
        yield Hint("cut", 0, (("what", f"unpacking stopped: {source.broken}"),))


def _large(head: bytes, rest: Unpacked) -> tuple[list[str], Iterator[Event | Batch]]:
    """A log of any size; another form line by line, and a document as far as memory reaches."""
    forms = recognise.text_forms(head[:HEAD].decode("utf-8", "replace"))
    source = Again(head, rest)
    if "server_log" in forms:
        return ["server_log"], _server_log(source, rest.file)
    if forms:
        return forms[:1], _by_lines(forms[0], source)
    text = read_up_to(source, LARGEST).decode("utf-8", "replace")
    return _documents(text) or ([], iter(()))


def _by_lines(form: str, source: Bytes) -> Iterator[Event]:
    yield from LINE_READERS[form](_plain_lines(_lines(source)))


def _lines(source: Bytes) -> Iterator[str]:
    rest = b""
    while block := source.read(1 << 20):
        *whole, rest = (rest + block).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in whole)
    yield rest.decode("utf-8", "replace")


def _one_by_one(events: Iterable[Event | Batch]) -> Iterator[Event]:
    for event in events:
        if isinstance(event, Batch):
            yield from event
        else:
            yield event


def _small(text: str, head: bytes) -> tuple[list[str], Iterator[Event | Batch]]:
    if found := _documents(text):
        return found
    forms, pieces = recognise.text_forms(text), list(recognise.pieces(text))
    events = chain.from_iterable(_reader(form, text, head) for form in forms)
    if not pieces:
        return forms, events
    return list(dict.fromkeys((*forms, *(form for form, _ in pieces)))), chain(
        events, _of_documents(pieces)
    )


def _documents(text: str) -> tuple[list[str], Iterator[Event | Batch]] | None:
    """The events of JSON documents, whole or cut; None where the text is something else."""
    found, whole = recognise.documents(text)
    forms = list(dict.fromkeys(form for form, _ in found))
    if not forms:
        return None
    return forms, chain(_of_documents(found), () if whole else [CUT_DOCUMENT])


def _of_documents(found: Iterable[tuple[str, Any]]) -> Iterator[Event]:
    return chain.from_iterable(JSON_READERS[form](document) for form, document in found)


def _reader(form: str, text: str, head: bytes) -> Iterator[Event | Batch]:
    if form == "server_log":
        return _server_log(BytesIO(head))
    return LINE_READERS[form](_plain_lines(text.splitlines()))


def _plain_lines(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        yield number, strip_prefixes(ANSI.sub("", line))[1]


def _server_log(source: Bytes, file: File | None = None) -> Iterator[Event | Batch]:
    log = WholeLog()
    findings = LogFindings(log)
    for hit in scan.hits(source, file):
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
    findings.end()
    yield from log.take()
    if log.progress and not log.requests:
        yield Hint("progress-only", 0)


def _source(lines: Any) -> Bytes:
    if hasattr(lines, "read"):
        return cast("Bytes", lines)
    return BytesIO(b"".join(map(_bytes, lines)))


def _bytes(line: str | bytes) -> bytes:
    raw = line.encode() if isinstance(line, str) else line
    return raw if raw.endswith(b"\n") else raw + b"\n"
