"""`speculoos read --out`: what a log says becomes a record."""

from pathlib import Path

import yaml

LOGS = Path(__file__).parents[1] / "data" / "read"
MACHINE = Path(__file__).parents[2] / "measurements" / "amd-epyc-2t-24g"
NOTES = ("--notes-en", "A small test.", "--notes-fr", "Un petit essai.")


def test_what_a_record_lacks_is_asked_for_in_one_go(speculoos, tmp_path: Path) -> None:
    """Every missing key has its place at the top of the file, with an example."""
    out = Path("measurements/rig/log-observed.yaml")
    done = speculoos("read", LOGS / "06_mean_acceptance_length_eagle3.log", "--out", out)
    text = (tmp_path / out).read_text(encoding="utf-8")
    top = text[: text.index("format: 1")]
    assert done.returncode == 1
    assert all(f"# {key}:" in top for key in ("build", "model", "notes"))
    said = " ".join((done.stdout + done.stderr).split())
    assert all(f"{key}: missing" in said for key in ("build", "model", "notes"))
    (window,) = yaml.safe_load(text)["observed"]["windows"]
    assert (window["draft_n"], window["draft_n_accepted"]) == (259, 167)
    assert window["accepted_per_position"] == [70, 55, 42]


def filled_in(text: str) -> str:
    """The record with its template taken as it stands, and the type of speculation named."""
    top, record = text.split("format: 1", 1)
    lines = [line.removeprefix("# ") for line in top.splitlines()[1:]]
    given = [line for line in lines if not line.startswith(("instead of", "contributor: "))]
    return "\n".join([*given, "format: 1"]) + record.replace("unknown", "draft-eagle3")


def test_a_record_whose_template_is_filled_in_passes_check(speculoos, tmp_path: Path) -> None:
    """The examples are in the right form: only their values are to be changed."""
    out = tmp_path / "measurements/rig/log-observed.yaml"
    speculoos("read", LOGS / "06_mean_acceptance_length_eagle3.log", "--out", out)
    machine = (MACHINE / "machine.yaml").read_text(encoding="utf-8").replace(MACHINE.name, "rig")
    (out.parent / "machine.yaml").write_text(machine, encoding="utf-8")
    text = filled_in(out.read_text(encoding="utf-8"))
    out.unlink()
    out = out.with_name(f"{yaml.safe_load(text)['date']}-chat.yaml")
    out.write_text(text, encoding="utf-8")
    checked = speculoos("check")
    assert checked.returncode == 0, checked.stdout
    shown = speculoos("show", out)
    assert "tokens/s while busy  111.0" in shown.stdout


def test_a_bench_is_no_server_at_work(speculoos) -> None:
    """It can only be reported."""
    done = speculoos("read", LOGS / "12_mtp_bench_off_and_n3.txt", "--out", "x.yaml")
    assert done.returncode == 1
    assert "--as reported" in done.stderr


def test_figures_of_others_become_a_claim_for_each_setting(speculoos, tmp_path: Path) -> None:
    """Without speculation, and with n_max 3: rates of all tokens over all time."""
    out = Path("measurements/reported/bench.yaml")
    bench = LOGS / "12_mtp_bench_off_and_n3.txt"
    speculoos("read", bench, "--as", "reported", "--spec-type", "draft-mtp", *NOTES, "--out", out)
    record = yaml.safe_load((tmp_path / out).read_text(encoding="utf-8"))
    assert record["kind"] == "reported"
    assert [claim["settings"] for claim in record["claims"]] == [
        {"spec_type": "none"},
        {"spec_type": "draft-mtp", "n_max": 3},
    ]
    assert record["claims"][1]["acceptance_rate"] == 0.7218


def test_a_command_of_many_files_finds_room_in_the_record(speculoos, tmp_path: Path) -> None:
    """It is kept as far as a text may be long."""
    log = (LOGS / "06_mean_acceptance_length_eagle3.log").read_bytes()
    names = [f"server-{number}-{'of-a-long-name-' * 3}.log" for number in range(50)]
    for name in names:
        (tmp_path / name).write_bytes(log)
    speculoos("read", *names, "--out", "measurements/rig/2026-12-01-a.yaml")
    record = yaml.safe_load((tmp_path / "measurements/rig/2026-12-01-a.yaml").read_text())
    assert record["observed"]["command"].endswith("…")
    assert sum(window["requests"] for window in record["observed"]["windows"]) == 50


def test_what_no_record_holds_is_told_in_one_line(speculoos, tmp_path: Path) -> None:
    """A log is a text of strangers: a name in it may be longer than any file's."""
    log = (LOGS / "06_mean_acceptance_length_eagle3.log").read_text()
    (tmp_path / "a.log").write_text(f"srv load_model: loading model '{'x' * 300}.gguf'\n{log}")
    done = speculoos("read", "a.log", "--out", "a.yaml")
    assert done.returncode == 1
    assert done.stderr.startswith("file: 'xxx")
    assert "at most 200 characters" in done.stderr
