"""A program that we start, with everything that it starts: none of it outlives us.

Everything starts in one process group. Linux itself ends the program with us; a shell beside it,
which waits on a pipe that only we hold open, ends the whole group on every other system of the
Unix kind, and what a wrapper script has started on Linux too. What such a script has moved to
another session, as `setsid` does, is found by a mark in its environment; the shell reads those on
Linux.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from math import inf, isfinite
from pathlib import Path

import psutil

from speculoos.measure.marked import marked, new_mark

_TERM_S = 5.0
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
"""Loaded now: a child that is forked while a thread loads something would wait for its lock."""
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
_GUARD = """
read -r group mark || exit 0
read -r _ && exit 0
kill -s KILL -- "-$group"
for each in $(grep -ls "$mark" /proc/[0-9]*/environ); do
  each=${each#/proc/}
  kill -s KILL "${each%/environ}"
done
"""
"""The first line names the group and the mark; a second one says that all has ended; without it, we
were killed."""
_BEHIND_A_SHELL = 128


class Child:
    """One program and all that is below it, killed at the moment `until` (`time.monotonic()`)."""

    def __init__(
        self, args: Sequence[str], log: Path, environment: Mapping[str, str], until: float = inf
    ) -> None:
        log.parent.mkdir(parents=True, exist_ok=True)
        self._guard, self._mark, self._in_group = _guard(), new_mark(), False
        try:
            self.process = _started(args, log, {**environment, **self._mark})
        except BaseException:
            self._dismiss_guard()
            raise
        self._tell_guard(f"{self.process.pid} {'='.join(*self._mark.items())}\n")
        self._timer = self._kill_at(until)

    @property
    def exit_code(self) -> int | None:
        """As `returncode`: -9 for a KILL, also where a shell in front of it says 137."""
        code = self.process.poll()
        behind = code is not None and code > _BEHIND_A_SHELL and sys.platform != "win32"
        return _BEHIND_A_SHELL - code if behind and code is not None else code

    def wait(self, seconds: float = _TERM_S) -> None:
        """Until it has ended, but no longer than this."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)

    def listens(self, port: int) -> bool | None:
        """Whether it, or a process below it, listens on the port; None where nobody may know."""
        try:
            return self._listener(port) is not None
        except psutil.AccessDenied:
            return None
        except psutil.NoSuchProcess:
            return False

    def program(self, port: int) -> Path | None:
        """The program that listens on the port; None where the system does not tell."""
        with contextlib.suppress(psutil.Error):
            found = self._listener(port)
            return Path(found.exe()) if found else None
        return None

    def _listener(self, port: int) -> psutil.Process | None:
        found = next((each for each in self._all() if _listens(each, port)), None)
        if found and sys.platform != "win32":
            self._in_group = os.getpgid(found.pid) == self.process.pid
        return found

    def resident_mib(self) -> float | None:
        """Resident memory of it and of all below it, in MiB; None once it is gone."""
        with contextlib.suppress(psutil.Error):
            held = sum(int(each.memory_info().rss) for each in self._all())
            return round(held / 2**20, 1)
        return None

    def _all(self) -> Iterator[psutil.Process]:
        if self.process.poll() is None:
            child = psutil.Process(self.process.pid)
            yield from (child, *child.children(recursive=True))

    def _kill_at(self, moment: float) -> threading.Timer | None:
        """Whatever waits for an answer then gets none, and need not watch the clock itself."""
        if not isfinite(moment):
            return None
        timer = threading.Timer(max(moment - time.monotonic(), 0), self._signal, (KILL,))
        timer.daemon = True
        timer.start()
        return timer

    def end(self) -> None:
        """TERM, TERM again (a llama-server ends at once), KILL; then nothing of it is left."""
        for number, seconds in ((signal.SIGTERM, _TERM_S), (signal.SIGTERM, 1.0), (KILL, _TERM_S)):
            if self.process.poll() is not None:
                break
            self._signal(number)
            self.wait(seconds)
        if self._timer is not None:
            self._timer.cancel()
        self._signal(KILL)  # what a wrapper around the server has left
        self._tell_guard("ended\n")
        self._dismiss_guard()

    def _signal(self, number: int) -> None:
        """To it and all that it has started; a stopped process must go on to take a TERM.

        Where the server has been seen in the group, nobody looks for it elsewhere.
        """
        if sys.platform == "win32":
            self.process.kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)
            os.killpg(self.process.pid, signal.SIGCONT)
        for each in () if self._in_group else marked(self._mark):
            with contextlib.suppress(psutil.Error):
                each.send_signal(number)
                each.resume()

    def _tell_guard(self, line: str) -> None:
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(BrokenPipeError, ValueError):  # it was ended, or dismissed
                self._guard.stdin.write(line.encode())
                self._guard.stdin.flush()

    def _dismiss_guard(self) -> None:
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._guard.stdin.close()
            self._guard.wait()


def _started(
    args: Sequence[str], log: Path, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    with log.open("wb") as file:
        return subprocess.Popen(
            args,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,  # Ctrl-C reaches us alone, and we stop the child ourselves
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,  # noqa: PLW1509
        )


def _guard() -> subprocess.Popen[bytes] | None:
    """It has a session of its own: what ends us by a signal to our group does not end it."""
    if sys.platform == "win32":
        return None
    return subprocess.Popen(
        ["/bin/sh", "-c", _GUARD],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _listens(process: psutil.Process, port: int) -> bool:
    return any(
        c.status == psutil.CONN_LISTEN and c.laddr.port == port
        for c in process.net_connections(kind="tcp")
    )


def _die_with_parent() -> None:
    assert _LIBC is not None
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
