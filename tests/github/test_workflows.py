"""What runs on the host of the repository: checked by the linters, and by a reviewer's rules."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github" / "workflows"
FILES = sorted(FOLDER.glob("*.yml"))
BIN = Path(sys.executable).parent


def _run(*command):
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def _workflow(path):
    # YAML 1.1 reads the key `on` as true
    return {str(key): value for key, value in yaml.safe_load(path.read_text()).items()}


def test_actionlint_finds_nothing():
    """Syntax, expressions, shell of every workflow."""
    code, said = _run(BIN / "actionlint", *FILES)
    assert code == 0, said


def test_zizmor_finds_nothing():
    """What an attacker would look for; exceptions carry their reason in the file."""
    code, said = _run(BIN / "zizmor", "--offline", "--no-progress", ".github")
    assert code == 0, said


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_action_is_pinned_with_its_version_beside(path):
    """A commit cannot be moved, and a person can still read which version it is."""
    used = re.findall(r"uses: (\S+)(.*)", path.read_text())
    for action, rest in used:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", rest), action


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_workflow_gives_all_jobs_a_right_to_write(path):
    """A right to write is given to the one job that needs it."""
    assert _workflow(path)["permissions"] in ({}, {"contents": "read"})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_a_pull_request_runs_holds_no_secret_and_writes_nothing(path):
    """Its code is a stranger's: hooks and requirements run with the site's build."""
    workflow = _workflow(path)
    if "pull_request" not in (workflow["True"] or {}):
        return
    text = path.read_text()
    assert "secrets." not in text
    assert "pull_request_target" not in text
    for job in workflow["jobs"].values():
        assert "environment" not in job
        assert all(right == "read" for right in job.get("permissions", {}).values())


def test_the_workflow_that_deploys_a_preview_runs_nothing_of_it():
    """No checkout, no interpreter on its files: they are copied and quoted."""
    workflow = _workflow(FOLDER / "preview-deploy.yml")
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    assert not [step for step in steps if "actions/checkout" in step.get("uses", "")]
    shell = " ".join(step.get("run", "") for step in steps)
    assert not re.search(r"\b(python|pip|node|npm|sh|bash|make) ", shell)


def test_only_the_step_that_copies_a_preview_holds_its_token():
    """The steps before and after it could not use it."""
    jobs = _workflow(FOLDER / "preview-deploy.yml")["jobs"]
    holders = [
        step["uses"].split("@")[0]
        for job in jobs.values()
        for step in job["steps"]
        if "secrets." in str(step)
    ]
    assert holders == ["cloudflare/wrangler-action"]
    assert jobs["deploy"]["environment"] == "preview"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_shell_line_holds_an_expression_of_a_stranger(path):
    """Text from outside reaches a shell as a variable, never as code."""
    for job in _workflow(path)["jobs"].values():
        for step in job["steps"]:
            assert "${{" not in step.get("run", "")
            assert "${{" not in str(step.get("with", {}).get("script", ""))
