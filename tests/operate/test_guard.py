"""The guard beside a real server: it reloads what is dead or hangs, within limits, and stops."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from operate.conftest import until
from operate.files import GUARD, load_guard


def test_a_killed_server_is_reloaded_and_answers_again(speculating, newest):
    """Once, and the hook is told."""
    server = speculating(newest)
    told = server.folder / "told"
    server.guard("--hook", f'echo "$GUARD_EVENT: $GUARD_SAYS" >>"{told}"')
    server.process.kill()
    until(lambda: "reload 1 of 2: dead: " in server.said, "reloaded")
    until(server.healthy, "healthy again")
    assert server.check().returncode == 0
    assert server.restarts == 1
    assert told.read_text().startswith("reload: reload 1 of 2: dead")


def test_a_server_that_stands_still_is_reloaded(speculating, newest):
    """It holds its port and answers nothing: only a deadline can tell."""
    server = speculating(newest)
    server.process.send_signal(signal.SIGSTOP)
    assert server.check("--deadline", "0.5").returncode == 1
    server.guard("--deadline", "0.5")
    until(lambda: "reload 1 of 2: stuck: " in server.said, "reloaded")
    until(server.healthy, "healthy again")
    assert server.check().returncode == 0


def test_a_server_that_dies_at_its_first_request_is_given_up(speculating, build):
    """`--spec-draft-n-max 0` is healthy until it is asked: reloads as allowed, then none."""
    server = speculating(build, 0)
    told = server.folder / "told"
    hook = ("--hook", f'echo "$GUARD_EVENT" >>"{told}"')
    assert server.guard("--misses", "1", *hook).wait(60) == 1
    assert server.restarts == 2
    assert "GIVING UP, 2 reloads did not help; " in server.said
    assert told.read_text().split() == ["reload", "reload", "gave-up"]

    assert server.guard("--misses", "1").wait(60) == 1
    assert server.restarts == 2, "the count outlives the guard"


def test_a_reload_is_allowed_again_when_the_last_ones_are_old(tmp_path):
    """They are counted within the window only; times to come, after a clock was set, never."""
    guard = load_guard()
    now = time.time()
    kept = tmp_path / "state.json"
    kept.write_text(json.dumps({"": [now - 4000, now - 30, now + 9000]}))
    options = type("Options", (), {"state": kept, "window": 3600})
    assert guard.Guard(None, options).remembered() == {"": [now - 30]}
    kept.write_text("{ half")
    assert guard.Guard(None, options).remembered() == {}


def test_a_busy_server_is_left_alone(speculating, newest):
    """One slot, and others wait for it: no token comes in time, but /slots tells of progress."""
    server = speculating(newest, 3, "--threads-http", "32")
    body = {"prompt": "a", "n_predict": 4000, "ignore_eos": True}

    def ask():
        with suppress(httpx.TransportError):
            httpx.post(f"{server.url}/completion", json=body, timeout=60)

    for _ in range(12):
        threading.Thread(target=ask, daemon=True).start()
    time.sleep(0.5)
    seen = server.check("--deadline", "1.5")
    assert (seen.returncode, "busy: " in seen.stderr) == (0, True), seen.stderr


def test_a_key_that_is_refused_is_no_reason_to_reload(speculating, newest):
    """The guard ends with 2; with the key from its environment it is answered."""
    server = speculating(newest, 3, "--api-key", "k1,k2")
    assert server.guard().wait(30) == 2
    assert "LLAMA_API_KEY" in server.said
    assert server.restarts == 0
    words = server.command("--check", reload=False)
    allowed = subprocess.run(words, env=os.environ | {"LLAMA_API_KEY": "k1,k2"}, check=False)
    assert allowed.returncode == 0


def test_a_proxy_of_the_environment_is_not_asked(speculating, newest):
    """It may refuse or hang, and says nothing of the server."""
    server = speculating(newest)
    words = server.command("--check", reload=False)
    env = os.environ | {"http_proxy": "http://127.0.0.1:9", "no_proxy": ""}
    assert subprocess.run(words, env=env, check=False).returncode == 0


def test_without_a_command_a_dead_server_is_only_told(speculating, newest):
    """There is nothing that the guard could do."""
    server = speculating(newest)
    server.process.kill()
    assert server.guard(reload=False).wait(30) == 1
    assert "GIVING UP, no command after --; dead: " in server.said


def test_systemd_is_told_that_the_guard_lives(speculating, newest, tmp_path, monkeypatch):
    """Ready before the first question, which may take long; then a datagram with every one."""
    server = speculating(newest)
    address = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(address)
        heard.settimeout(20)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        server.guard()
        assert [heard.recv(99) for _ in range(4)] == [b"READY=1"] + 3 * [b"WATCHDOG=1"]


@pytest.mark.parametrize(
    "wrong", [("--deadline", "0"), ("--every", "soon"), ("--state", "/nowhere/state.json")]
)
def test_wrong_options_are_refused_at_once(wrong):
    """Not when the first reload is due."""
    done = subprocess.run([GUARD, *wrong], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert wrong[1] in done.stderr


class _Stub(BaseHTTPRequestHandler):
    """What no tiny model does long enough: load, or answer for ever a byte at a time."""

    def do_GET(self):
        if self.server.harm == "loading":
            self.send_error(503)
            return
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            while True:
                self.wfile.write(b" ")
                time.sleep(0.1)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def stub():
    """A server that does one harm, and the guard's way to it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Stub) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_a_server_that_loads_has_time_and_not_for_ever(stub, tmp_path):
    """503 is patience, until the start takes longer than it may."""
    stub.harm = "loading"
    guard = load_guard()
    server = guard.Server(f"http://127.0.0.1:{stub.server_port}", 2)
    assert guard.check(server) == 0
    ((model, what, why),) = guard.survey(server)
    assert (model, what) == ("", "loading")
    options = type("Options", (), {"loading": 60, "misses": 1, "command": [], "limit": 1})
    options.state, options.window, options.hook = tmp_path / "state.json", 60, ""
    watching = guard.Guard(server, options)
    watching.judge(model, what, why)
    assert not watching.lost
    options.loading = 0
    watching.judge(model, what, why)
    assert watching.lost == {""}


def test_an_answer_that_never_ends_passes_the_deadline(stub):
    """A byte now and then keeps every timeout of a socket waiting."""
    stub.harm = "trickle"
    guard = load_guard()
    began = time.monotonic()
    ((_, what, _),) = guard.survey(guard.Server(f"http://127.0.0.1:{stub.server_port}", 0.5))
    assert what == "stuck"
    assert time.monotonic() - began < 20, "far from for ever"
