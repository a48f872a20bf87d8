"""Processes that are known by a mark in their environment, wherever they have moved to."""

import contextlib
import secrets
from collections.abc import Iterator

import psutil

_NAME = "SPECULOOS_START"


def new_mark() -> dict[str, str]:
    """What to add to the environment of one start: no other process has it."""
    return {_NAME: secrets.token_hex(8)}


def marked(mark: dict[str, str]) -> Iterator[psutil.Process]:
    """Every process that was started with the mark, and all that these have started."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):  # it has ended, or is another user's
            if process.environ().get(_NAME) == mark[_NAME]:
                yield process
