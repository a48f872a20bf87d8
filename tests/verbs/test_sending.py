"""The last lines of a measurement: what to type for the result to reach the site."""

import subprocess
from pathlib import Path

import factories
from speculoos.verbs.sending import way_to_the_site

TWO = {factories.BASELINE: [10.0, 10.1], factories.mtp(1): [8.0, 8.1]}


def _result(root: Path) -> Path:
    factories.written(root / "measurements", factories.measurement(*factories.blocks(TWO)))
    (path,) = root.glob("measurements/*/2*.yaml")
    return path


def test_in_a_clone_the_commands_make_a_branch_with_the_result(tmp_path: Path):
    """They run as they are printed; the last one needs the person's own remote."""
    path = _result(tmp_path)
    for words in (["init", "-q", "-b", "main"], ["config", "user.name", "a"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    subprocess.run(["git", "config", "user.email", "a@example.org"], cwd=tmp_path, check=True)
    lines = list(way_to_the_site(path))
    commands = [line for line in lines if line.startswith("  git ") and "push" not in line]
    for command in commands:
        line = command.replace(str(tmp_path) + "/", "")
        subprocess.run(line, shell=True, cwd=tmp_path, check=True, capture_output=True)
    shown = ["git", "show", "--stat", "--name-only", "--format=%D", "HEAD"]
    said = subprocess.run(shown, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert f"HEAD -> {path.stem}" in said
    assert path.relative_to(tmp_path).as_posix() in said


def test_without_git_the_way_is_an_issue(tmp_path: Path):
    """Two files to paste."""
    (said, form) = way_to_the_site(_result(tmp_path))
    assert "machine.yaml" in said
    assert "without git" in form


def test_a_file_that_lies_elsewhere_is_nobody_elses(tmp_path: Path):
    """Somebody who names another place keeps the result."""
    assert list(way_to_the_site(tmp_path / "mine.yaml")) == []
