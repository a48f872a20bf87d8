"""A log of any size in chunks that a search takes at once."""

from collections.abc import Iterator

from speculoos.read.unpack import Bytes, read_up_to

CHUNK = 1 << 21
END = 1 << 18
LONGEST_LINE = 1 << 20
LONGEST_BLOCK = 1 << 13
"""A request that starts so near a chunk's end waits for the next chunk."""
PROMPT = b"prompt eval time ="


def chunks(stream: Bytes) -> Iterator[bytes]:
    """Chunks of whole lines and whole requests; only the last may end without a newline.

    The first and the last are short: in these two, every word is searched for.
    """
    rest, size = b"", 2 * END
    while block := read_up_to(stream, size):
        cut = _cut(block, len(block) - END)
        if cut:
            yield b"".join((rest, memoryview(block)[:cut]))
            rest, size = block[cut:], CHUNK
        else:
            rest += block
        if len(rest) > LONGEST_LINE + 2 * END:  # what is left out must not make one line of two
            rest = rest[:LONGEST_LINE] + b"\n#" + rest[-END:]
    if rest:
        yield rest


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
