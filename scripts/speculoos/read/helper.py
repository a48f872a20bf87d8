"""A second process that looks through chunks of a long log: two processors read it.

It is forked, so that nothing is imported anew, and it ends with its parent: its pipe closes. The
chunks and what is found in them pass through memory that both share.
"""

import io
import mmap
import os
import pickle
import signal
import sys
import warnings
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn, Self

from speculoos.read.chunk import Chunk

AHEAD = 3
"""Chunks that it may hold at once."""
LARGEST = 4 << 20
"""Bytes of a chunk, or of what is found in it, that find room."""
WORD = 8
FAILED = (1 << 63) - 1

Looking = Callable[[bytes], Chunk]


class Helper:
    """The other process, as seen from here; gives the chunks back in order."""

    def __init__(self, look: Looking) -> None:
        self.look = look
        self.texts: deque[bytes] = deque()
        self.given = self.taken = 0
        self.shared = mmap.mmap(-1, AHEAD * LARGEST)
        theirs, self.tasks = os.pipe()
        self.done, their_done = os.pipe()
        self.pid = _forked()
        if not self.pid:
            os.close(self.tasks)
            os.close(self.done)
            _serve(look, self.shared, theirs, their_done)
        os.close(theirs)
        os.close(their_done)

    def give(self, text: bytes) -> None:
        """Let it look through a chunk of at most `LARGEST` bytes."""
        at = self.given % AHEAD * LARGEST
        self.shared[at : at + len(text)] = text
        self.given += 1
        self.texts.append(text)
        with suppress(BrokenPipeError):  # one that is gone is seen when its chunk is asked for
            os.write(self.tasks, len(text).to_bytes(WORD, "little"))

    def take(self) -> Chunk:
        """The first of the chunks that it was given; looked through here if it failed or died."""
        size = int.from_bytes(os.read(self.done, WORD) or FAILED.to_bytes(WORD, "little"), "little")
        text = self.texts.popleft()
        at = self.taken % AHEAD * LARGEST
        self.taken += 1
        return self.look(text) if size == FAILED else _unpacked(self.shared[at : at + size], text)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.tasks)
        os.close(self.done)
        with suppress(ChildProcessError):  # gone where the caller lets no child wait for it
            os.waitpid(self.pid, 0)
        self.shared.close()


def can_help() -> bool:
    """Whether a second process is of use here."""
    return sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1


def _forked() -> int:
    with warnings.catch_warnings():
        # Python warns of other threads' locks; the new process takes none of them
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _serve(look: Looking, shared: mmap.mmap, tasks: int, done: int) -> NoReturn:
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is told, and closes the pipe
        at = 0
        while task := os.read(tasks, WORD):
            data = _packed(look(shared[at : at + int.from_bytes(task, "little")]))
            fits = len(data) <= LARGEST
            if fits:
                shared[at : at + len(data)] = data
            os.write(done, (len(data) if fits else FAILED).to_bytes(WORD, "little"))
            at = (at + LARGEST) % (AHEAD * LARGEST)
    finally:
        os._exit(0)


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, text: bytes) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.text = text

    def persistent_id(self, value: object) -> str | None:
        """The chunk's own text does not travel: the other side has it."""
        return "text" if value is self.text else None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, text: bytes) -> None:
        super().__init__(file)
        self.text = text

    def persistent_load(self, _: Any) -> bytes:
        """The chunk's text."""
        return self.text


def _packed(chunk: Chunk) -> bytes:
    file = io.BytesIO()
    _Pickler(file, chunk.text).dump(chunk)
    return file.getvalue()


def _unpacked(data: bytes, text: bytes) -> Chunk:
    chunk = _Unpickler(io.BytesIO(data), text).load()
    assert isinstance(chunk, Chunk)
    return chunk
