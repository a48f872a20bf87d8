"""Killed at random moments: after `--resume` the file is complete, nothing twice, nothing lost.

`SPECULOOS_KILLS=20 pytest -s tests/verbs/test_killed.py` kills twenty times, in a measurement that
is long enough for it.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from factories import errors
from measure.harm import behind_a_proxy, script
from speculoos.measure.run import today
from speculoos.parts.servers import llama_server
from speculoos.record.store import load_measurement
from speculoos.record.types import Measurement

KILLS = int(os.environ.get("SPECULOOS_KILLS", "5"))
BLOCKS, A_BLOCK = max(3, KILLS), 12
SLOTS = 3
SEED = int(os.environ.get("SPECULOOS_SEED", "0")) or random.randrange(1, 10**6)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The file of the measurement."""
    return tmp_path / "measurements" / "rig" / f"{today()}-killed.yaml"


@pytest.fixture
def command(server: Path, tiny: Path, out: Path) -> list[str]:
    """A measurement of 12 samples a block that goes on where it stopped."""
    args = ["--n-max", "1-3", "--prompts", "cycle-1", "--max-tokens", "200"]
    args += ["--blocks", str(BLOCKS)]
    base = [sys.executable, "-m", "speculoos", "measure", "--server", server, "--model", tiny]
    return [*map(str, base), *args, "--out", str(out), "--resume", "--", "-c", "512"]


def _samples(out: Path) -> list[tuple[object, ...]]:
    record = load_measurement(out).record if out.exists() else None
    return [] if record is None else _all(record)


def _all(record: Measurement) -> list[tuple[object, ...]]:
    return [
        (s.block, run.settings.label, s.prompt, s.predicted_ms, s.wall_ms)
        for run in record.runs
        for s in run.samples
    ]


def _wait_for_a_sample(process: subprocess.Popen[bytes], out: Path) -> None:
    before = out.stat().st_mtime_ns if out.exists() else 0
    while process.poll() is None and (not out.exists() or out.stat().st_mtime_ns == before):
        time.sleep(0.01)


def _kill_after(process: subprocess.Popen[bytes], seconds: float) -> list[psutil.Process]:
    time.sleep(seconds)
    servers = []
    if process.poll() is None:
        servers = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    return servers


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_measurement_that_is_killed_again_and_again_is_complete_in_the_end(
    command: list[str], out: Path, tmp_path: Path, environment: dict[str, str]
):
    """Every sample that was saved stays; each prompt is asked once; no server survives."""
    print(f"SPECULOOS_SEED={SEED}")  # noqa: T201 - to repeat a failure
    moments = random.Random(SEED)
    saved: list[tuple[object, ...]] = []
    quiet = {"cwd": tmp_path, "env": environment, "stdout": subprocess.DEVNULL}
    for kill in range(KILLS):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, **quiet) as process:
            if kill % 2:  # on a busy machine most moments would be before the first sample
                _wait_for_a_sample(process, out)
                servers = _kill_after(process, moments.uniform(0, 1))
            else:
                servers = _kill_after(process, moments.uniform(0.5, 4.5))
        _, alive = psutil.wait_procs(servers, timeout=10)
        assert not alive
        now = _samples(out)
        print(f"killed with {len(now)} samples saved, {len(now) - len(saved)} of them new")  # noqa: T201
        assert now[: len(saved)] == saved
        saved = now
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False, **quiet)
    assert done.returncode == 0, done.stderr
    record = load_measurement(out).record
    assert record.design.stopped in {"blocks", "narrow"}
    assert _all(record)[: len(saved)] == saved
    cells = [sample[:3] for sample in _all(record)]
    assert len(cells) == len(set(cells)) == A_BLOCK * len(record.design.order)
    assert errors(out.parent.parent) == []
    assert list(out.parent.glob(".*")) == []


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_a_batch_of_several_slots_that_is_interrupted_is_measured_again(
    server: Path, tiny: Path, out: Path, tmp_path: Path, environment: dict[str, str], sent: int
):
    """Batches that were saved stay; the one in flight is asked anew; no server survives."""
    args = ["--n-max", "2", "--prompts", "cycle-1", "--blocks", "2", "--max-tokens", "800"]
    args += ["--parallel", str(SLOTS), "--out", str(out), "--resume", "--", "-c", "8192"]
    command = [sys.executable, "-m", "speculoos", "measure", "--server", str(server)]
    command += ["--model", str(tiny), *args]
    quiet = {"cwd": tmp_path, "env": environment, "stdout": subprocess.DEVNULL}
    with subprocess.Popen(
        command,
        **quiet,
        stderr=subprocess.PIPE,
        text=True,
        # a shell that runs the tests in the background has them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        _wait_for_a_sample(process, out)
        _wait_for_a_batch(tmp_path / "speculoos-logs" / "block-1-2-*.log")
        servers = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(sent)
        _, said = process.communicate(timeout=30)
    assert process.returncode == (-sent if sent == signal.SIGKILL else 130), said
    assert "Traceback" not in said
    assert not psutil.wait_procs(servers, timeout=10)[1]
    saved = load_measurement(out).record.runs
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False, **quiet)
    record = load_measurement(out).record
    assert record.design.stopped == "blocks", done.stderr
    assert record.runs[: len(saved)] == saved
    assert [len(run.batches) for run in record.runs] == [1, 1, 1, 1]
    assert errors(out.parent.parent) == []


