"""Finds what matters in a log of any size, in constant memory."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, cycle, islice, pairwise

from speculoos.read.chunk import Chunk, Hit
from speculoos.read.chunks import Piece, chunks
from speculoos.read.helper import Helper, can_help
from speculoos.read.look import Look
from speculoos.read.plain import Rows
from speculoos.read.unpack import Bytes, File

ALONE = 8
"""Chunks that one process reads before a second one is worth its start."""
OURS = (False, False, False, True)
"""Which of so many chunks this process looks at itself."""


def hits(stream: Bytes, file: File | None = None) -> Iterator[Hit | Rows]:
    """Each line that may matter and the plain requests between them, in order.

    Around the start of a server, at both ends and where lines do not name their request, every
    word is searched for. Two processes read a long `file` from which the stream comes.
    """
    last = None
    for before, chunk in pairwise(chain(_read(stream, file), [None])):
        if before:
            yield from before.parts(last, chunk)
        last = before


def _read(stream: Bytes, file: File | None) -> Iterator[Chunk]:
    number = 1
    for chunk in _looked_through(chunks(stream), file):
        chunk.number = number
        number += int(chunk.newlines[-1])
        yield chunk


def _looked_through(pieces: Iterator[Piece], file: File | None) -> Iterator[Chunk]:
    look = Look()
    yield from (look(piece.text) for piece in islice(pieces, ALONE))
    if (piece := next(pieces, None)) is not None:
        again = chain([piece], pieces)
        if file and can_help():
            yield from _by_two(look, again, file)
        else:
            yield from (look(piece.text) for piece in again)


def _by_two(look: Look, pieces: Iterable[Piece], file: File) -> Iterator[Chunk]:
    """As one after the other; this process has the log to put together, and looks at fewer.

    Which one looks at a chunk does not depend on their speed: a log is read the same way twice.
    """
    with Helper(look, file.number) as helper:
        coming: deque[Chunk | None] = deque()
        for piece, is_ours in zip(pieces, cycle(OURS), strict=False):
            if is_ours or piece.start is None:
                coming.append(look(piece.text))
            else:
                helper.give(piece._replace(start=file.start + piece.start))
                coming.append(None)
            if len(coming) > len(OURS):
                yield coming.popleft() or helper.take()
        yield from (chunk or helper.take() for chunk in coming)
