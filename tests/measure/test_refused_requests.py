"""Requests that a real server refuses: its pitfalls quote what it says."""

from pathlib import Path

import httpx
import pytest

from measure.harm import command
from speculoos.measure.server import Server
from speculoos.parts.servers import ServerPart

pytestmark = pytest.mark.usefixtures("nothing_left")

REFUSED = [
    ("/slots", None, "wrong", "Invalid API Key"),
    ("/v1/embeddings", '{"input": "A"}', None, "This server does not support embeddings"),
    ("/slots/0?action=save", "{}", None, "This server does not support slots action"),
    ("/completion", "{prompt", None, "[json.exception.parse_error.101] parse error at line 1"),
    ("/completion", "{}", None, "[json.exception.out_of_range.403] key 'prompt' not found"),
    ("/v1/chat/completions", '{"messages": "A"}', None, "Expected 'messages' to be an array"),
    ("/completion", '{"prompt": "A", "grammar": "x"}', None, "failed to parse grammar"),
]


def test_a_refused_request_is_answered_in_the_words_of_its_pitfall(
    build: ServerPart, tiny: Path, tmp_path: Path
):
    """A wrong key, an endpoint that is off, a body that is wrong: the server lives on."""
    with Server(command(build, tiny, tmp_path)) as server:
        for path, body, key, words in REFUSED:
            answer = _ask(server, path, body, key or server.key)
            assert answer.is_error
            assert words in answer.json()["error"]["message"]
        assert server.client.healthy()


def _ask(server: Server, path: str, body: str | None, key: str) -> httpx.Response:
    return httpx.request(
        "GET" if body is None else "POST",
        f"http://127.0.0.1:{server.port}{path}",
        content=body,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
        timeout=20,
    )
