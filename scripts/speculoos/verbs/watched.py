"""How far a large file is read, told while it is."""

import time
from typing import BinaryIO, Self

from rich.console import Console
from rich.progress import DownloadColumn, Progress

from speculoos.terminal import console

_LARGE = 50_000_000
"""Bytes that take long enough for a bar."""
_SAY_EVERY_S = 10


class Watched:
    """An input that tells how far it is read: a bar, or a line now and then.

    On standard error, if no other place is named.
    """

    def __init__(
        self, source: BinaryIO, name: str, size: int | None, out: Console | None = None
    ) -> None:
        self.source, self.name, self.size, self.done = source, name, size, 0
        self.out = out or console(err=True)
        self.began = self.said = time.monotonic()
        self.bar = Progress(
            *Progress.get_default_columns(),
            DownloadColumn(),
            console=self.out,
            transient=True,
            disable=not self.out.is_interactive,
        )
        self.task = self.bar.add_task(name, total=size)

    def __enter__(self) -> Self:
        if self.size is None or self.size > _LARGE:
            self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def read(self, size: int = -1, /) -> bytes:
        """Up to `size` bytes."""
        part = self.source.read(size)
        self.done += len(part)
        self.bar.update(self.task, completed=self.done)
        if self.bar.disable and time.monotonic() - self.said > _SAY_EVERY_S:
            self.said = time.monotonic()
            self.out.print(f"{self.name}: {self._far()}", markup=False)
        return part

    def fileno(self) -> int:
        """The number under which the operating system knows the input, for what reads it itself."""
        return self.source.fileno()

    def tell(self) -> int:
        """How far it is read."""
        return self.source.tell()

    def _far(self) -> str:
        done = f"{self.done / 1e6:.0f}"
        if not self.size:
            return f"{done} MB read"
        left_s = self.whole_s - self.spent_s
        return f"{done} of {self.size / 1e6:.0f} MB read, about {left_s:.0f} s left"

    @property
    def spent_s(self) -> float:
        """Seconds since it was opened."""
        return time.monotonic() - self.began

    @property
    def whole_s(self) -> float:
        """Seconds that all of it takes, at the pace so far."""
        return self.spent_s * max((self.size or 0) / self.done, 1) if self.done else self.spent_s
