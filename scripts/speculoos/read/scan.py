"""Finds what matters in a log of any size, in constant memory."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, cycle, islice, pairwise

from speculoos.read.chunk import Chunk, Hit
from speculoos.read.chunks import chunks
from speculoos.read.helper import LARGEST, Helper, can_help
from speculoos.read.look import Look
from speculoos.read.plain import Rows
from speculoos.read.unpack import Bytes

ALONE = 32
"""Chunks that one process reads before a second one is worth its start."""
OURS = (False, False, True)
"""Which of so many chunks this process looks at itself."""


def hits(stream: Bytes) -> Iterator[Hit | Rows]:
    """Each line that may matter and the plain requests between them, in order.

    Around the start of a server, at both ends and where lines do not name their request, every
    word is searched for.
    """
    last = None
    for before, chunk in pairwise(chain(_read(stream), [None])):
        if before:
            yield from before.parts(last, chunk)
        last = before


def _read(stream: Bytes) -> Iterator[Chunk]:
    number = 1
    for chunk in _looked_through(chunks(stream)):
        chunk.number = number
        number += int(chunk.newlines[-1])
        yield chunk


def _looked_through(texts: Iterator[bytes]) -> Iterator[Chunk]:
    look = Look()
    yield from map(look, islice(texts, ALONE))
    if (text := next(texts, None)) is not None:
        again = chain([text], texts)
        yield from _by_two(look, again) if can_help() else map(look, again)


def _by_two(look: Look, texts: Iterable[bytes]) -> Iterator[Chunk]:
    """As one after the other; this process has the log to put together, and looks at fewer.

    Which one looks at a chunk does not depend on their speed: a log is read the same way twice.
    """
    with Helper(look) as helper:
        coming: deque[Chunk | None] = deque()
        for text, is_ours in zip(texts, cycle(OURS), strict=False):
            if is_ours or len(text) > LARGEST:
                coming.append(look(text))
            else:
                helper.give(text)
                coming.append(None)
            if len(coming) > len(OURS):
                yield coming.popleft() or helper.take()
        yield from (chunk or helper.take() for chunk in coming)
