"""The HTTP side of one `llama-server`: ask, and read what it says of itself."""

import contextlib
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from math import inf
from types import TracebackType
from typing import Any, Self

import httpx

from speculoos.measure.counters import Counters, read_counters

_SHORT_S = 10.0
_MOMENT_S = 0.1
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Without certificates: httpx reads those of the system for every client, which takes as long as a
small model's start, and the loopback interface needs none."""
_REFUSED = (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN)


class NoAnswerError(Exception):
    """The request did not end in time, or the connection broke; `timed_out` tells which."""

    def __init__(self, message: str, *, timed_out: bool) -> None:
        super().__init__(message)
        self.timed_out = timed_out


@dataclass(frozen=True)
class Ask:
    """How every prompt is asked."""

    max_tokens: int
    temperature: float
    seed: int
    stream: bool
    deadline_s: float

    def body(self, prompt: str) -> dict[str, Any]:
        """The body of a request to `/completion`."""
        return {
            "prompt": prompt,
            "n_predict": self.max_tokens,
            "temperature": self.temperature,
            "seed": self.seed,
            "cache_prompt": False,
            "return_tokens": True,
            "stream": self.stream,
            "timings_per_token": self.stream,
        }


@dataclass(frozen=True)
class Answer:
    """One answer: the final object of the server, all its tokens, and the stream's timings."""

    final: Mapping[str, Any]
    tokens: tuple[int, ...]
    text: str
    running: tuple[Mapping[str, Any], ...]
    wall_ms: float

    @property
    def timings(self) -> Mapping[str, Any]:
        """The server's own timings of the request."""
        return dict(self.final["timings"])


class Client:
    """A connection to one server on the loopback interface, with its key.

    It waits for no answer beyond the moment `until` (`time.monotonic()`).
    """

    def __init__(self, base_url: str, key: str, until: float = inf) -> None:
        url = httpx.URL(base_url)
        self._host, self._port, self._until = url.host, url.port, until
        self._headers = {"Authorization": f"Bearer {key}", "Connection": "close"}
        self._http = httpx.Client(
            base_url=base_url,
            headers=self._headers,
            limits=httpx.Limits(max_keepalive_connections=0),
            trust_env=False,  # a proxy of the environment is not for the loopback interface
            verify=_NO_TLS,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def healthy(self) -> bool:
        """Whether `/health` answers 200; anything else, a refused connection too, is no."""
        try:
            return self._http.get("/health", timeout=self._at_most(2)).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    def admitted(self) -> bool:
        """Whether the server takes our key: one with another key is not ours."""
        try:
            return self._http.get("/props", timeout=self._at_most()).status_code not in _REFUSED
        except httpx.HTTPError:
            return True  # who does not answer refuses nothing; the next request tells

    def props(self) -> Mapping[str, Any]:
        """`/props`: the model's path above all."""
        return dict(self._get("/props").json())

    def slots(self) -> list[Mapping[str, Any]]:
        """`/slots`, empty where the server was started without."""
        with _answering():
            response = self._http.get("/slots", timeout=self._at_most())
            return list(response.json()) if response.is_success else []

    def counters(self) -> Counters:
        """The counters of `/metrics` now."""
        return read_counters(self._get("/metrics").text)

    def tokens(self, text: str) -> int:
        """How many tokens a text has for the model."""
        with _answering():
            response = self._post("/tokenize", {"content": text})
            return len(response.json()["tokens"])

    def render(self, message: str, *, reasoning: bool = False) -> str:
        """A user's message in the model's chat template; not every template knows reasoning."""
        body = {
            "messages": [{"role": "user", "content": message}],
            "chat_template_kwargs": {"enable_thinking": reasoning},
        }
        with _answering():
            response = self._post("/apply-template", body)
            return str(response.json()["prompt"])

    def complete(self, prompt: str, ask: Ask) -> Answer:
        """Ask one prompt; raises `NoAnswerError`."""
        start = time.monotonic()
        deadline = min(start + ask.deadline_s, self._until)
        try:
            with _answering():
                text = self._text(ask, prompt, deadline)
                wall_ms = (time.monotonic() - start) * 1000
                answer = _answer(list(_chunks(text, stream=ask.stream)), wall_ms)
        except NoAnswerError as error:
            late = error.timed_out or time.monotonic() >= deadline
            raise NoAnswerError(str(error), timed_out=late) from error
        return answer

    def _text(self, ask: Ask, prompt: str, deadline: float) -> str:
        """The whole answer; a stream is only collected while it runs.

        Whoever works on every token takes processor time from the server that writes it: httpx four
        times as much as this, and more than curl.
        """
        body, headers = json.dumps(ask.body(prompt)), {"Content-Type": "application/json"}
        to = HTTPConnection(self._host, self._port, timeout=self._at_most(ask.deadline_s))
        with contextlib.closing(to):
            to.connect()
            with _cut_at(to.sock, deadline):
                to.request("POST", "/completion", body, {**headers, **self._headers})
                response = to.getresponse()
                if response.status != httpx.codes.OK:
                    raise NoAnswerError(f"HTTP {response.status}", timed_out=False)
                return response.read().decode("utf-8", "replace")

    def _get(self, path: str) -> httpx.Response:
        with _answering():
            response = self._http.get(path, timeout=self._at_most())
            response.raise_for_status()
            return response

    def _post(self, path: str, body: Mapping[str, Any]) -> httpx.Response:
        response = self._http.post(path, json=body, timeout=self._at_most())
        return response.raise_for_status()

    def _at_most(self, seconds: float = _SHORT_S) -> float:
        return max(min(seconds, self._until - time.monotonic()), _MOMENT_S)


@contextlib.contextmanager
def _answering() -> Iterator[None]:
    """Whatever the connection suffers becomes `NoAnswerError`."""
    try:
        yield
    except (httpx.TimeoutException, TimeoutError) as error:
        raise NoAnswerError("no answer before the deadline", timed_out=True) from error
    except (httpx.HTTPError, HTTPException, OSError, ValueError, KeyError) as error:
        raise NoAnswerError(f"{type(error).__name__}: {error}", timed_out=False) from error


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


def _chunks(text: str, *, stream: bool) -> Iterator[Mapping[str, Any]]:
    if not stream:
        yield json.loads(text)
        return
    for line in text.split("\n"):  # a text may hold other signs that end lines
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def _answer(chunks: list[Mapping[str, Any]], wall_ms: float) -> Answer:
    if not chunks or "timings" not in chunks[-1]:
        raise NoAnswerError("the answer ended without its last part", timed_out=False)
    *parts, final = chunks
    tokens = [token for chunk in chunks for token in chunk.get("tokens", ())]
    text = "".join(chunk.get("content", "") for chunk in chunks)
    running = tuple(chunk["timings"] for chunk in parts if "timings" in chunk)
    return Answer(final, tuple(tokens), text, running, wall_ms)
