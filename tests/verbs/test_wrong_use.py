"""Wrong use: one clear line, the right exit code, nothing half-written."""

import sys
from pathlib import Path

import pytest
from click import BadParameter

from speculoos.cli import cli


def _nothing_written(folder: Path) -> bool:
    return not list(folder.rglob("*.yaml")) and not list(folder.rglob("*.log"))


def test_no_server_found_says_where_it_was_looked_for(speculoos, tiny: Path, tmp_path: Path):
    """Neither an option nor a variable nor PATH names one."""
    done = speculoos("measure", "--model", tiny, PATH="/nowhere")
    assert done.returncode == 1
    assert "no llama-server found" in done.stderr
    assert "LLAMA_SERVER" in done.stderr
    assert _nothing_written(tmp_path)


def test_no_model_is_wrong_usage(speculoos, server: Path, tmp_path: Path):
    """The option is required."""
    done = speculoos("measure", "--server", server)
    assert done.returncode == 2
    assert "--model" in done.stderr
    assert _nothing_written(tmp_path)


@pytest.mark.parametrize("option", ["--model", "--server", "--draft-model"])
def test_a_path_that_does_not_exist_is_named(
    speculoos, server: Path, tiny: Path, tmp_path: Path, option: str
):
    """The path stands in the message."""
    done = speculoos("measure", "--server", server, "--model", tiny, option, "missing.gguf")
    assert done.returncode == 2
    assert "missing.gguf" in done.stderr
    assert _nothing_written(tmp_path)


@pytest.mark.parametrize(
    ("depths", "word"),
    [
        ("0", "baseline"),
        ("0-4", "baseline"),
        ("9-1", "backwards"),
        ("two", "no n_max"),
        ("1,,3", "no n_max"),
        ("-1", "no n_max"),
        ("", "no n_max"),
        ("1.5", "no n_max"),
        ("9999999", "longer"),
        pytest.param("9" * 5000, "no n_max", id="digits"),
    ],
)
def test_a_depth_that_makes_no_sense_is_explained(tiny: Path, depths: str, word: str):
    """What is wrong with it, and what to write."""
    with pytest.raises(BadParameter, match=word):
        cli.main(["measure", "--model", str(tiny), "--n-max", depths], standalone_mode=False)


def test_a_result_is_never_overwritten(speculoos, server: Path, tiny: Path, tmp_path: Path):
    """The file that exists stays as it is."""
    out = tmp_path / "mine.yaml"
    out.write_text("precious")
    done = speculoos("measure", "--server", server, "--model", tiny, "--out", out)
    assert done.returncode == 2
    assert "exists" in done.stderr
    assert out.read_text() == "precious"


@pytest.mark.parametrize("flag", ["--port", "--spec-draft-n-max", "--api-key", "-m", "--host"])
def test_arguments_that_the_tool_sets_itself_are_refused(
    speculoos, server: Path, tiny: Path, tmp_path: Path, flag: str
):
    """They would change what is measured; the message names what to use instead."""
    done = speculoos("measure", "--server", server, "--model", tiny, "--", flag, "1")
    assert done.returncode == 2
    assert flag in done.stderr
    assert _nothing_written(tmp_path)


def test_a_server_that_is_none_is_told(speculoos, tiny: Path, tmp_path: Path):
    """Another program in its place."""
    done = speculoos("measure", "--server", "/bin/true", "--model", tiny)
    assert done.returncode == 1
    assert "--version" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("2*.yaml"))


def test_a_model_that_is_none_is_told(speculoos, server: Path, tmp_path: Path):
    """A text file is no GGUF."""
    (tmp_path / "a.gguf").write_text("not a model")
    done = speculoos("measure", "--server", server, "--model", "a.gguf")
    assert done.returncode == 1
    assert "a.gguf" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("2*.yaml"))


def test_an_unknown_prompt_set_names_those_there_are(
    speculoos, server: Path, tiny: Path, tmp_path: Path
):
    """The sets that come with the package are always there."""
    done = speculoos("measure", "--server", server, "--model", tiny, "--prompts", "nope")
    assert done.returncode == 1
    assert "mixed-1" in done.stderr


