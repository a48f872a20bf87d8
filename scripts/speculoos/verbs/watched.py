"""How far an input of `speculoos read` is read, told on standard error."""

import time
from typing import BinaryIO, Self

import click
from rich.progress import DownloadColumn, Progress

from speculoos.terminal import console

_LARGE = 50_000_000
"""Bytes that take long enough for a bar."""
_SAY_EVERY_S = 10


class Watched:
    """An input that tells on standard error how far it is read: a bar, or a line now and then."""

    def __init__(self, source: BinaryIO, name: str, size: int | None) -> None:
        self.source, self.name, self.size, self.done = source, name, size, 0
        self.said = time.monotonic()
        err = console(err=True)
        self.bar = Progress(
            *Progress.get_default_columns(),
            DownloadColumn(),
            console=err,
            transient=True,
            disable=not err.is_terminal,
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
            of = f" of {self.size / 1e6:.0f}" if self.size else ""
            click.echo(f"{self.name}: {self.done / 1e6:.0f}{of} MB read", err=True)
        return part
