"""The rules: one fault each, and the line and words that name it."""

from collections.abc import Callable
from pathlib import Path

import pytest

import factories
from factories import BASELINE, mtp
from speculoos.record.checks import RULES
from speculoos.record.problem import Problem
from speculoos.record.types import Incident, Measurement, Server


def _problems(root: Path, record: Measurement, name: str = "2026-11-29-test.yaml") -> list[Problem]:
    factories.written(root, record, name)
    return factories.found(root)


def test_a_valid_record_has_no_problem(tmp_path: Path):
    """The factories make a record that passes every rule."""
    assert _problems(tmp_path / "measurements", factories.measurement()) == []


def _pair(**changes: object) -> Measurement:
    return factories.measurement(
        factories.run(BASELINE, factories.sample()),
        factories.run(mtp(2), factories.drafted(**changes)),
    )


FAULTS: dict[str, tuple[Measurement, str]] = {
    "accepted more than drafted": (
        _pair(draft_n=4, draft_n_accepted=5),
        "runs[1].samples[0].draft_n_accepted",
    ),
    "positions grow": (_pair(accepted_per_position=(2, 3)), "accepted_per_position"),
    "no baseline": (factories.measurement(factories.run(mtp(2), factories.drafted())), "runs"),
    "nothing drafted": (
        factories.measurement(
            factories.run(BASELINE, factories.sample()), factories.run(mtp(2), factories.sample())
        ),
        "runs[1]",
    ),
    "baseline that drafts": (
        factories.measurement(
            factories.run(BASELINE, factories.drafted()), factories.run(mtp(2), factories.drafted())
        ),
        "runs[0].samples[0].draft_n",
    ),
    "passes that do not add up": (_pair(decodes=7), "runs[1].samples[0].decodes"),
    "too many tokens": (_pair(predicted_n=12, decodes=7), "runs[1].samples[0].predicted_n"),
    "unknown prompt": (_pair(prompt="three"), "runs[1].samples[0].prompt"),
    "another machine": (
        factories.measurement(machine=factories.MachineState(id="other")),
        "machine.id",
    ),
    "another order": (
        factories.measurement(
            design=factories.design(factories.measurement().runs).model_copy(
                update={"order": (("n_max 2", "baseline"),)}
            )
        ),
        "runs[0].settings",
    ),
    "a prompt asked twice": (
        factories.measurement(
            factories.run(BASELINE, factories.sample()),
            factories.run(mtp(2), factories.drafted()),
            factories.run(mtp(2), factories.drafted()),
        ),
        "runs[2].samples[0].prompt",
    ),
    "no build": (factories.measurement(build=None), "build"),
    "a path": (factories.measurement(server=Server(args=("-m", "/home/ann/x.gguf"))), "server"),
    "a key": (factories.measurement(server=Server(args=("--api-key", "x"))), "server.args[0]"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_key_and_line(tmp_path: Path, fault: str):
    """Every fault gives at least one error at its key, in a line that exists."""
    record, key = FAULTS[fault]
    path = factories.written(tmp_path / "measurements", record)
    found = [p for p in factories.found(path) if p.severity == "error"]
    assert [p for p in found if p.key.startswith(key) or key in p.key], found
    assert all(0 < p.line <= len(path.read_text().splitlines()) for p in found)


def test_all_problems_of_a_file_come_at_once_and_sorted(tmp_path: Path):
    """Two faults, two lines, in the order of the file."""
    record = _pair(draft_n=4, prompt="three").model_copy(update={"build": None})
    found = _problems(tmp_path / "measurements", record)
    assert len(found) >= 3
    assert [p.line for p in found] == sorted(p.line for p in found)


@pytest.mark.parametrize(
    "name", ["2026-11-30-test.yaml", "test.yaml", "2026-11-29-Test.yaml", "2026-11-29_test.yaml"]
)
def test_a_name_that_contradicts_the_content_is_an_error(tmp_path: Path, name: str):
    """The path is an address: date and slug."""
    assert _problems(tmp_path / "measurements", factories.measurement(), name)


def test_an_edited_prompt_set_is_an_error(tmp_path: Path):
    """A set is never edited: its hash stands in the record."""
    root = tmp_path / "measurements"
    path = factories.written(root, factories.measurement())
    prompts = root / "prompts" / "test-1.yaml"
    prompts.write_text(prompts.read_text().replace("text: two", "text: deux"))
    assert [p.key for p in factories.found(path)] == ["request.prompt_set_sha256"]


def test_a_missing_machine_file_is_an_error(tmp_path: Path):
    """The folder's machine must be described."""
    root = tmp_path / "measurements"
    path = factories.written(root, factories.measurement())
    (root / "rig" / "machine.yaml").unlink()
    assert [p.key for p in factories.found(path)] == ["machine.id"]


def test_an_ngram_that_finds_nothing_is_only_a_warning(tmp_path: Path):
    """A text that repeats nothing is a result, not a fault."""
    ngram = factories.Settings(spec_type="ngram-simple", n_max=16)
    record = factories.measurement(
        factories.run(BASELINE, factories.sample()),
        factories.run(ngram, factories.sample(wall_ms=121.0)),
    )
    found = _problems(tmp_path / "measurements", record)
    assert [p.severity for p in found] == ["warning"]


def test_a_crash_is_no_problem(tmp_path: Path):
    """An incident is a result: the file is valid."""
    crash = Incident(kind="crash", signal="SIGABRT", line="GGML_ASSERT(x)", after_samples=0)
    record = factories.measurement(
        factories.run(BASELINE, factories.sample()), factories.run(mtp(3), incident=crash)
    )
    assert _problems(tmp_path / "measurements", record) == []


def test_a_broken_file_does_not_hide_the_next_one(tmp_path: Path):
    """Problems of all files, sorted by path."""
    root = tmp_path / "measurements"
    factories.written(root, factories.measurement())
    (root / "rig" / "2026-11-29-bad.yaml").write_text("format: 1\nkind: measred\n")
    (root / "rig" / "2026-11-29-worse.yaml").write_text("a: [\n")
    found = factories.found(root)
    assert {Path(p.path).name for p in found} == {"2026-11-29-bad.yaml", "2026-11-29-worse.yaml"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_says_what_it_demands(rule: Callable[..., object]):
    """One sentence, for the page that lists the rules."""
    assert rule.description.endswith(".")
    assert len({r.name for r in RULES}) == len(RULES)