def test_a_draft_model_that_is_needed_is_asked_for(
    speculoos, server: Path, tiny: Path, tmp_path: Path
):
    """`draft-simple` without one runs without speculation, in silence."""
    done = speculoos("measure", "--server", server, "--model", tiny, "--spec-type", "draft-simple")
    assert done.returncode == 2
    assert "--draft-model" in done.stderr
    assert _nothing_written(tmp_path)


def test_a_place_that_cannot_be_written_is_named(
    speculoos, server: Path, tiny: Path, tmp_path: Path
):
    """A file where a folder is needed."""
    (tmp_path / "taken").write_text("")
    args = ("--n-max", "1", "--prompts", "cycle-1", "--blocks", "1", "--max-tokens", "8")
    base = ("measure", "--server", server, "--model", tiny, *args)
    done = speculoos(*base, "--out", "taken/a.yaml", "--", "-c", "512")
    assert done.returncode == 1
    assert "taken" in done.stderr
    assert "Traceback" not in done.stderr


def test_another_prompt_set_of_the_same_id_is_refused(
    speculoos, server: Path, tiny: Path, tmp_path: Path
):
    """A set is never edited: what was measured with it must be found again."""
    kept = tmp_path / "measurements" / "prompts" / "mine.yaml"
    kept.parent.mkdir(parents=True)
    text = "format: 1\nid: mine\nnotes: {fr: a, en: a}\nprompts:\n"
    text += "- {id: a, kind: test, language: none, raw: true, text: A}\n"
    kept.write_text(text)
    (tmp_path / "mine.yaml").write_text(text.replace("text: A", "text: B"))
    base = ("measure", "--server", server, "--model", tiny, "--n-max", "1")
    done = speculoos(*base, "--prompts", "./mine.yaml")
    assert done.returncode == 1
    assert "another set" in done.stderr
    assert kept.read_text() == text


def test_a_fixed_depth_takes_no_n_max(speculoos, server: Path, tiny: Path):
    """`ngram-cache` drafts eight tokens whatever is asked."""
    base = ("measure", "--server", server, "--model", tiny, "--spec-type", "ngram-cache")
    done = speculoos(*base, "--n-max", "3")
    assert done.returncode == 2
    assert "fixed" in done.stderr


@pytest.mark.parametrize("time", ["soon", "0m", "-5m", "10 minutes", ""])
def test_a_budget_that_is_no_time_is_explained(tiny: Path, time: str):
    """What to write instead."""
    with pytest.raises(BadParameter, match="90s, 10m or 1h"):
        cli.main(["measure", "--model", str(tiny), "--budget", time], standalone_mode=False)


@pytest.mark.parametrize(
    ("option", "value", "word"),
    [
        ("--contributor", "", "not blank"),
        ("--machine", "My Rig", "lower-case"),
        ("--out", "measurements/My Rig/2026-12-01-a.yaml", "lower-case"),
        ("--request-timeout", "nan", "no time"),
        ("--budget", "99999999h", "a year"),
    ],
)
def test_what_no_record_or_clock_takes_is_refused_at_once(
    tiny: Path, option: str, value: str, word: str
):
    """Before the model is read for its hash, which may take minutes."""
    with pytest.raises(BadParameter, match=word):
        cli.main(["measure", "--model", str(tiny), option, value], standalone_mode=False)


def test_a_quick_measurement_is_not_resumed(speculoos, server: Path, tiny: Path):
    """It was cut to a moment that is over."""
    done = speculoos("measure", "--server", server, "--model", tiny, "--quick", "--resume")
    assert done.returncode == 2
    assert "anew" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
def test_a_full_disk_is_told_in_one_line(speculoos, tmp_path: Path):
    """What the system says, and what to do."""
    folder = tmp_path / "measurements"
    folder.mkdir()
    (folder / "schema.json").symlink_to("/dev/full")
    done = speculoos("schema")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "speculoos: No space left on device; make room there and go on, with --resume if it was "
        "measuring"
    ]
