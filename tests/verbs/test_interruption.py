"""Interrupted or killed: what was measured is saved, and no server survives."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from speculoos.record.store import load_measurement


@pytest.fixture
def running(tmp_path: Path, environment: dict[str, str], server: Path, tiny: Path):
    """A long measurement that has saved some samples."""
    args = ["--n-max", "1-4", "--prompts", "cycle-1", "--blocks", "50", "--max-tokens", "400"]
    command = [sys.executable, "-m", "speculoos", "measure", "--server", server, "--model", tiny]
    process = subprocess.Popen(
        [*map(str, command), *args, "--out", "out.yaml", "--", "-c", "1024"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a shell that runs the tests in the background has them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "out.yaml").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    with process:
        yield process
        process.kill()


def _children(process: subprocess.Popen[str]) -> list[psutil.Process]:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if found := psutil.Process(process.pid).children():
            return found
    return []


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_measurement_is_saved_and_exits_130(
    running: subprocess.Popen[str], tmp_path: Path, sent: signal.Signals
):
    """Ctrl-C and TERM: a whole file, a sentence, no server left."""
    servers = _children(running)
    running.send_signal(sent)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert "saved" in err
    assert "Traceback" not in err
    assert load_measurement(tmp_path / "out.yaml").record.runs
    assert not any(child.is_running() and child.status() != "zombie" for child in servers)


def test_a_file_that_is_being_written_is_not_written_by_another(
    running: subprocess.Popen[str], speculoos, server: Path, tiny: Path, tmp_path: Path
):
    """The same command with --resume, too early: one line, exit code 2, and the first goes on.

    The second starts no server beside the one that is being measured.
    """
    timed = (tmp_path / "speculoos-logs" / "timing.log").stat().st_mtime_ns
    again = ["--n-max", "1-4", "--prompts", "cycle-1", "--blocks", "50", "--max-tokens", "400"]
    done = speculoos(
        *("measure", "--server", server, "--model", tiny, *again),
        *("--out", "out.yaml", "--resume", "--", "-c", "1024"),
    )
    assert done.returncode == 2
    assert done.stderr == "out.yaml: another speculoos measures into it now; wait until it ends\n"
    assert (tmp_path / "speculoos-logs" / "timing.log").stat().st_mtime_ns == timed
    assert running.poll() is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_killed_measurement_leaves_a_whole_file_and_no_server(
    running: subprocess.Popen[str], tmp_path: Path
):
    """Kill -9: the file is valid, and the kernel ends the server."""
    servers = _children(running)
    assert servers
    running.kill()
    running.wait()
    assert load_measurement(tmp_path / "out.yaml").record.runs
    psutil.wait_procs(servers, timeout=10)
    assert not any(child.is_running() and child.status() != "zombie" for child in servers)
