"""The examples for many machines, run as a scheduler would run them, with a real server."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from speculoos.parts.servers import llama_server
from speculoos.parts.tiny_model import Acceptance, TinyModel

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "assets" / "fleet"
SWEEP = ("--n-max", "1", "--blocks", "1", "--max-tokens", "24", "--prompts", "cycle-1")
SERVER = ("--", "-c", "512", "-t", "1")


@pytest.fixture(scope="session")
def parts(cache, tmp_path_factory):
    """A server and a model, as the operator of a fleet names them."""
    model = TinyModel(Acceptance.by_step([0.8, 0.6]), "qwen35")
    path = model.write(tmp_path_factory.mktemp("models") / "Tiny Model.gguf")
    return {"SERVER": str(llama_server(cache, quantised=False).path), "MODEL": str(path)}


@pytest.fixture
def job(parts, tmp_path):
    """Environment and working folder of one job; `speculoos` is on its PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    mine = {"PATH": path, "MACHINE": "bench-a", "RESULTS": str(tmp_path / "results")}
    return {**os.environ, **parts, **mine}


def _measure(job, *options):
    command = ["sh", FOLDER / "measure.sh", *(options or (*SWEEP, *SERVER))]
    return subprocess.run(
        command, env=job, capture_output=True, text=True, timeout=120, check=False
    )


def _results(job):
    return sorted(Path(job["RESULTS"]).glob("measurements/bench-a/????-*.yaml"))


def test_a_job_measures_into_the_folder_that_stays(job):
    """A second start of the same job leaves a complete result as it is."""
    first = _measure(job)
    assert first.returncode == 0, first.stderr
    (path,) = _results(job)
    assert path.name.endswith("-tiny-model.yaml")
    before = path.read_bytes()
    again = _measure(job)
    assert again.returncode == 0, again.stderr
    assert "Complete already" in again.stdout
    assert path.read_bytes() == before


def test_a_job_that_was_stopped_goes_on_where_it_was(job):
    """The scheduler starts it again, without another option."""
    long = (
        "--n-max",
        "1-4",
        "--blocks",
        "4",
        "--max-tokens",
        "400",
        "--prompts",
        "cycle-1",
        "--grid",
    )
    options = (*long, "--", "-c", "2048", "-t", "1")
    command = ["sh", FOLDER / "measure.sh", *options]
    with subprocess.Popen(command, env=job, stdout=subprocess.DEVNULL) as started:
        _until(lambda: any(b"predicted_n" in path.read_bytes() for path in _results(job)))
        started.send_signal(signal.SIGTERM)
        assert started.wait(30) == 130
    (path,) = _results(job)
    assert "stopped: interrupted" in path.read_text()
    again = _measure(job, *options)
    assert "Resuming" in again.stdout
    assert _results(job) == [path]
    assert "stopped: interrupted" not in path.read_text()


def _until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


@pytest.mark.parametrize("name", ["SERVER", "MODEL", "MACHINE", "RESULTS"])
def test_what_is_missing_is_named(job, name):
    """Before anything is started."""
    del job[name]
    done = _measure(job)
    assert done.returncode != 0
    assert name in done.stderr


@pytest.fixture
def clone(tmp_path):
    """A clone of a repository with measurements, and the repository that it pushes to."""
    origin, here = tmp_path / "origin.git", tmp_path / "clone"
    subprocess.run(["git", "init", "-q", "--bare", origin], check=True)
    subprocess.run(["git", "init", "-q", "-b", "main", here], check=True)
    shutil.copytree(ROOT / "measurements" / "prompts", here / "measurements" / "prompts")
    for words in (
        ("config", "user.name", "a"),
        ("config", "user.email", "a@example.org"),
        ("remote", "add", "origin", origin),
        ("add", "."),
        ("commit", "-qm", "start"),
    ):
        subprocess.run(["git", *words], cwd=here, check=True)
    return here


def test_results_become_one_branch_with_what_is_finished(job, clone, tmp_path):
    """Checked first; what was interrupted stays out."""
    assert _measure(job).returncode == 0
    (done,) = _results(job)
    open_ = done.with_name(done.name.replace("tiny", "open"))
    open_.write_text(done.read_text().replace("stopped: blocks", "stopped: interrupted"))
    job["PATH"] = os.pathsep.join(
        p for p in job["PATH"].split(os.pathsep) if not (Path(p) / "gh").exists()
    )
    said = subprocess.run(
        ["sh", FOLDER / "collect.sh", job["RESULTS"]],
        cwd=clone,
        env=job,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr
    assert "not finished" in said.stdout
    assert "open a pull request" in said.stdout
    pushed = _git(
        clone, "ls-tree", "-r", "--name-only", "origin/" + _git(clone, "branch", "--show-current")
    )
    new = [name for name in pushed.splitlines() if "/bench-a/" in name]
    assert new == [f"measurements/bench-a/{done.name}", "measurements/bench-a/machine.yaml"]


def _git(clone, *words):
    done = subprocess.run(["git", *words], cwd=clone, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_slurm_array_picks_its_model_and_saves_before_its_limit(job, tmp_path):
    """The signal before the time limit reaches the measurement; its exit code is the task's."""
    models = tmp_path / "models.txt"
    models.write_text(f"/not/this.gguf\n{job.pop('MODEL')}\n")
    script = (FOLDER / "speculoos.sbatch").read_text()
    assert "--budget 110m -- -ngl 99" in script
    small = "--n-max 1-4 --blocks 8 --max-tokens 400 --prompts cycle-1 --grid -- -c 2048 -t 1"
    path = tmp_path / "task.sbatch"
    path.write_text(script.replace("--budget 110m -- -ngl 99", small))
    own = {"MODELS": str(models), "SLURM_ARRAY_TASK_ID": "1", "MEASURE": str(FOLDER / "measure.sh")}
    with subprocess.Popen(["sh", path], env={**job, **own}) as task:
        _until(lambda: any(b"predicted_n" in each.read_bytes() for each in _results(job)))
        task.send_signal(signal.SIGTERM)
        assert task.wait(30) == 130
    (saved,) = _results(job)
    assert "stopped: interrupted" in saved.read_text()


def test_the_slurm_options_are_options_of_sbatch():
    """Every directive is one that its manual names."""
    known = {
        "job-name",
        "array",
        "nodes",
        "exclusive",
        "time",
        "signal",
        "requeue",
        "open-mode",
        "output",
    }
    lines = (FOLDER / "speculoos.sbatch").read_text().splitlines()
    given = {
        line.removeprefix("#SBATCH --").split("=")[0]
        for line in lines
        if line.startswith("#SBATCH")
    }
    assert given == known


@pytest.mark.parametrize("document", [0, 1])
def test_the_kubernetes_files_are_valid(document):
    """Strictly, for a version that knows every field."""
    documents = list(yaml.safe_load_all((FOLDER / "job.yaml").read_text()))
    kubernetes_validate.validate(documents[document], "1.33", strict=True)
