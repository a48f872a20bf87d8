"""One `llama-server` of our own: started, known to be the one that answers, and stopped."""

import os
import re
import secrets
import signal
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from speculoos.measure.child import KILL, Child
from speculoos.measure.client import Client
from speculoos.measure.exchange import Exchange
from speculoos.record import faults
from speculoos.record.types import Incident

_POLL_S = 0.05
_TRIES = 4
_AT_ONCE_S = 5.0
_VERSION_S = 60.0
_TAIL_BYTES = 64 * 1024
_HEAD_BYTES = 512 * 1024
_TIME = re.compile(r"^\d+\.\d\d\.\d{3}\.\d{3} [A-Z] ")
"""Minutes to microseconds in front of a line of the log (b10434): it looks like an address."""
_SHOWN = "-key"
"""The log of the server shows the last four letters of its key: they are not part of the secret."""


class ServerError(Exception):
    """The server failed: what the record keeps of it, what to do, and where its log is."""

    def __init__(self, incident: Incident, remedy: str, log: Path) -> None:
        self.incident, self.remedy, self.log = incident, remedy, log
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        said = f": {self.incident.line}" if self.incident.line else ""
        return f"llama-server {self._end()}{said}. What to do: {self.remedy}. Log: {self.log}"

    def _end(self) -> str:
        """How the process ended; what is wrong may also show while it runs."""
        if self.incident.signal is not None:
            return f"failed ({self.incident.signal})"
        if self.incident.exit_code is not None:
            return f"failed (exit {self.incident.exit_code})"
        return "failed (no answer)" if self.incident.kind == faults.HANG.kind else "cannot be used"


@dataclass(frozen=True)
class Command:
    """What to start: the binary, its model, the arguments, and where the log goes."""

    binary: Path
    model: Path
    args: tuple[str, ...]
    log: Path
    ready_timeout_s: float
    until: float = inf
    """When it is killed, on the scale of `time.monotonic()`: the end of the person's budget."""


def _worth_another_try(incident: Incident, after_s: float) -> bool:
    """Another port may be free; and a server may end before its logger has written why."""
    unexplained = incident.kind == faults.CRASH.kind and incident.exit_code is not None
    return (unexplained and after_s < _AT_ONCE_S) or incident.kind in {"port-taken", "other-server"}


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A child on a free loopback port with a key of its own; a context manager."""

    def __init__(self, command: Command, choose_port: Callable[[], int] = free_port) -> None:
        self.command = command
        self.choose_port = choose_port
        self.key = secrets.token_hex(16) + _SHOWN
        self.ready_ms = 0.0

    def __enter__(self) -> Self:
        for attempt in range(_TRIES):
            start = time.monotonic()
            try:
                self._start()
            except ServerError as error:
                again = _worth_another_try(error.incident, time.monotonic() - start)
                if attempt == _TRIES - 1 or not again:
                    raise
            else:
                return self
        raise AssertionError("unreachable")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _start(self) -> None:
        self.port = self.choose_port()
        command, environment = self.command, _environment(self.key)
        self.client = Client(Exchange(self.port, self.key, command.until))
        args = _arguments(command, self.port)
        self.child = Child(args, command.log, environment, command.until)
        try:
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise

    def _wait_until_ready(self) -> None:
        start = time.monotonic()
        while not self.client.healthy():
            if self.child.exit_code is not None:
                raise self.failure(after_samples=0)
            if time.monotonic() - start > self.command.ready_timeout_s:
                raise self.failure(after_samples=0, timed_out=True)
            time.sleep(_POLL_S)
        self.ready_ms = (time.monotonic() - start) * 1000
        if self.owns_port() is False or not self.client.admitted():
            raise self._not_ours()

    def owns_port(self) -> bool | None:
        """Whether the child, or a child of its own, listens on the port.

        None where the system does not tell: the key and the model's path must do as proof.
        """
        return self.child.listens(self.port)

    def program(self) -> Path | None:
        """What answers, where that is not the binary itself but something that a script started."""
        found = self.child.program(self.port)
        same = found is None or found.resolve() == self.command.binary.resolve()
        return None if same else found

    def _not_ours(self) -> ServerError:
        """The child ends at once where it cannot bind; its own line says more than ours."""
        self.child.wait()
        if self.child.exit_code is not None:
            failed = self.failure(after_samples=0)
            if failed.incident.kind != faults.CRASH.kind:  # else it ended before it wrote why
                return failed
        return self.refusal(faults.OTHER_SERVER, f"another process answers on port {self.port}")

    def resident_mib(self) -> float | None:
        """Resident memory of the child in MiB; None once it is gone."""
        return self.child.resident_mib()

    def failure(self, after_samples: int, *, timed_out: bool = False) -> ServerError:
        """What went wrong, read off the exit code and the log."""
        if not timed_out:
            self.child.wait()
        code = self.child.exit_code
        text = self.log_tail()
        fault = _fault(code, text, timed_out=timed_out)
        if not text and self.client.healthy():
            fault = faults.PORT_TAKEN  # the child ended before its logger had written why
        incident = Incident(
            kind=fault.kind,
            exit_code=code if code is not None and code >= 0 else None,
            signal=signal.Signals(-code).name if code is not None and code < 0 else None,
            line=_telling_line(fault, text, self.command),
            after_samples=after_samples,
        )
        return ServerError(incident, fault.remedy, self.command.log)

    def refusal(
        self, fault: faults.Fault, line: str | None = None, after_samples: int = 0
    ) -> ServerError:
        """A fault that is seen while the server runs; `line` where its log does not say it."""
        said = line or _telling_line(fault, self.log_tail(), self.command)
        incident = Incident(kind=fault.kind, line=said, after_samples=after_samples)
        return ServerError(incident, fault.remedy, self.command.log)

    def log_head(self) -> str:
        """The start of the server's log, where it names its buffers."""
        with self.command.log.open("rb") as file:
            return file.read(_HEAD_BYTES).decode("utf-8", "replace")

    def log_tail(self) -> str:
        """The end of the server's log."""
        with self.command.log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(file.tell() - _TAIL_BYTES, 0))
            return file.read().decode("utf-8", "replace")

    def stop(self) -> None:
        """End the child; then nothing of it is left."""
        self.child.end()