def _wait_for_a_batch(pattern: Path) -> None:
    """Until a server says in its log that a slot works on one of the counted prompts."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        logs = [path.read_text(errors="replace") for path in pattern.parent.glob(pattern.name)]
        if any(log.count("launch_slot_") > SLOTS for log in logs):
            return
        time.sleep(0.01)
    raise AssertionError("no batch has begun")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_faults_before_and_during_a_kill_are_kept_and_not_repeated(
    tiny: Path, out: Path, tmp_path: Path, environment: dict[str, str], cache: Path
):
    """One setting crashed, another hangs, and then the tool is killed: all of it is told after."""
    proxied = behind_a_proxy(llama_server(cache, quantised=False), tmp_path, "hang")
    dead = '*"n-max 3"*) echo "error: it is broken"; exit 7'
    binary = script(tmp_path / "both.sh", f'case "$*" in {dead};; esac', f'exec "{proxied}" "$@"')
    args = ["--n-max", "1-3", "--prompts", "cycle-1", "--max-tokens", "100", "--blocks", "1"]
    command = [sys.executable, "-m", "speculoos", "measure", "--server", binary, "--model", tiny]
    command = [*map(str, command), *args, "--request-timeout", "5", "--out", str(out), "--resume"]
    command += ["--", "-c", "512"]
    quiet = {"cwd": tmp_path, "env": environment, "stdout": subprocess.DEVNULL}
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, **quiet) as process:
        _wait_until(lambda: _seen(out).get("n_max 1") == (None, 1))
        servers = _kill_after(process, 0.5)
    assert not psutil.wait_procs(servers, timeout=10)[1]
    saved = _samples(out)
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False, **quiet)
    assert done.returncode == 0, done.stderr
    record = load_measurement(out).record
    assert record.design.stopped == "blocks"
    assert _all(record)[: len(saved)] == saved
    cells = [sample[:3] for sample in _all(record)]
    assert len(cells) == len(set(cells))
    assert {label: kind for label, (kind, _) in _seen(out).items()} == {
        "baseline": None,
        "n_max 1": "no-answer",
        "n_max 2": None,
        "n_max 3": "crash",
    }
    assert sum(run.incident is not None for run in record.runs) == 2
    assert errors(out.parent.parent) == []


def _seen(out: Path) -> dict[str, tuple[str | None, int]]:
    """Of every setting in the file: the incident of its last start, and its samples there."""
    runs = load_measurement(out).record.runs if out.exists() else ()
    kinds = ((run, run.incident.kind if run.incident else None) for run in runs)
    return {run.settings.label: (kind, len(run.samples)) for run, kind in kinds}


def _wait_until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen in a minute")
