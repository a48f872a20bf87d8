"""Ways to harm a real server, and to prove that nothing of it is left."""

import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import psutil

from speculoos.measure.run import Event, Sampled
from speculoos.measure.server import Command
from speculoos.parts.servers import ServerPart, builds

PROXY = Path(__file__).with_name("harmful_proxy.py")
HERE = tuple(build.name for build in builds(quantised=False))
"""Every pinned build that runs on this processor; a fault may look different in each."""


def command(server: ServerPart, model: Path, tmp_path: Path, *args: str) -> Command:
    """One start with a small context."""
    return Command(
        binary=server.path,
        model=model,
        args=("--parallel", "1", "-c", "512", "--metrics", "--slots", "--no-webui", *args),
        log=tmp_path / "server.log",
        ready_timeout_s=60,
    )


def script(path: Path, *lines: str) -> Path:
    """A shell script that stands in front of a real server."""
    path.write_text("\n".join(("#!/bin/sh", *lines)) + "\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def behind_a_proxy(proxied: ServerPart, folder: Path, harm: str) -> Path:
    """A binary that harms the second sample of the setting n_max 1."""
    proxy = f'"{sys.executable}" "{PROXY}" "{proxied.path}"'
    return script(
        folder / "proxy.sh",
        f'case "$*" in *"n-max 1"*) exec {proxy} {harm} "$@";; esac',
        f'exec "{proxied.path}" "$@"',
    )


def children(besides: Iterable[psutil.Process] = ()) -> list[psutil.Process]:
    """Every process below this one, but for some children and what is below them."""
    others = set(besides)
    for child in besides:
        with suppress(psutil.NoSuchProcess):
            others |= {*child.children(recursive=True)}
    return [child for child in psutil.Process().children(recursive=True) if child not in others]


def the_server() -> psutil.Process:
    """The one llama-server that runs below this process."""
    (found,) = [process for process in children() if "llama-server" in process.name()]
    return found


def listening(folder: Path) -> list[int]:
    """Ports that a log in this folder names and where somebody still answers."""
    logs = "".join(log.read_text(errors="replace") for log in folder.rglob("*.log"))
    ports = {int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", logs)}
    return [port for port in sorted(ports) if _answers(port)]


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def after_sample(
    number: int, label: str, act: Callable[[psutil.Process], object]
) -> Callable[[Event], None]:
    """Harm the server of a setting once, between its sample `number` and the next."""
    seen = 0

    def then(event: Event) -> None:
        nonlocal seen
        if isinstance(event, Sampled) and event.settings.label == label:
            seen += 1
            if seen == number:
                act(the_server())

    return then


def in_a_request(
    act: Callable[[psutil.Process], object],
) -> Callable[[psutil.Process], None]:
    """Harm the server in a moment, when it answers its next request."""

    def later(process: psutil.Process) -> None:
        timer = threading.Timer(0.2, act, (process,))
        timer.daemon = True
        timer.start()

    return later


def slow_down(process: psutil.Process) -> None:
    """Let the process stand still nine tenths of the time, until it ends."""

    def alternate() -> None:
        with suppress(psutil.NoSuchProcess):
            while True:
                process.send_signal(signal.SIGSTOP)
                time.sleep(0.09)
                process.send_signal(signal.SIGCONT)
                time.sleep(0.01)

    threading.Thread(target=alternate, daemon=True).start()
