"""A second process that looks through chunks of a long log: two processors read it.

It is forked, so that nothing is imported anew, reads its chunks from the same file, and ends with
its parent: its pipe closes.
"""

import os
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from typing import Self

from speculoos.read.chunk import Chunk
from speculoos.read.chunks import Piece

Looking = Callable[[bytes], Chunk]


class Helper:
    """The other process, as seen from here; gives the chunks back in order."""

    def __init__(self, look: Looking, file: int) -> None:
        self.look = look
        self.texts: deque[bytes] = deque()
        self.pipe, theirs = Pipe()
        self.process = get_context("fork").Process(
            target=_serve, args=(look, file, theirs, self.pipe), daemon=True
        )
        with warnings.catch_warnings():
            # Python warns of other threads' locks; the new process takes none of them
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        theirs.close()

    def give(self, piece: Piece) -> None:
        """Let it look through a piece of the file."""
        self.texts.append(piece.text)
        with suppress(OSError):  # one that is gone is seen when its chunk is asked for
            self.pipe.send((piece.start, len(piece.text)))

    def take(self) -> Chunk:
        """The first of the chunks that it was given; looked through here if it failed or died."""
        text = self.texts.popleft()
        try:
            chunk: Chunk | None = self.pipe.recv()
        except (EOFError, OSError):
            chunk = None
        return chunk.with_text(text) if chunk else self.look(text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.pipe.close()
        self.process.join()


def can_help() -> bool:
    """Whether a second process is of use here."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _serve(look: Looking, file: int, pipe: Connection, parents: Connection) -> None:
    parents.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and closes the pipe
    with suppress(EOFError, OSError):
        while True:
            start, size = pipe.recv()
            text = os.pread(file, size, start)
            # a file that was cut meanwhile is what the parent has read of it
            pipe.send(look(text).with_text(b"") if len(text) == size else None)
