"""`speculoos observe` beside real servers: at work, killed, restarted, closed, and others."""

import http.server
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from speculoos.measure.server import free_port
from speculoos.parts.servers import ServerPart, llama_servers
from speculoos.parts.tiny_counts import expected
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.store import load_measurement
from speculoos.record.usage import usage
from verbs.at_work import KEY, PROMPTS, at_work, busy

MTP = ("--metrics", "-np", "1", "--spec-type", "draft-mtp", "--spec-draft-n-max", "3")
MODEL = TinyModel(Acceptance.by_step([0.8, 0.6, 0.4]), "qwen35")
NOTES = ("--notes-en", "a test", "--notes-fr", "un essai")


@pytest.fixture(scope="module")
def builds(cache: Path) -> dict[str, ServerPart]:
    """The builds that run here by name."""
    return {part.build: part for part in llama_servers(cache, quantised=False)}


@pytest.fixture
def binary(builds: dict[str, ServerPart]) -> Path:
    """The newest of them."""
    return next(iter(builds.values())).path


@contextmanager
def _observing(tmp_path: Path, environment: dict[str, str], *args: object) -> Iterator:
    """The verb in a process of its own, already past its first reading."""
    command = [sys.executable, "-m", "speculoos", "observe", *map(str, args)]
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        # a shell that runs the tests in the background has them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )  # fmt: skip
    with process:
        yield process
        process.kill()


