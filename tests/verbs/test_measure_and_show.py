"""From the command line to the file, and back to people and programs."""

import json
from pathlib import Path

import pytest

import factories
from speculoos.measure.run import today


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection with one valid record."""
    root = tmp_path_factory.mktemp("shown") / "measurements"
    rates = {factories.BASELINE: [10.0, 10.1], factories.mtp(1): [8.0, 8.1]}
    rates[factories.mtp(2)] = [15.0, 15.2]
    factories.written(root, factories.measurement(*factories.blocks(rates)))
    return root


def test_a_measurement_ends_with_table_verdict_and_file(speculoos, server, tiny, tmp_path: Path):
    """The whole way of a person: measure, see, check."""
    args = ("--n-max", "1,3", "--prompts", "cycle-1", "--blocks", "1", "--max-tokens", "24")
    done = speculoos("measure", "--model", tiny, *args, "--", "-c", "512", LLAMA_SERVER=str(server))
    assert done.returncode == 0, done.stderr
    assert "n_max 3" in done.stdout
    assert "Undecided" in done.stdout
    (file,) = tmp_path.glob("measurements/*/*-tiny-draft-mtp.yaml")
    assert f"Saved: {file.relative_to(tmp_path)}" in done.stdout
    assert (file.parent / "machine.yaml").exists()
    assert "\x1b[" not in done.stdout


def test_the_folder_of_a_measurement_is_complete_and_valid(
    speculoos, server: Path, tiny: Path, tmp_path: Path
):
    """Machine and prompt set are put beside it: `speculoos check` has nothing to say."""
    out = tmp_path / "elsewhere" / "measurements" / "my-rig" / f"{today()}-tiny.yaml"
    args = ("--n-max", "2", "--prompts", "cycle-1", "--blocks", "1", "--max-tokens", "8")
    done = speculoos(
        "measure", "--server", server, "--model", tiny, *args, "--out", out, "--", "-c", "512"
    )
    assert done.returncode == 0, done.stderr
    assert "s left" in done.stdout
    assert (out.parent / "machine.yaml").exists()
    assert speculoos("check", out.parent.parent).returncode == 0
    assert not (tmp_path / "measurements").exists()


def test_the_stored_command_names_no_folder(speculoos, server, tiny, tmp_path: Path):
    """Paths are reduced to names."""
    args = ("--n-max", "1", "--prompts", "cycle-1", "--blocks", "1", "--max-tokens", "8")
    speculoos("measure", "--server", server, "--model", tiny, *args, "--", "-c", "512")
    (file,) = tmp_path.glob("measurements/*/2*.yaml")
    assert "command: speculoos measure --server llama-server --model tiny.gguf" in file.read_text()


def test_nothing_to_resume_is_told(speculoos, server: Path, tiny: Path):
    """There is no file of today like it."""
    base = ("measure", "--server", server, "--model", tiny, "--n-max", "1", "--resume")
    done = speculoos(*base, "--prompts", "cycle-1")
    assert done.returncode == 1
    assert "holds no measurement of today like this one" in done.stderr


def test_a_change_is_told_when_resuming(speculoos, server: Path, tiny: Path, tmp_path: Path):
    """Exit 1, the file and one line for each difference."""
    base = ("measure", "--server", server, "--model", tiny, "--n-max", "1", "--prompts", "cycle-1")
    few = ("--blocks", "1", "--out", "a.yaml")
    speculoos(*base, *few, "--max-tokens", "8", "--", "-c", "512")
    done = speculoos(*base, *few, "--max-tokens", "9", "--resume", "--", "-c", "256")
    assert done.returncode == 1
    assert "a.yaml: request.max_tokens: 8 in the file, 9 now" in done.stderr
    assert "a.yaml: server.args: " in done.stderr
    assert "Traceback" not in done.stderr


def test_show_prints_the_verdict(speculoos, folder: Path):
    """A table and a sentence."""
    done = speculoos("show", folder / "rig" / "2026-11-29-test.yaml")
    assert done.returncode == 0
    assert "Use it with n_max 2" in done.stdout
    assert "baseline" in done.stdout


def test_show_json_has_the_keys_of_its_contract(speculoos, folder: Path):
    """Baseline, points, recommendation, warnings."""
    done = speculoos("show", folder / "rig" / "2026-11-29-test.yaml", "--json")
    data = json.loads(done.stdout)
    assert set(data) >= {"baseline", "points", "recommendation", "warnings"}
    assert set(data["points"][1]) >= {
        "n_max",
        "tokens_per_second",
        "speedup",
        "speedup_low",
        "speedup_high",
        "acceptance_rate",
        "mean_acceptance_length",
        "step_cost",
        "samples",
        "incident",
    }
    assert data["points"][1]["speedup"] == pytest.approx(1.5, abs=0.01)
    assert (data["recommendation"]["verdict"], data["recommendation"]["n_max"]) == ("use", 2)
    assert data["baseline"]["speedup"] is None


def test_show_json_tells_what_the_interval_rests_on(speculoos, folder: Path):
    """Blocks, what ended it, all that cannot be told from the best, and the wider interval."""
    data = json.loads(speculoos("show", folder / "rig" / "2026-11-29-test.yaml", "--json").stdout)
    assert (data["blocks"], data["stopped"]) == (2, None)
    assert data["recommendation"]["equals"] == [2]
    assert data["points"][1]["explored_only"] is False
    assert data["points"][1]["speedup_low_such_prompts"] is None


def test_the_time_is_told_before_anything_is_measured(speculoos, server: Path, tiny: Path):
    """An upper limit, and where it comes from; at the end, what stopped it."""
    args = ("--n-max", "1", "--prompts", "cycle-1", "--blocks", "1", "--max-tokens", "8")
    done = speculoos("measure", "--server", server, "--model", tiny, *args, "--", "-c", "512")
    assert "At most about" in done.stdout
    assert "one start of the baseline took" in done.stdout
    assert "Stopped: all blocks are measured." in done.stdout


def test_a_quick_measurement_gives_an_interval(speculoos, server: Path, tiny: Path, tmp_path: Path):
    """Few prompts and blocks, but at least two of them."""
    args = ("--quick", "--n-max", "1-3", "--prompts", "cycle-1", "--max-tokens", "8")
    done = speculoos("measure", "--server", server, "--model", tiny, *args, "--", "-c", "512")
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.glob("measurements/*/2*.yaml")
    data = json.loads(speculoos("show", file, "--json").stdout)
    assert data["blocks"] >= 2
    assert all(point["speedup_low"] < point["speedup_high"] for point in data["points"])


def test_check_is_silent_on_a_valid_folder(speculoos, folder: Path):
    """Exit 0, nothing on standard output."""
    done = speculoos("check", folder)
    assert (done.returncode, done.stdout) == (0, "")


def test_check_prints_path_line_key_and_sentence(speculoos, folder: Path, tmp_path: Path):
    """One line per problem, exit 1."""
    text = (folder / "rig" / "2026-11-29-test.yaml").read_text()
    bad = tmp_path / "measurements" / "rig" / "2026-11-29-bad.yaml"
    bad.parent.mkdir(parents=True)
    bad.write_text(text.replace("draft_n_accepted: 5", "draft_n_accepted: 70", 1))
    done = speculoos("check", bad)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    expected = "runs[2].samples[0].draft_n_accepted: 70 accepted but draft_n is 8; a token is"
    assert any(line.startswith(f"{bad}:") and expected in line for line in lines), lines


def test_check_names_a_folder_that_does_not_exist(speculoos):
    """Exit 2: wrong usage."""
    done = speculoos("check", "nowhere")
    assert done.returncode == 2
    assert "nowhere" in done.stderr


def test_the_schema_is_written_and_verified(speculoos, tmp_path: Path):
    """`--check` is silent when the file is the one of this version."""
    assert speculoos("schema", "--check").returncode == 1
    assert speculoos("schema").returncode == 0
    assert (tmp_path / "measurements" / "schema.json").exists()
    assert speculoos("schema", "--check").returncode == 0


@pytest.mark.parametrize("verb", ["measure", "show", "check", "schema", "demo"])
def test_every_verb_helps(speculoos, verb: str):
    """`--help` says what it does."""
    done = speculoos(verb, "--help")
    assert done.returncode == 0
    assert "Usage: speculoos" in done.stdout
