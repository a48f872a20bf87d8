"""Small files under /proc and /sys; a file that is not there, or not for us, gives None."""

import contextlib
from collections.abc import Iterable
from pathlib import Path


def text(path: Path) -> str | None:
    """What a file says, without its last newline; None where it cannot be read or is empty."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return path.read_text(encoding="utf-8").strip() or None
    return None


def number(path: Path) -> int | None:
    """The integer that a file holds."""
    with contextlib.suppress(ValueError):
        return int(text(path) or "")
    return None


def numbers(paths: Iterable[Path]) -> list[int]:
    """The integers of those files that hold one."""
    return [value for path in sorted(paths) if (value := number(path)) is not None]
