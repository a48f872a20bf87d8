"""`speculoos check` as a person and a pull request use it."""

import json
import subprocess
from pathlib import Path

import pytest

from record import good_file
from speculoos.publish.rules import FRENCH
from speculoos.record.checks import RULES


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A good file in the folder that the command runs in, accepted on main."""
    path = good_file.write(tmp_path / "measurements")
    _git(tmp_path, "init", "-q", "-b", "main")
    _commit(tmp_path)
    return path


def _git(folder: Path, *args: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *who, *args], cwd=folder, check=True)


def _commit(folder: Path) -> None:
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "x")


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_merged_file_may_only_be_withdrawn(speculoos, good: Path):
    """A figure that changes is an error in its line, a withdrawal is none."""
    assert speculoos("check").returncode == 0
    _replace(good, "contributor: tester", "contributor: tester\nwithdrawn: {fr: faux, en: wrong}")
    assert speculoos("check").returncode == 0
    _replace(good, "wall_ms: 120.5", "wall_ms: 119.5")
    done = speculoos("check")
    assert done.returncode == 1
    assert "was 120.5 in main; a merged file does not change" in done.stdout


def test_a_merged_file_or_prompt_set_may_not_go_or_change(speculoos, good: Path):
    """Each with its path."""
    good.unlink()
    _replace(good.parents[1] / "prompts" / "test-1.yaml", "text: two", "text: deux")
    out = speculoos("check").stdout
    assert "rig/2026-11-29-test.yaml: is in main and gone here" in out
    assert "prompts/test-1.yaml: is not what main has" in out


def test_a_base_that_is_not_there_is_told(speculoos, good: Path):
    """It is never taken for `nothing changed`."""
    done = speculoos("check", "--base", "nowhere")
    assert done.returncode == 1
    assert "'nowhere' is no commit" in done.stderr


def test_an_exception_hides_its_problem_and_nothing_else(speculoos, good: Path):
    """With a reason; when nothing is left to hide, the exception itself is the error."""
    entry = (
        "format: 1\nexceptions:\n- {rule: described, file: rig/machine.yaml, reason: An old one.}\n"
    )
    listed = good.parents[1] / "exceptions.yaml"
    listed.write_text(entry)
    assert "no problem of 'described' is left there" in speculoos("check").stdout
    _replace(good.with_name("machine.yaml"), "memory_mib: 8192", "memory_mib: 255")
    assert "described" not in speculoos("check", "--format", "json").stdout
    listed.write_text(entry.replace("described", "descriped"))
    assert "did you mean 'described'?" in speculoos("check").stdout


def test_annotations_cannot_be_forged(speculoos, good: Path):
    """What a file or its name holds ends no line and starts no command of the workflow."""
    bad = good.with_name("2026-11-29-a,b:c%.yaml")
    bad.write_bytes(b'kind: "%0A::error::x"\n')
    lines = speculoos("check", "--format", "github").stdout.splitlines()
    assert lines
    assert all(line.startswith("::error file=measurements/rig/2026-11-29-a%2Cb%3Ac%25.yaml,line=")
               for line in lines)  # fmt: skip
    assert any("%250A" in line for line in lines)


def test_the_same_problems_are_there_for_programs(speculoos, good: Path):
    """Path, line, key, message, severity, rule; line 100 stays a number in the text."""
    good.write_text("#\n" * 99 + good.read_text(encoding="utf-8").replace("format: 1", "format: 2"))
    (problem,) = json.loads(speculoos("check", "--format", "json", good).stdout)
    assert (problem["line"], problem["key"], problem["rule"]) == (100, "format", "form")
    assert f"{good}:100: format" in speculoos("check", good).stdout


def test_every_rule_is_listed_in_both_languages(speculoos):
    """`--list` names them; the page of the protocol has them in French too."""
    out = speculoos("check", "--list").stdout
    assert all(rule.name in out and rule.description in out for rule in RULES)
    assert set(FRENCH) == {rule.name for rule in RULES}


def test_no_folder_is_wrong_usage(speculoos):
    """Nothing to check is not the same as nothing wrong."""
    done = speculoos("check")
    assert done.returncode == 2
    assert "no folder measurements/" in done.stderr
