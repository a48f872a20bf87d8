"""An input as plain UTF-8 bytes: compressed by what rotates logs, or written by PowerShell."""

import bz2
import codecs
import gzip
import lzma
import os
import stat
import zlib
from typing import BinaryIO, NamedTuple, Protocol, cast

MAGIC = 6
UTF_8, LITTLE, BIG = b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"
BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError)


class Bytes(Protocol):
    """What can be read like a binary file."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; none at the end."""


def read_up_to(stream: Bytes, size: int) -> bytes:
    """As much as there is, up to `size`: a pipe gives less than asked for."""
    parts, missing = [], size
    while missing and (part := stream.read(missing)):
        parts.append(part)
        missing -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


class Again:
    """Bytes that were read to recognise the input, then the rest of it."""

    def __init__(self, head: bytes, rest: Bytes) -> None:
        self.head, self.rest = head, rest

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes, as of a file."""
        if not self.head:
            return self.rest.read(size)
        part, self.head = self.head[:size], self.head[size:]
        return part


class File(NamedTuple):
    """A file on a disk that holds the plain bytes."""

    number: int
    start: int
    """Where they begin in it."""


class Unpacked:
    """The plain bytes; `broken` says what ended them early."""

    def __init__(self, stream: Bytes) -> None:
        file = _file(stream)
        head = read_up_to(stream, MAGIC)
        self.broken: str | None = None
        self.source = _opened(head, stream)
        self.file: File | None = None
        if file and isinstance(self.source, Again):
            self.file = file._replace(start=file.start + len(head) - len(self.source.head))
        # `read` of an archive gives nothing of a piece that is cut, `read1` what it holds
        self.piece = getattr(self.source, "read1", self.source.read)

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; what an archive that was cut still holds is given."""
        try:
            return self.piece(size)
        except BROKEN as error:
            self.broken = str(error) or type(error).__name__
            return b""


def _file(stream: Bytes) -> File | None:
    """Where on a disk a stream comes from; None for a pipe and for what is in memory."""
    try:
        number, start = (getattr(stream, name)() for name in ("fileno", "tell"))
    except (AttributeError, OSError):
        return None
    return File(number, start) if stat.S_ISREG(os.fstat(number).st_mode) else None


def _opened(head: bytes, stream: Bytes) -> Bytes:
    again = Again(head, stream)
    archive = cast("BinaryIO", again)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=archive)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(archive)
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(archive)
    if encoding := _sixteen_bits(head):
        return _Recoded(again, encoding)
    return Again(head.removeprefix(UTF_8), stream)


def _sixteen_bits(head: bytes) -> str | None:
    """The kind of UTF-16, by its mark or by the zeros between plain characters."""
    if head.startswith((LITTLE, BIG)):
        return "utf-16"
    low, high = head[::2], head[1::2]
    if high and not any(high) and all(low):
        return "utf-16-le"
    return "utf-16-be" if high and not any(low) and all(high) else None


class _Recoded:
    """UTF-16, as PowerShell writes what a program says into a file, as UTF-8."""

    def __init__(self, stream: Bytes, encoding: str) -> None:
        self.stream = stream
        self.decoder = codecs.getincrementaldecoder(encoding)("replace")

    def read(self, size: int, /) -> bytes:
        """About `size` bytes, whole characters."""
        text = ""
        while not text and (raw := self.stream.read(max(size, MAGIC))):
            text = self.decoder.decode(raw)
        return text.encode()
