"""Finds the lines that matter in a log of any size, in constant memory.

Whole chunks are searched for a few words before any line is cut out: a log is mostly lines that
say nothing about a finished request.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from speculoos.read import log_findings
from speculoos.read.blocks import WHOLE

CHUNK = 1 << 20
LONGEST_LINE = 1 << 20
Words = tuple[bytes, ...]
VALUES: Words = (b"eval time", b"draft accep")
BLOCKS: Words = (
    *VALUES,
    b"total time",
    b"acc per pos",
    b"print_timing",
    b"release",
    b"launch_slot_",
)
FINDINGS: Words = log_findings.NEEDLES
START = b"loading model"
"""Stands in every start of a server: around it, everything is searched again."""
CLOCK = re.compile(rb"\d+\.\d\d\.\d{3}\.\d{3} I ")
KEYED = re.compile(rb"task -?\d+ \| +(?:prompt )?eval time|id_task|task_id")
BARE_HEADER = re.compile(rb"print_timings?: id +\d+ \| task -?\d+ \|[^\w\n]*$", re.MULTILINE)


class Bytes(Protocol):
    """What can be read like a binary file."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""


class Hit(NamedTuple):
    """A line that may matter."""

    number: int
    raw: bytes
    whole: bool
    """Whether a newline ends it."""
    says_more: bool
    """Whether it may say something beside a request's figures."""


class Whole(NamedTuple):
    """The lines of one whole request."""

    match: re.Match[bytes]
    number: int


def hits(stream: Bytes) -> Iterator[Hit | Whole]:
    """Each line that may matter, in order; lines of a whole request together."""
    number, usual = 1, BLOCKS
    for chunk, near_start, first, last in _marked(_chunks(stream)):
        if first:
            usual = _usual(chunk)
        close = near_start or first or last or usual is BLOCKS
        if close or usual is not VALUES:
            yield from _hits(chunk, number, *((BLOCKS, FINDINGS) if close else (usual, ())))
        else:
            yield from _plain_hits(chunk, number)
        number += chunk.count(b"\n")


def _chunks(stream: Bytes) -> Iterator[bytes]:
    """Chunks of whole lines; only the last may end without a newline."""
    rest = b""
    while block := stream.read(CHUNK):
        head, newline, tail = block.rpartition(b"\n")
        if newline:
            yield rest + head + newline
            rest = tail
        else:
            rest = (rest + block)[:LONGEST_LINE]
    if rest:
        yield rest


def _marked(chunks: Iterator[bytes]) -> Iterator[tuple[bytes, bool, bool, bool]]:
    """Each chunk with: a start in it or right behind it, whether it is the first, the last."""
    chunk, first = next(chunks, b""), True
    starts = START in chunk
    for following in chunks:
        starts_next = START in following
        yield chunk, starts or starts_next, first, False
        chunk, first, starts = following, False, starts_next
    yield chunk, starts, first, True


def _usual(head: bytes) -> Words:
    """The words to look for between starts: few where every line names its slot and task."""
    if BARE_HEADER.search(head) or not KEYED.search(head):
        return BLOCKS
    return (*VALUES, b"acc per pos") if b"acc per pos" in head else VALUES


def _plain_hits(chunk: bytes, number: int) -> Iterator[Hit | Whole]:
    """Whole requests at once; what stands between them is searched like any other chunk."""
    done = 0
    for match in WHOLE.finditer(chunk):
        start = chunk.rfind(b"\n", 0, match.start()) + 1
        if start != match.start() and not CLOCK.fullmatch(chunk, start, match.start()):
            continue
        if any(chunk.find(word, done, start) >= 0 for word in VALUES):
            yield from _hits(chunk[done:start], number, VALUES, ())
        yield Whole(match, number + chunk.count(b"\n", done, start))
        number += chunk.count(b"\n", done, match.end())
        done = match.end()
    yield from _hits(chunk[done:], number, VALUES, ())


def _hits(chunk: bytes, number: int, blocks: Words, findings: Words) -> Iterator[Hit]:
    found = dict.fromkeys(_spans(chunk, blocks), False) | dict.fromkeys(
        _spans(chunk, findings), True
    )
    if not chunk.endswith(b"\n"):  # a last line that was cut says so, whatever it holds
        found.setdefault((chunk.rfind(b"\n") + 1, len(chunk)), False)
    counted = 0
    for start, end in sorted(found):
        number += chunk.count(b"\n", counted, start)
        counted = start
        yield Hit(number, chunk[start:end], end < len(chunk), found[start, end])


def _spans(chunk: bytes, needles: Words) -> Iterator[tuple[int, int]]:
    """Start and end of each line that holds one of the words."""
    size = len(chunk)
    for needle in needles:
        at = chunk.find(needle)
        while at >= 0:
            end = chunk.find(b"\n", at)
            end = size if end < 0 else end
            yield chunk.rfind(b"\n", 0, at) + 1, end
            at = chunk.find(needle, end)
