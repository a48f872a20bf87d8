"""One measurement at a time writes a file: a lock of the system beside it, which dies with us."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from speculoos.record.problem import ToldError

try:
    import fcntl
except ImportError:  # Windows keeps a file that is open from being removed instead
    fcntl = None  # type: ignore[assignment]


class InUseError(ToldError):
    """Another process writes this file."""

    exit_code = 2

    def __init__(self, out: Path) -> None:
        super().__init__(f"{out}: another speculoos measures into it now; wait until it ends")


@contextlib.contextmanager
def held(out: Path) -> Iterator[None]:
    """Keep `out` to ourselves; raises `InUseError`.

    The lock is the system's, not the file's: what a killed process has left locks nobody out.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    path = out.with_name(f".{out.name}.lock")
    handle = _locked(path, out)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()  # before it is let go, so that nobody locks what is about to be removed
        os.close(handle)


def _locked(path: Path, out: Path) -> int:
    while True:
        handle = _opened(path, out)
        if _is_still(path, handle):
            return handle
        os.close(handle)  # whoever held it before us has removed it meanwhile


def _opened(path: Path, out: Path) -> int:
    if fcntl is None:
        with contextlib.suppress(OSError):
            path.unlink()
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        except FileExistsError as error:
            raise InUseError(out) from error
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise InUseError(out) from error
    return handle


def _is_still(path: Path, handle: int) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(path.stat(), os.fstat(handle))
    return False
