"""What a stranger breaks: one good file, one slip each; found, in its line, with its remedy."""

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from record import good_file
from speculoos.record.checks import check_paths
from speculoos.record.problem import Problem

ROOT = Path(__file__).parents[2]
TODAY = dt.date(2026, 11, 30)
SLIPS_FILE = Path(__file__).parents[1] / "data" / "record" / "slips.yaml"
SLIPS = {slip["name"]: slip for slip in yaml.safe_load(SLIPS_FILE.read_text(encoding="utf-8"))}


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A file that has no problem."""
    return good_file.write(tmp_path / "measurements")


def _found(path: Path) -> list[Problem]:
    return check_paths([path.parent.parent], today=TODAY)


def _line(text: str, part: str) -> int:
    return text.count("\n", 0, text.index(part)) + 1


def test_the_file_that_is_broken_is_good(good: Path):
    """Else its slips would hide behind each other."""
    assert _found(good) == []


def test_there_are_enough_slips():
    """What people get wrong has many forms."""
    assert len(SLIPS) > 70


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_found_in_its_line_with_its_remedy(good: Path, name: str):
    """An error in the line of the slip says what is there and, behind a semicolon, what to do."""
    slip: dict[str, Any] = SLIPS[name]
    text = good.read_text(encoding="utf-8")
    assert slip["old"] in text
    broken = text.replace(slip["old"], slip["new"], 1)
    good.write_text(broken, encoding="utf-8")
    line = _line(broken, slip["line_of"]) if "line_of" in slip else _line(text, slip["old"])
    found = _found(good)
    right = [p for p in found if p.line == line and slip["words"] in p.message]
    assert [p for p in right if p.severity == "error"], [str(p) for p in found]
    assert all(re.search(r"[;?] ?\S", p.message) for p in found), [str(p) for p in found]


def _without_baseline(text: str) -> str:
    return text.replace("spec_type: none}\n  ready_ms", "spec_type: draft-x, n_max: 9}\n  ready_ms")


def test_a_file_without_a_baseline_is_told_where_it_lacks(good: Path):
    """In the line of the runs."""
    text = _without_baseline(good.read_text(encoding="utf-8"))
    good.write_text(text, encoding="utf-8")
    (problem,) = [p for p in _found(good) if p.rule == "baseline"]
    assert problem.line == _line(text, "\nruns:") + 1


def test_a_copied_row_is_told_with_the_line_of_the_first(good: Path):
    """The row of the first block, with another block's number."""
    text = good.read_text(encoding="utf-8")
    rows = [row for row in text.splitlines() if row.startswith("  - {prompt: one")]
    copy = rows[0].replace("block: 1", "block: 2")
    good.write_text(text.replace(rows[3], copy), encoding="utf-8")
    (problem,) = [p for p in _found(good) if p.rule == "duplicates"]
    assert problem.line == _line(text, rows[3])
    assert f"line {_line(text, rows[0])}" in problem.message


def test_the_same_measurement_in_two_files_is_told(good: Path):
    """Under another name it is no second measurement."""
    other = good.with_name("2026-11-29-zopy.yaml")
    other.write_text(good.read_text(encoding="utf-8"), encoding="utf-8")
    (problem,) = _found(good)
    assert problem.path.endswith(other.name)
    assert "stand in rig/2026-11-29-test.yaml" in problem.message


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("memory_mib: 8192", "memory_mib: 8", "memory_mib"),
        ("memory_mib: 8192", "memory_mib: 8589934592", "memory_mib"),
        ("cores: 2, threads: 2", "cores: 4, threads: 2", "cpu.cores"),
        ("os: Test OS 1", "os: Test OS 1\ngpus:\n- {name: A card, vram_mib: 24}",
         "gpus[0].vram_mib"),
        ("os: Test OS 1", "os: Test OS 1\ngpus:\n- {name: A card, power_limit_w: 350000}",
         "gpus[0].power_limit_w"),
        ("os: Test OS 1", "os: /home/ann/os", "os"),
    ],
)  # fmt: skip
def test_a_machine_that_cannot_be_is_told(good: Path, old: str, new: str, key: str):
    """Units mistaken, cores and threads swapped, private things."""
    machine = good.with_name("machine.yaml")
    text = machine.read_text(encoding="utf-8")
    assert old in text
    machine.write_text(text.replace(old, new), encoding="utf-8")
    assert (str(machine), key) in [(p.path, p.key) for p in _found(good)]


def test_a_file_that_cannot_be_read_has_no_exception(good: Path):
    """Its problem stays, and the exception is one itself."""
    good.write_text("format: 2\n", encoding="utf-8")
    entry = f"{{rule: form, file: rig/{good.name}, reason: We like it so.}}"
    listed = good.parents[1] / "exceptions.yaml"
    listed.write_text(f"format: 1\nexceptions: [{entry}]\n", encoding="utf-8")
    found = _found(good)
    assert {problem.path for problem in found} == {str(good), str(listed)}
    assert "knows no exception" in str(found)


def test_the_claims_of_a_source_stand_once(good: Path):
    """The same ones in a second file are told there."""
    text = (ROOT / "measurements/reported/qwen38-mtp-costs.yaml").read_text(encoding="utf-8")
    folder = good.parents[1] / "reported"
    folder.mkdir()
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text(text, encoding="utf-8")
    (problem,) = _found(good)
    assert (problem.path, problem.key) == (str(folder / "b.yaml"), "claims")
    assert "reported/a.yaml" in problem.message


def test_the_kernel_of_windows_is_no_address(good: Path):
    """WSL calls its Linux by four numbers."""
    text = good.read_text(encoding="utf-8")
    kernel = "kernel: 5.15.153.1-microsoft-standard-WSL2"
    good.write_text(text.replace("kernel: 6.1.0-28-amd64", kernel), encoding="utf-8")
    assert kernel in good.read_text(encoding="utf-8")
    assert _found(good) == []


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("others_cpu_ms: 50.0", "others_cpu_ms: 900.0", "quiet"),
        ("throttled: 0", "throttled: 3", "quiet"),
        ("busy_before: 0.05", "busy_before: 0.5", "quiet"),
        ("finish: limit", "finish: eos", "ends"),
        ("predicted_ms: 100.25", "predicted_ms: 60.25", "spread"),
        ("wall_ms: 120.5", "wall_ms: 9000.5", "times"),
        ("size_bytes: 148846688", "size_bytes: 90000000000", "rates"),
    ],
)
def test_what_makes_a_figure_doubtful_is_a_warning(good: Path, old: str, new: str, rule: str):
    """It does not block: a reader is told."""
    text = good.read_text(encoding="utf-8")
    assert old in text
    good.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert [p for p in _found(good) if p.rule == rule and p.severity == "warning"]
    assert [p for p in _found(good) if p.rule == rule and p.severity == "error"] == []
