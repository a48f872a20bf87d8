"""One request to a server on the loopback interface, and its whole answer by a given moment.

The client of the standard library: httpx takes two and a half times as long over every token of a
stream, which a server on the same processors pays, reads the system's certificates for every
client, and has no deadline for a whole answer, only one for each pause in it.
"""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from math import inf
from typing import Any

_HOST = "127.0.0.1"
_MOMENT_S = 0.1


class NoAnswerError(Exception):
    """No answer, or none that can be used.

    `timed_out` tells whether the time was over, `status` what the server said instead of 200.
    """

    def __init__(self, message: str, *, timed_out: bool = False, status: int | None = None) -> None:
        super().__init__(message)
        self.timed_out, self.status = timed_out, status


@dataclass(frozen=True)
class Exchange:
    """Requests to a port, with the key of its server, each on a connection of its own.

    None is waited for beyond the moment `until` (`time.monotonic()`).
    """

    port: int
    key: str
    until: float = inf

    def fetch(self, path: str, seconds: float, body: Mapping[str, Any] | None = None) -> str:
        """The text of an answer, after a POST where there is a body; raises `NoAnswerError`."""
        now = time.monotonic()
        deadline = now + max(min(seconds, self.until - now), _MOMENT_S)
        try:
            text = self._fetched(path, deadline, body)
            if time.monotonic() >= deadline:  # what was cut may look like an end
                raise TimeoutError
        except (OSError, HTTPException) as error:
            late = isinstance(error, TimeoutError) or time.monotonic() >= deadline
            said = "no answer before the deadline" if late else f"{type(error).__name__}: {error}"
            raise NoAnswerError(said, timed_out=late) from error
        return text

    def _fetched(self, path: str, deadline: float, body: Mapping[str, Any] | None) -> str:
        headers = {"Authorization": f"Bearer {self.key}", "Connection": "close"}
        content = None if body is None else json.dumps(body).encode()
        typed = {} if body is None else {"Content-Type": "application/json"}
        to = HTTPConnection(_HOST, self.port, timeout=deadline - time.monotonic())
        with contextlib.closing(to):
            to.connect()
            with _cut_at(to.sock, deadline):
                to.request("GET" if body is None else "POST", path, content, {**headers, **typed})
                response = to.getresponse()
                if response.status != HTTPStatus.OK:
                    raise NoAnswerError(f"HTTP {response.status}", status=response.status)
                return response.read().decode("utf-8", "replace")


@contextlib.contextmanager
def _cut_at(connection: socket.socket, deadline: float) -> Iterator[None]:
    """Cut the connection at the deadline: a timeout of a socket begins anew with every byte."""
    timer = threading.Timer(max(deadline - time.monotonic(), 0), _cut, (connection,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _cut(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # it may have ended by itself
        connection.shutdown(socket.SHUT_RDWR)