def _arguments(command: Command, port: int) -> list[str]:
    return [
        str(command.binary),
        *("--model", str(command.model)),
        *("--host", "127.0.0.1", "--port", str(port)),
        *command.args,
    ]


def _environment(key: str) -> dict[str, str]:
    """Ours without settings for llama-server, which would change the measurement unseen."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LLAMA_")}
    # a backtrace by a debugger can take longer than the crash is worth
    return {**kept, "LLAMA_API_KEY": key, "GGML_NO_BACKTRACE": "1"}


def _fault(code: int | None, text: str, *, timed_out: bool) -> faults.Fault:
    """How the process ended tells more than its log, which may hold older complaints."""
    if timed_out:
        return faults.HANG
    by_end = {
        -getattr(signal, "SIGILL", 4): faults.ILLEGAL_INSTRUCTION,
        -KILL: faults.KILLED,
        -signal.SIGTERM: faults.STOPPED,
        0: faults.STOPPED,
    }
    if code in by_end:
        return by_end[code]
    return faults.recognise(text) or (faults.CUT_ANSWER if code is None else faults.CRASH)


def _telling_line(fault: faults.Fault, text: str, command: Command) -> str | None:
    said = (_TIME.sub("", line.strip()) for line in text.splitlines() if line.strip())
    lines = [_without_paths(line, command) for line in said]
    telling = [line for line in lines if fault.pattern.search(line)]
    # what the server says of an argument stands above its own --help of it
    telling = [line for line in telling if line.startswith("error")] or telling
    found = (telling or [line for line in lines if "error" in line.lower()] or lines)[-1:]
    return found[0][:400] if found else None


def _without_paths(line: str, command: Command) -> str:
    """A line without the folders of its paths, which name users and disks.

    Those that we gave are known whole, blanks included; others end at a blank.
    """
    given = [command.model, command.binary, *map(Path, command.args)]
    for folder in sorted({str(path.parent) for path in given}, key=len, reverse=True):
        line = line.replace(f"{folder}{os.sep}", "") if os.sep in folder else line
    return re.sub(r"(?:[A-Za-z]:)?(?:[/\\][^/\\\s'\":,]+)+[/\\]", "", line)


def version_of(binary: Path, until: float = inf) -> Sequence[str]:
    """What `--version` prints (to standard error, in the builds that were read) in its time."""
    with TemporaryDirectory() as folder:
        log = Path(folder, "version.log")
        child = Child([str(binary), "--version"], log, os.environ, until)
        child.wait(_VERSION_S)
        child.end()
        return log.read_text(encoding="utf-8", errors="replace").splitlines()
