"""Real servers that a guard may reload: each behind a script, as a service manager has it."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
import pytest

from measure.harm import HERE
from operate.files import GUARD
from speculoos.measure.server import free_port
from speculoos.parts.servers import llama_servers
from speculoos.parts.tiny_model import Acceptance, TinyModel

PATIENCE_S = 30
QUICK = ("--every", "0.2", "--deadline", "2", "--backoff", "0.5", "--limit", "2")
_RESTART = """#!/bin/sh
# Ends what runs, waits until it is gone, starts it anew.
cd "$(dirname "$0")"
export GGML_NO_BACKTRACE=1
if [ -f pid ]; then
  kill -KILL "$(cat pid)" 2>/dev/null
  while grep -q '^State:.[^Z]' "/proc/$(cat pid)/status" 2>/dev/null; do sleep 0.05; done
  echo again >>restarts
fi
{command} >>server.log 2>&1 &
echo $! >pid
"""


def until(true: Callable[[], object], what: str) -> None:
    """Wait until something is true; fail with what was waited for."""
    limit = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < limit, f"never {what}"
        time.sleep(0.05)


@dataclass
class Served:
    """A llama-server that a script restarts, and the guards that watch it."""

    folder: Path
    port: int
    guards: list[subprocess.Popen] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def process(self) -> psutil.Process:
        """The process that runs now, or ran last."""
        return psutil.Process(int((self.folder / "pid").read_text()))

    @property
    def restarts(self) -> int:
        """How often the script restarted it."""
        path = self.folder / "restarts"
        return len(path.read_text().splitlines()) if path.exists() else 0

    @property
    def said(self) -> str:
        """What the guards said so far."""
        return (self.folder / "guard.log").read_text()

    def restart(self) -> None:
        """Start it, or start it anew."""
        subprocess.run([self.folder / "restart.sh"], check=True)

    def healthy(self) -> bool:
        """What /health says, if it says anything."""
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/health", timeout=2).status_code == httpx.codes.OK
        return False

    def command(self, *options: str, reload: bool = True) -> list[str]:
        """A guard with these options."""
        words = [sys.executable, str(GUARD), "--url", self.url]
        words += ["--state", str(self.folder / "state.json"), *options]
        return words + (["--", str(self.folder / "restart.sh")] if reload else [])

    def guard(self, *options: str, **how: object) -> subprocess.Popen:
        """A guard that watches from now on."""
        with (self.folder / "guard.log").open("ab") as log:
            words = self.command(*QUICK, *options, **how)
            started = subprocess.Popen(words, stderr=log, start_new_session=True)
        self.guards.append(started)
        return started

    def check(self, *options: str) -> subprocess.CompletedProcess:
        """One look, at once."""
        words = self.command("--check", "--deadline", "2", *options, reload=False)
        return subprocess.run(words, capture_output=True, text=True, check=False)

    def stop(self) -> None:
        """End the guards first, with a restart that is on its way, then the server."""
        for guard in self.guards:
            with suppress(ProcessLookupError):
                os.killpg(guard.pid, signal.SIGKILL)
            guard.wait()
        with suppress(psutil.NoSuchProcess):
            for process in [*self.process.children(recursive=True), self.process]:
                process.send_signal(signal.SIGKILL)


@pytest.fixture(scope="session")
def servers(cache):
    """The path of every pinned build that runs here, by its name."""
    return {part.build: part.path for part in llama_servers(cache, quantised=False)}


@pytest.fixture(params=HERE)
def build(request, servers):
    """Each build that runs here, in turn."""
    return servers[request.param]


@pytest.fixture(scope="session")
def newest(servers):
    """The newest build that runs here."""
    return servers[HERE[0]]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A tiny model with a head, of an architecture that every build drafts with."""
    model = TinyModel(Acceptance.by_step([0.8, 0.6, 0.4]), "qwen35")
    return model.write(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture
def serve(tmp_path):
    """Start a build with these arguments; ended with its guards, whatever happens."""
    served = Served(tmp_path, free_port())

    def start(binary, *args):
        words = [binary, *args, "--host", "127.0.0.1", "--port", served.port, "-t", "1"]
        script = tmp_path / "restart.sh"
        script.write_text(_RESTART.replace("{command}", shlex.join(map(str, words))))
        script.chmod(0o755)
        served.restart()
        until(served.healthy, "healthy")
        return served

    yield start
    served.stop()


@pytest.fixture
def speculating(serve, tiny):
    """One server that speculates, with a draft of `n_max` tokens and one slot."""
    return lambda binary, n_max=3, *more: serve(
        binary, "-m", tiny, "-c", "4096", "-np", "1", "--metrics",
        "--spec-type", "draft-mtp", "--spec-draft-n-max", n_max, *more,
    )  # fmt: skip
