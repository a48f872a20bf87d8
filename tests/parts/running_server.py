"""Real servers for the tests of the parts: started on a free loopback port, always stopped."""

import os
import re
import secrets
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

POSITION = re.compile(r'per_pos_total\{position="(\d+)"\} (\d+)')


@dataclass(frozen=True)
class Server:
    """A running llama-server."""

    client: httpx.Client

    def complete(self, prompt: str, n_predict: int, **settings: Any) -> dict[str, Any]:
        """Ask for the whole answer of `/completion` at temperature 0, without a cached prompt."""
        body = {"prompt": prompt, "n_predict": n_predict, "temperature": 0, "cache_prompt": False}
        answer = self.client.post("/completion", json=body | settings)
        answer.raise_for_status()
        return answer.json()

    def chat(self, message: str, max_tokens: int) -> dict[str, Any]:
        """Ask for the whole answer of `/v1/chat/completions` to one message."""
        messages = [{"role": "user", "content": message}]
        body = {"messages": messages, "max_tokens": max_tokens, "temperature": 0}
        answer = self.client.post("/v1/chat/completions", json=body | {"cache_prompt": False})
        answer.raise_for_status()
        return answer.json()

    def speculation(self) -> tuple[int, dict[int, int]] | None:
        """Verification steps and accepted tokens by position since the start, from `/metrics`.

        None where the build does not count them.
        """
        page = self.client.get("/metrics").text
        steps = re.search(r"^llamacpp:spec_decode_num_drafts_total (\d+)", page, re.MULTILINE)
        if steps is None:
            return None
        return int(steps[1]), {int(i): int(n) for i, n in POSITION.findall(page)}


@contextmanager
def running(server: Path, model: Path, *arguments: str) -> Iterator[Server]:
    """Give a server that is healthy; stopped and waited for at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    key = secrets.token_hex(16)
    command = [str(server), "-m", str(model), "--host", "127.0.0.1", "--port", str(port)]
    command += ["-np", "1", "-t", "1", "--metrics", "--no-webui", *arguments]
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        process = subprocess.Popen(
            command,
            env=os.environ | {"LLAMA_API_KEY": key},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}",
            headers={"Authorization": f"Bearer {key}"},
            timeout=60,
            trust_env=False,
        )
        try:
            with client:
                wait_until_healthy(process, client, Path(log.name))
                yield Server(client)
        finally:
            process.kill()
            process.wait()


def wait_until_healthy(process: subprocess.Popen[bytes], client: httpx.Client, log: Path) -> None:
    """Return as soon as the server answers; fail with the end of its log otherwise."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if client.get("/health").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    pytest.fail(f"not healthy, exit {process.poll()}: {log.read_text(errors='replace')[-2000:]}")
