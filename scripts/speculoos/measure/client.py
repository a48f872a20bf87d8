"""What we ask one `llama-server`: its texts, and what it says of itself."""

import contextlib
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from speculoos.measure.counters import Counters, read_counters
from speculoos.measure.exchange import Exchange, NoAnswerError

_HEALTH_S, _SHORT_S = 2.0, 10.0
_REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}


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


@dataclass(frozen=True)
class Client:
    """Asks one server; whatever it is asked raises `NoAnswerError`, unless it says otherwise."""

    exchange: Exchange

    def healthy(self) -> bool:
        """Whether `/health` answers 200; anything else, a refused connection too, is no."""
        try:
            self.exchange.fetch("/health", _HEALTH_S)
        except NoAnswerError:
            return False
        return True

    def admitted(self) -> bool:
        """Whether the server takes our key: one with another key is not ours.

        Who does not answer refuses nothing; the next request tells.
        """
        try:
            self.exchange.fetch("/props", _SHORT_S)
        except NoAnswerError as error:
            return error.status not in _REFUSED
        return True

    def props(self) -> Mapping[str, Any]:
        """`/props`: the model's path above all."""
        with _understood():
            return dict(self._json("/props"))

    def slots(self) -> list[Mapping[str, Any]]:
        """`/slots`, empty where the server was started without."""
        try:
            with _understood():
                return list(self._json("/slots"))
        except NoAnswerError as error:
            if error.status is None:
                raise
            return []

    def counters(self) -> Counters:
        """The counters of `/metrics` now."""
        return read_counters(self.exchange.fetch("/metrics", _SHORT_S))

    def tokens(self, text: str) -> int:
        """How many tokens a text has for the model."""
        with _understood():
            return len(self._json("/tokenize", {"content": text})["tokens"])

    def render(self, message: str, *, reasoning: bool = False) -> str:
        """A user's message in the model's chat template; not every template knows reasoning."""
        body = {
            "messages": [{"role": "user", "content": message}],
            "chat_template_kwargs": {"enable_thinking": reasoning},
        }
        with _understood():
            return str(self._json("/apply-template", body)["prompt"])

    def complete(self, prompt: str, ask: Ask) -> Answer:
        """One prompt; a stream is only collected while it runs, and read when it has ended."""
        start = time.monotonic()
        text = self.exchange.fetch("/completion", ask.deadline_s, ask.body(prompt))
        wall_ms = (time.monotonic() - start) * 1000
        with _understood():
            return _answer(list(_chunks(text, stream=ask.stream)), wall_ms)

    def _json(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return json.loads(self.exchange.fetch(path, _SHORT_S, body))


@contextlib.contextmanager
def _understood() -> Iterator[None]:
    """What is no answer of a llama-server becomes `NoAnswerError`."""
    try:
        yield
    except (ValueError, KeyError, TypeError) as error:
        raise NoAnswerError(f"{type(error).__name__}: {error}") from error


def _chunks(text: str, *, stream: bool) -> Iterator[Mapping[str, Any]]:
    if not stream:
        yield json.loads(text)
        return
    for line in text.split("\n"):  # a text may hold other signs that end lines
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def _answer(chunks: list[Mapping[str, Any]], wall_ms: float) -> Answer:
    if not chunks or "timings" not in chunks[-1]:
        raise NoAnswerError("the answer ended without its last part")
    *parts, final = chunks
    tokens = [token for chunk in chunks for token in chunk.get("tokens", ())]
    text = "".join(chunk.get("content", "") for chunk in chunks)
    running = tuple(chunk["timings"] for chunk in parts if "timings" in chunk)
    return Answer(final, tuple(tokens), text, running, wall_ms)
