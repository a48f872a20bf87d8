"""A real llama-server at work on a port of its own: it can be killed and started again."""

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from speculoos.measure.server import free_port

KEY = "secret-of-a-test"
PROMPTS = ("abc", "qrs", "The next letter is k")


class AtWork:
    """A server of tiny models; `url` stays the same over its lives."""

    def __init__(self, binary: Path, model: Path, *args: str, key: str | None = None) -> None:
        self.port, self.key = free_port(), key
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = [binary, "-m", model, "--host", "127.0.0.1", "--port", self.port]
        self.command += ["-t", "1", "--no-webui", "-c", "4096", *args]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it is healthy."""
        environment = os.environ | ({"LLAMA_API_KEY": self.key} if self.key else {})
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        self.process = subprocess.Popen(
            list(map(str, self.command)), env=environment, stderr=subprocess.DEVNULL, **quiet
        )
        until = time.monotonic() + 60
        while time.monotonic() < until and self.process.poll() is None:
            try:
                if httpx.get(f"{self.url}/health", trust_env=False).is_success:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"not healthy, exit {self.process.poll()}")

    def kill(self) -> None:
        """As the system does for want of memory."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def ask(self, prompt: str, n_predict: int) -> dict:
        """One request at temperature 0 without a cached prompt."""
        body = {"prompt": prompt, "n_predict": n_predict, "temperature": 0, "cache_prompt": False}
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        address = f"{self.url}/completion"
        answer = httpx.post(address, json=body, headers=headers, timeout=60, trust_env=False)
        return answer.raise_for_status().json()


@contextmanager
def at_work(binary: Path, model: Path, *args: str, key: str | None = None) -> Iterator[AtWork]:
    """A started server, stopped whatever happens."""
    server = AtWork(binary, model, *args, key=key)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def busy(server: AtWork, prompt: str = "abc", n_predict: int = 60) -> Iterator[None]:
    """Somebody asks the same again and again."""
    enough = threading.Event()

    def work() -> None:
        while not enough.wait(0.02):
            server.ask(prompt, n_predict)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        enough.set()
        thread.join()