def _until(condition, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


def _seen(out: Path):
    """The figures of a record that is still being written; None before it is there."""
    return usage(load_measurement(out).record.observed) if out.exists() else None


def test_observed_counts_are_the_computed_ones(
    builds, tiny: Path, tmp_path: Path, environment: dict[str, str]
):
    """Drafted, accepted, steps and positions of a model whose every draft is known: exactly.

    A restart lies between the requests; nothing of it is lost, nothing counted twice.
    """
    if "b10434" not in builds:
        pytest.xfail("the only pinned build with counters of speculation does not run here")
    out = tmp_path / "measurements" / "rig" / "2026-11-30-tiny-observed.yaml"
    with at_work(builds["b10434"].path, tiny, *MTP) as server:
        args = (server.url, "--every", "0.2s", "--for", "2m", "--out", out)
        more = ("--spec-type", "draft-mtp", "--n-max", 3, *NOTES)
        with _observing(tmp_path, environment, *args, *more) as process:
            _until(out.exists)
            for prompt in PROMPTS:
                server.ask(prompt, 200)
            _until(lambda: _seen(out).predicted_n == 600)
            server.kill()
            time.sleep(1.5)
            server.start()
            for prompt in PROMPTS:
                server.ask(prompt, 100)
            _until(lambda: _seen(out).predicted_n == 900)
            process.send_signal(signal.SIGINT)
            said, wrong = process.communicate(timeout=60)
    assert process.returncode == 130, wrong
    assert "restarted: its counters began anew" in said
    found = usage(load_measurement(out).record.observed)
    wanted = [expected(MODEL, prompt, 3, n) for n in (200, 100) for prompt in PROMPTS]
    steps = sum(counts.verify_steps for counts in wanted)
    columns = zip(*(counts.accepted_per_position for counts in wanted), strict=True)
    positions = [sum(column) for column in columns]
    assert found.draft_n == sum(counts.draft_n for counts in wanted)
    assert found.verify_steps == steps
    assert found.acceptance_by_position == tuple(count / steps for count in positions)
    assert found.restarts == 1
    assert found.silent_s > 1


def test_a_written_record_is_accepted_by_check(speculoos, binary: Path, tiny: Path, tmp_path: Path):
    """With notes and settings nothing is missing; the machine is described beside it."""
    with at_work(binary, tiny, *MTP) as server, busy(server):
        done = speculoos(
            "observe", server.url, "--for", "3s", "--every", "0.5s", "--model", tiny,
            "--out", "measurements/rig/2026-11-30-x.yaml", "--spec-type", "draft-mtp",
            "--n-max", 3, *NOTES,
        )  # fmt: skip
    written = tmp_path / "measurements" / "rig"
    today = load_measurement(next(written.glob("2026*.yaml"))).record
    assert (written / "machine.yaml").exists()
    assert today.model.sha256
    (written / "2026-11-30-x.yaml").rename(written / f"{today.date}-x.yaml")
    checked = speculoos("check")
    assert checked.returncode == 0, checked.stdout + done.stdout
    assert speculoos("show", written / f"{today.date}-x.yaml").returncode == 0


def test_what_is_missing_is_asked_for_in_one_go(speculoos, binary: Path, tiny: Path, tmp_path):
    """At the start in one line, at the end in the file, which holds all that was seen."""
    with at_work(binary, tiny, *MTP) as server, busy(server):
        done = speculoos("observe", server.url, "--for", "2s", "--every", "0.5s", "--out", "o.yaml")
    assert done.returncode == 1
    assert "missing in the record: machine, notes, observed.settings" in done.stdout
    text = (tmp_path / "o.yaml").read_text()
    assert all(f"# {key}" in text for key in ("machine:", "notes:", "in observed.settings"))
    assert usage(load_measurement(tmp_path / "o.yaml").record.observed).predicted_n >= 60


def test_a_build_without_counters_says_what_cannot_be_known(
    speculoos, builds, tiny: Path, tmp_path: Path
):
    """b10068 counts tokens and time, and nothing of speculation."""
    with at_work(builds["b10068"].path, tiny, *MTP) as server, busy(server):
        done = speculoos("observe", server.url, "--for", "2s", "--every", "0.5s", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["predicted_n"] >= 60
    assert data["acceptance_rate"] is data["verify_steps"] is None
    assert "does not count speculation" in done.stderr


def test_no_prompt_and_no_text_is_kept(speculoos, binary: Path, tiny: Path, tmp_path: Path):
    """Somebody asks while the server is watched: neither output nor file holds a word of it."""
    question = "a secret question of somebody"
    with at_work(binary, tiny, *MTP) as server, busy(server, question, 2000):
        done = speculoos(
            "observe", server.url, "--for", "3s", "--every", "0.2s", "--out", "o.yaml",
        )  # fmt: skip
    everything = done.stdout + done.stderr + (tmp_path / "o.yaml").read_text()
    assert question not in everything
    assert "127.0.0.1" not in (tmp_path / "o.yaml").read_text()


def test_a_server_without_metrics_is_told_how_to_start(speculoos, binary: Path, tiny: Path):
    """501: one line, exit 1."""
    with at_work(binary, tiny, "-np", "1") as server:
        done = speculoos("observe", server.url, "--for", "1s")
    assert done.returncode == 1
    assert "start the server with --metrics" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("variables", "options", "code"),
    [
        ({}, (), 1),
        ({"LLAMA_API_KEY": "wrong"}, (), 1),
        ({"LLAMA_API_KEY": KEY}, (), 0),
        ({"SPECULOOS_API_KEY": KEY, "LLAMA_API_KEY": "wrong"}, (), 0),
        ({"MINE": KEY}, ("--api-key-env", "MINE"), 0),
        ({}, ("--api-key-env", "MINE"), 2),
    ],
)
def test_the_key_comes_from_the_environment(
    speculoos, guarded, variables: dict[str, str], options: tuple[str, ...], code: int
):
    """Never from the command line, which everybody on the machine can read."""
    with busy(guarded):
        args = (guarded.url, "--for", "1s", "--every", "0.3s", *options)
        done = speculoos("observe", *args, **variables)
    assert done.returncode == code, done.stderr
    assert KEY not in done.stdout + done.stderr
    assert code != 1 or "API key" in done.stderr


@pytest.fixture(scope="module")
def guarded(builds: dict[str, ServerPart], tiny: Path):
    """A server that wants a key."""
    with at_work(next(iter(builds.values())).path, tiny, *MTP, key=KEY) as server:
        yield server


class _Other(http.server.BaseHTTPRequestHandler):
    """Something that answers, and is no llama-server."""

    def do_GET(self) -> None:
        self.send_response(404 if self.path.startswith("/none") else 200)
        self.end_headers()
        self.wfile.write(b"vllm:generation_tokens_total 3\n")

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.fixture
def other() -> Iterator[str]:
    """Its address."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Other) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("path", ["", "/none"])
def test_another_kind_of_server_is_named_as_such(speculoos, other: str, path: str):
    """A page of other counters, and no page at all."""
    done = speculoos("observe", other + path, "--for", "1s")
    assert done.returncode == 1
    assert "no llama-server" in done.stderr


@pytest.mark.parametrize(
    ("url", "word"),
    [
        ("ftp://localhost", "no address"),
        ("http://", "no address"),
        ("http://me:word@localhost:8080", "LLAMA_API_KEY"),
        ("http://localhost:notaport", "no address"),
    ],
)
def test_an_address_that_is_none_is_explained(speculoos, url: str, word: str):
    """One line, no traceback, and no password repeated."""
    done = speculoos("observe", url, "--for", "1s")
    assert done.returncode == 1
    assert word in done.stderr
    assert "word@" not in done.stderr
    assert "Traceback" not in done.stderr


def test_nobody_at_the_address_is_an_error_at_once(speculoos):
    """A wrong address is not waited for."""
    done = speculoos("observe", f"localhost:{free_port()}", "--for", "10m")
    assert done.returncode == 1
    assert "is the address right" in done.stderr


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_observation_is_saved_and_summed_up(
    binary: Path, tiny: Path, tmp_path: Path, environment: dict[str, str], sent: signal.Signals
):
    """Ctrl-C and TERM: the summary, a whole file, 130."""
    out = tmp_path / "o.yaml"
    with at_work(binary, tiny, *MTP) as server:
        args = (server.url, "--for", "10m", "--every", "0.2s", "--out", out)
        with _observing(tmp_path, environment, *args) as process:
            _until(out.exists)
            server.ask("abc", 60)
            process.send_signal(sent)
            said, wrong = process.communicate(timeout=60)
    assert process.returncode == 130, wrong
    assert "tokens/s while busy" in said
    assert "Traceback" not in wrong
    assert usage(load_measurement(out).record.observed).predicted_n == 60
