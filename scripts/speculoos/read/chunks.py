"""A log of any size in chunks that a search takes at once."""

from collections.abc import Iterator
from typing import NamedTuple

from speculoos.read.unpack import Bytes, read_up_to

CHUNK = 1 << 21
END = 1 << 18
LONGEST_LINE = 1 << 20
LONGEST_BLOCK = 1 << 13
"""A request that starts so near a chunk's end waits for the next chunk."""
PROMPT = b"prompt eval time ="


class Piece(NamedTuple):
    """A chunk's text."""

    text: bytes
    start: int | None
    """Where the stream has it; None where a line was too long to be kept whole."""


def chunks(stream: Bytes) -> Iterator[Piece]:
    """Chunks of whole lines and whole requests; only the last may end without a newline.

    The first and the last are short: in these two, every word is searched for.
    """
    rest, size, done, whole = b"", 2 * END, 0, True
    while block := read_up_to(stream, size):
        start, cut = done - len(rest), _cut(block, len(block) - END)
        done += len(block)
        if cut:
            yield Piece(b"".join((rest, memoryview(block)[:cut])), start if whole else None)
            rest, size, whole = block[cut:], CHUNK, True
        else:
            rest += block
        if len(rest) > LONGEST_LINE + 2 * END:  # what is left out must not make one line of two
            rest, whole = rest[:LONGEST_LINE] + b"\n#" + rest[-END:], False
    if rest:
        yield Piece(rest, done - len(rest) if whole else None)


def _cut(text: bytes, most: int) -> int:
    """Where whole lines end; before the last request, and its header above, if it is near."""
    end = text.rfind(b"\n", 0, max(0, most)) + 1
    last = text.rfind(PROMPT, max(0, end - LONGEST_BLOCK), end)
    if last < 0:
        return end
    line = text.rfind(b"\n", 0, last) + 1
    if b"print_timing" in text[line:last]:
        return line or end
    above = text.rfind(b"\n", 0, max(0, line - 1))
    return above + 1 if above >= 0 else end
