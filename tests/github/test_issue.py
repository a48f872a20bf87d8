"""A measurement pasted into an issue: what the answer says, and what is written where."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "measurement_from_issue.py"
MACHINE = "measurements/rig/machine.yaml"


@pytest.fixture(scope="module")
def example():
    """The commented example of the contributors' guide."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1]


@pytest.fixture(scope="module")
def machine():
    """A machine's file."""
    return (
        "format: 1\nid: rig\nlabel: {fr: Essai, en: Rig}\n"
        "cpu: {name: AMD Ryzen 5 5600X, cores: 6, threads: 12}\nmemory_mib: 32000\nos: Linux 6.1\n"
    )


@pytest.fixture
def ask(tmp_path):
    """The answer to an issue, in a clone that has the prompt sets."""
    prompts = ROOT / "measurements" / "prompts"
    (tmp_path / "measurements").mkdir()
    subprocess.run(["cp", "-R", prompts, tmp_path / "measurements"], check=True)

    def asked(body):
        done = subprocess.run(
            [sys.executable, SCRIPT],
            cwd=tmp_path,
            input=body,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return asked


def _issue(measurement, machine="", end="\n"):
    fields = [("Measurement", measurement), ("Machine", machine)]
    parts = [
        f"### {name}\n\n" + (f"```yaml\n{text}```" if text else "_No response_")
        for name, text in fields
    ]
    return "\n\n".join(parts).replace("\n", end)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_good_measurement_is_put_where_it_belongs(ask, tmp_path, example, machine, end):
    """The paths come from its own words; the host's line ends do not matter."""
    said = ask(_issue(example, machine, end))
    assert "Read as measurements/rig/2026-11-29-model.yaml" in said
    assert "All is well" in said, said
    assert (tmp_path / "measurements/rig/2026-11-29-model.yaml").read_text() == example
    assert (tmp_path / MACHINE).read_text() == machine


def test_an_error_is_told_with_its_line(ask, tmp_path, example, machine):
    """As `speculoos check` would say it; the issue can be edited."""
    said = ask(_issue(example.replace("draft_n_accepted: 36", "draft_n_accepted: 70"), machine))
    assert re.search(r"error: measurements/rig/2026-11-29-model\.yaml:\d+: runs\[0\]", said), said
    assert "edit the issue" in said


def test_a_text_that_is_no_measurement_is_told_by_its_field(ask, tmp_path):
    """Nothing is written."""
    said = ask(_issue("a: 1\n"))
    assert "error: measurement.yaml:1: a" in said
    assert not (tmp_path / "measurements" / "rig").exists()


def test_an_empty_field_is_told_in_both_languages(ask):
    """The form was sent without its file."""
    said = ask(_issue(""))
    assert "is empty" in said
    assert "est vide" in said


def test_a_merged_file_is_never_written_over(ask, tmp_path, example, machine):
    """Nor is the machine's."""
    ask(_issue(example, machine))
    said = ask(
        _issue(
            example.replace("contributor: ann", "contributor: zed"),
            machine.replace("Essai", "Autre"),
        )
    )
    assert "exists already" in said
    assert "zed" not in (tmp_path / "measurements/rig/2026-11-29-model.yaml").read_text()
    assert (tmp_path / MACHINE).read_text() == machine


@pytest.mark.parametrize("name", ["../../etc", "a/b", "..", "/tmp/x", "Rig", "-x"])
def test_a_machine_that_would_leave_the_folder_is_refused(ask, tmp_path, example, name):
    """Before anything is written."""
    said = ask(_issue(example.replace("id: rig ", f"id: {name} ")))
    assert "error: measurement.yaml" in said
    assert {p.name for p in (tmp_path / "measurements").iterdir()} == {"prompts"}


def test_a_hostile_file_name_of_the_model_becomes_a_plain_word(ask, tmp_path, example, machine):
    """The name of the file is made of letters, digits and hyphens."""
    ask(_issue(example.replace("file: model.gguf ", "file: 'Ev%$l..x.gguf' "), machine))
    names = [path.name for path in (tmp_path / "measurements/rig").iterdir()]
    assert all(re.fullmatch(r"[a-z0-9.-]+", name) for name in names)
