"""The same prompts asked in other ways: each way is a measurement and a file of its own."""

import json
from pathlib import Path

import pytest

from speculoos.parts import tiny_gguf
from speculoos.parts.tiny_model import TinyModel
from speculoos.record.store import load_measurement, save

FEW = ("--n-max", "2", "--blocks", "1", "--max-tokens", "12", "--grid")


def test_every_depth_is_measured_into_a_file_of_its_own(speculoos, server, tiny, tmp_path: Path):
    """The prompts of the deeper one are longer by about the depth; both files are valid."""
    base = ("measure", "--server", server, "--model", tiny, *FEW, "--prompts", "cycle-1")
    done = speculoos(*base, "--depth", "0,1k", "--", "-c", "2048")
    assert done.returncode == 0, done.stderr
    plain, deep = (load_measurement(file).record for file in sorted(_files(tmp_path), key=len_of))
    assert (plain.request.depth, deep.request.depth) == (None, 1024)
    for shallow, far in zip(plain.runs[0].samples, deep.runs[0].samples, strict=True):
        assert abs(far.prompt_n - shallow.prompt_n - 1024) < 200
    assert speculoos("check", tmp_path / "measurements").returncode == 0


def test_a_depth_that_fails_leaves_the_others_measured(speculoos, server, tiny, tmp_path: Path):
    """The context is too small for one of them: told with its remedy, exit 1."""
    base = ("measure", "--server", server, "--model", tiny, *FEW, "--prompts", "cycle-1")
    done = speculoos(*base, "--depth", "4k,0", "--", "-c", "512")
    assert done.returncode == 1
    assert "use a larger context (-c)" in done.stderr
    assert "nothing to compare at depth 4096" in done.stderr
    assert any(len(load_measurement(file).record.runs) == 2 for file in _files(tmp_path))


def test_reasoning_is_refused_where_the_template_knows_none(speculoos, server, tiny):
    """The same text with and without: there would be nothing to compare."""
    done = speculoos("measure", "--server", server, "--model", tiny, *FEW, "--reasoning")
    assert done.returncode == 1
    assert "without --reasoning" in done.stderr


def test_reasoning_is_measured_where_the_template_knows_it(
    speculoos, server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The file says so, in its name too."""
    template = "{% if enable_thinking %}<think>{% endif %}{{ messages[0].content }}:"
    monkeypatch.setattr(tiny_gguf, "CHAT_TEMPLATE", template)
    model = TinyModel(architecture="qwen35").write(tmp_path / "t.gguf")
    base = ("measure", "--server", server, "--model", model, *FEW, "--reasoning")
    done = speculoos(*base, "--", "-c", "1024")
    assert done.returncode == 0, done.stderr
    (file,) = _files(tmp_path)
    assert file.stem.endswith("reasoning")
    assert load_measurement(file).record.request.reasoning


def test_both_ways_of_reasoning_are_measured_and_stand_side_by_side(
    speculoos, server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """One command, one file each with a baseline of its own, and the change of every setting."""
    template = "{% if enable_thinking %}<think>{% endif %}{{ messages[0].content }}:"
    monkeypatch.setattr(tiny_gguf, "CHAT_TEMPLATE", template)
    model = TinyModel(architecture="qwen35").write(tmp_path / "t.gguf")
    base = ("measure", "--server", server, "--model", model, *FEW)
    done = speculoos(*base, "--reasoning", "both", "--", "-c", "1024")
    assert done.returncode == 0, done.stderr
    off, on = (load_measurement(file).record for file in sorted(_files(tmp_path), key=len_of))
    assert (off.request.reasoning, on.request.reasoning) == (False, True)
    asked = [[s.prompt for run in each.runs for s in run.samples] for each in (off, on)]
    assert sorted(asked[0]) == sorted(asked[1])
    table = done.stdout[done.stdout.index("The same prompts") :]
    assert [line.split()[:3] for line in table.splitlines() if line.startswith("n_max")] == [
        ["n_max", "2", "off"],
        ["n_max", "2", "on"],
    ]
    shown = speculoos("show", *sorted(_files(tmp_path)))
    assert table.splitlines()[:6] == shown.stdout[shown.stdout.index("The same") :].splitlines()[:6]


def test_each_way_goes_on_where_it_stopped(speculoos, server, tiny, tmp_path: Path):
    """One complete, one stopped, one not begun: the first stays, the others are completed."""
    base = ("measure", "--server", server, "--model", tiny, *FEW, "--prompts", "cycle-1")
    base = (*base, "--depth", "0,1k,2k", "--resume", "--", "-c", "4096")
    assert speculoos(*base).returncode == 0
    complete, stopped, missing = sorted(_files(tmp_path), key=len_of)
    missing.unlink()
    _cut_after_the_first_run(stopped)
    before = complete.read_bytes()
    done = speculoos(*base)
    assert done.returncode == 0, done.stderr
    assert complete.read_bytes() == before
    assert [line for line in done.stdout.splitlines() if "samples measured" in line] == [
        f"Complete already: {complete.relative_to(tmp_path)}, 6 samples measured.",
        f"Resuming {stopped.relative_to(tmp_path)}, 3 samples measured.",
    ]
    assert len(_files(tmp_path)) == 3
    found = [load_measurement(file).record for file in _files(tmp_path)]
    assert {(each.design.stopped, len(each.runs)) for each in found} == {("blocks", 2)}


def _cut_after_the_first_run(file: Path) -> None:
    """As a measurement that was killed leaves it."""
    record = load_measurement(file).record
    order = (record.design.order[0][:1],)
    design = record.design.model_copy(update={"stopped": "interrupted", "order": order})
    save(record.model_copy(update={"runs": record.runs[:1], "design": design}), file)


def test_several_slots_are_a_measurement_of_their_own(speculoos, server, tiny, tmp_path: Path):
    """Named in its file, valid, and told apart wherever it is shown."""
    base = ("measure", "--server", server, "--model", tiny, *FEW, "--prompts", "cycle-1")
    done = speculoos(*base, "--parallel", "3", "--", "-c", "2048")
    assert done.returncode == 0, done.stderr
    assert "3 slots at once" in done.stdout
    (file,) = _files(tmp_path)
    record = load_measurement(file).record
    assert "3-slots" in file.stem
    assert record.request.parallel == 3
    assert record.server.args[:2] == ("--parallel", "3")
    assert all(len(run.batches) == 1 and not run.samples for run in record.runs)
    assert speculoos("check", tmp_path / "measurements").returncode == 0
    data = json.loads(speculoos("show", file, "--json").stdout)
    assert (data["parallel"], data["points"][0]["samples"]) == (3, 3)
    assert data["points"][0]["step_cost"] is None
    again = speculoos(*base, "--out", file, "--resume", "--", "-c", "2048")
    assert "request.parallel: 3 in the file, nothing now" in again.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--parallel", "9", "--prompts", "cycle-1"), "has 3 prompts only"),
        (("--", "--parallel", "2"), "the option --parallel of speculoos"),
        (("--depth", "far"), "write 0,4k,16k"),
        (("--depth", "0,4k", "--out", "a.yaml"), "several ways need one each"),
    ],
)
def test_a_workload_that_cannot_be_is_wrong_usage(speculoos, server, tiny, options, said: str):
    """Exit 2 and what to write."""
    done = speculoos("measure", "--server", server, "--model", tiny, *options)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())


def _files(folder: Path) -> list[Path]:
    return list(folder.glob("measurements/*/2*.yaml"))


def len_of(path: Path) -> int:
    """Length of the name: the plain workload is not named."""
    return len(path.name)
