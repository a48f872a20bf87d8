"""Servers that fail, for real: the verdict is right, the rest is measured, nothing is left."""

import re
from pathlib import Path

import pytest

from measure.harm import command, script
from speculoos.measure.build import NotUsableError
from speculoos.measure.client import Ask
from speculoos.measure.exchange import NoAnswerError
from speculoos.measure.plan import Plan, refused
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.proof import prove
from speculoos.measure.run import BaselineFailedError, Failed
from speculoos.measure.server import Command, Server, ServerError
from speculoos.parts import tiny_gguf
from speculoos.parts.servers import ServerPart
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record import faults
from speculoos.record.identities import broken
from speculoos.record.summary import summarise
from speculoos.record.types import Settings

pytestmark = pytest.mark.usefixtures("nothing_left")

MTP = Settings(spec_type="draft-mtp", n_max=2)


@pytest.fixture
def headless(tmp_path: Path) -> Path:
    """A tiny model without a head."""
    return TinyModel(architecture="step35", head=False).write(tmp_path / "headless.gguf")


def _failure(build: ServerPart, model: Path, tmp_path: Path, *args: str) -> ServerError:
    """What a start, proof and short request come to."""
    with pytest.raises(ServerError) as caught:
        _ask_once(command(build, model, tmp_path, *args))
    return caught.value


def _ask_once(start: Command) -> None:
    ask = Ask(max_tokens=20, temperature=0, seed=1, stream=False, deadline_s=30)
    with Server(start) as server:
        prove(server, start.model, MTP)
        try:
            server.client.complete("A", ask)
        except NoAnswerError as error:
            raise server.failure(0, timed_out=error.timed_out) from error


def _runs(record) -> dict[str, object]:
    return {run.settings.label: run for run in record.runs}


def _compared(record) -> set[str]:
    return {point.settings.label for point in summarise(record).points if point.speedup}


def _names_its_remedy(events, kind: str) -> bool:
    remedy = faults.by_kind(kind).remedy
    return any(remedy in event.sentence for event in events if isinstance(event, Failed))


WRONG_STARTS = {
    "unknown-spec-type": ("--spec-type", "draft-nothing"),
    "invalid-argument": ("--no-such-flag",),
    "removed-flag": ("--draft-max", "4"),
    "n-max-too-large": ("--spec-type", "draft-mtp", "--spec-draft-n-max", "0"),
    "broken-draft-model": ("--spec-type", "draft-simple", "--model-draft", "missing.gguf"),
}


@pytest.mark.parametrize("kind", WRONG_STARTS)
def test_a_wrong_start_is_told_by_its_kind(build, tiny: Path, tmp_path: Path, kind: str):
    """The server's own line and the remedy are in the message, whatever the build."""
    error = _failure(build, tiny, tmp_path, *WRONG_STARTS[kind])
    assert error.incident.kind == kind
    assert error.incident.line
    assert faults.by_kind(kind).remedy in str(error)


def test_a_value_that_the_server_cannot_read_is_told(build, tiny: Path, tmp_path: Path):
    """Not a crash, though all it says is the name of a function: an argument to correct."""
    error = _failure(build, tiny, tmp_path, "-c", "many")
    assert error.incident.kind == "invalid-argument"
    assert '"-c"' in error.incident.line


def test_of_a_removed_flag_the_complaint_is_told_and_not_its_help(build, tiny, tmp_path: Path):
    """The server prints its own help behind it, which ends in the same words."""
    error = _failure(build, tiny, tmp_path, "--draft-max", "4")
    assert error.incident.line.startswith('error while handling argument "--draft-max"')
    assert "--spec-draft-n-max" in error.incident.line


@pytest.mark.parametrize("kept", [0, 300_000, None])
def test_a_missing_empty_or_cut_model_is_told(build, tiny: Path, tmp_path: Path, kept: int | None):
    """None of them loads, and the kind says that it is the file."""
    model = tmp_path / "model.gguf"
    if kept is not None:
        model.write_bytes(tiny.read_bytes()[:kept])
    error = _failure(build, model, tmp_path)
    assert (error.incident.kind, error.incident.exit_code) == ("broken-model", 1)


def test_a_model_without_a_head_is_told_and_the_baseline_still_measured(measured, build, headless):
    """MTP asked of a file that has none: an incident for every depth, samples for the baseline."""
    record, events = measured(build.path, headless, depths=(1, 2))
    runs = _runs(record)
    assert {runs["n_max 1"].incident.kind, runs["n_max 2"].incident.kind} == {"no-head"}
    assert len(runs["baseline"].samples) == 3
    assert _names_its_remedy(events, "no-head")


@pytest.mark.parametrize("architecture", ["qwen35", "step35"])
def test_a_draft_deeper_than_the_batch_is_a_crash_that_is_recorded(
    measured, build, tmp_path: Path, architecture: str
):
    """An abort, recurrent model or not; the other depth is still measured."""
    model = TinyModel(Acceptance.by_step([0.8, 0.6]), architecture).write(tmp_path / "tiny.gguf")
    extra = ("-c", "512", "-b", "16", "-ub", "16")
    record, events = measured(build.path, model, depths=(2, 40), extra=extra)
    runs = _runs(record)
    assert runs["n_max 40"].incident.signal == "SIGABRT"
    assert runs["n_max 40"].incident.kind == "n-max-too-large"
    assert len(runs["n_max 2"].samples) == 3
    assert _compared(record) == {"n_max 2"}
    assert _names_its_remedy(events, "n-max-too-large")


def test_a_depth_of_a_thousand_is_told_where_a_recurrent_model_dies_of_it(measured, build, tiny):
    """qwen35 aborts while it loads; the other depth is still measured."""
    record, _ = measured(build.path, tiny, depths=(2, 1000))
    runs = _runs(record)
    assert runs["n_max 1000"].incident.kind == "n-max-too-large"
    assert len(runs["n_max 2"].samples) == 3


def test_a_depth_beyond_the_context_gives_samples_that_do_not_count(measured, build, tmp_path):
    """HTTP 200 with nonsense counts: stored, named, and kept from every comparison."""
    model = TinyModel(Acceptance.always(), "step35").write(tmp_path / "always.gguf")
    extra = ("-c", "256", "-t", "1")
    record, _ = measured(build.path, model, depths=(1000,), extra=extra, max_tokens=400)
    deep = _runs(record)["n_max 1000"]
    assert len(deep.samples) == 3
    for sample in deep.samples:
        assert sample.draft_n_accepted > sample.predicted_n
        assert {"predicted_n", "truncated"} <= {field for field, _ in broken(sample, MTP)}
    assert _compared(record) == set()


@pytest.mark.parametrize("never", [("--spec-draft-n-min", "9"), ("--spec-draft-p-min", "1.1")])
def test_a_run_that_never_drafts_is_an_incident_that_keeps_its_samples(
    measured, build, tiny: Path, never: tuple[str, ...]
):
    """`/slots` says true, nothing is drafted: not compared, and the remedy is told."""
    record, events = measured(build.path, tiny, depths=(2,), extra=("-c", "512", *never))
    run = _runs(record)["n_max 2"]
    assert run.proof.speculative
    assert (run.incident.kind, run.incident.after_samples, len(run.samples)) == (
        "nothing-drafted",
        3,
        3,
    )
    assert _compared(record) == set()
    assert _names_its_remedy(events, "nothing-drafted")


def test_a_draft_model_of_another_vocabulary_is_told(measured, build, headless, tmp_path: Path):
    """The server runs without speculation and says so in its log alone."""
    other = tmp_path / "other.gguf"
    a, b = (len(letter).to_bytes(8, "little") + letter for letter in (b"A", b"B"))
    other.write_bytes(headless.read_bytes().replace(a + b, b + a))
    record, events = measured(
        build.path, headless, spec_type="draft-simple", draft_model=other, depths=(1, 2)
    )
    runs = _runs(record)
    assert {runs["n_max 1"].incident.kind, runs["n_max 2"].incident.kind} == {"silently-off"}
    assert "vocab" in runs["n_max 1"].incident.line
    assert len(runs["baseline"].samples) == 3
    assert _names_its_remedy(events, "silently-off")


def test_a_missing_draft_model_is_told_before_anything_starts(measured, server, headless, tmp_path):
    """Its header and hash stand in the record, so it is read first."""
    with pytest.raises(NotUsableError, match=re.escape("gone.gguf: No such file")):
        measured(
            server.path, headless, spec_type="draft-simple", draft_model=tmp_path / "gone.gguf"
        )


def test_a_head_of_another_width_is_a_crash_with_a_name(
    measured, build, tiny: Path, tmp_path: Path, monkeypatch
):
    """An abort while loading; the baseline is still measured."""
    monkeypatch.setattr(tiny_gguf, "WIDTH", 128)
    wide = TinyModel(Acceptance.always(), "qwen35").write(tmp_path / "wide.gguf")
    record, events = measured(build.path, tiny, draft_model=wide, depths=(2,))
    runs = _runs(record)
    assert (runs["n_max 2"].incident.kind, runs["n_max 2"].incident.signal) == (
        "draft-mismatch",
        "SIGABRT",
    )
    assert len(runs["baseline"].samples) == 3
    assert _names_its_remedy(events, "draft-mismatch")


def test_a_draft_model_is_never_given_without_a_type(tiny: Path, tmp_path: Path):
    """It would be loaded and never used, without a word: the plan cannot make such a start."""
    for draft, extra in ((tmp_path / "d.gguf", ()), (None, ("-md", "d.gguf", "-ngld", "9"))):
        plan = Plan(
            binary=tiny,
            model=tiny,
            spec_type="draft-simple",
            depths=(1, 4),
            prompts=find_prompt_set("cycle-1", []),
            draft_model=draft,
            extra=extra,
        )
        for settings in plan.settings:
            args = (*plan.common_args, *plan.run_args(settings))
            given = bool({"-md", "--model-draft"} & set(args))
            assert given == ("--spec-type" in args) == (settings.n_max is not None)
    assert list(refused(["--spec-type", "none"]))


def test_a_router_without_a_model_is_told(measured, build, tiny: Path, tmp_path: Path):
    """It is healthy and answers nothing: there is no model to measure."""
    binary = script(
        tmp_path / "router.sh",
        f'[ "$1" = --version ] && exec "{build.path}" --version',
        "shift 2  # without --model",
        f'exec "{build.path}" "$@"',
    )
    with pytest.raises(BaselineFailedError, match="router"):
        measured(binary, tiny)


def test_a_prompt_that_does_not_fit_is_told(measured, build, tiny: Path, tmp_path: Path):
    """The server refuses it; the remedy is a larger context."""
    with pytest.raises(BaselineFailedError, match="larger context"):
        measured(build.path, tiny, prompts=_long_prompts(tmp_path), extra=("-c", "256"))


def _long_prompts(folder: Path):
    (folder / "long-1.yaml").write_text(
        "format: 1\nid: long-1\nnotes: {fr: Long., en: Long.}\nprompts:\n"
        f"- {{id: long, kind: cycle, language: none, raw: true, text: {'A' * 600}}}\n"
    )
    return find_prompt_set("long-1", [folder])


def test_a_baseline_that_cannot_start_ends_the_measurement(measured, server, tiny: Path):
    """There is nothing to compare with; the sentence names the log."""
    with pytest.raises(BaselineFailedError, match=r"baseline.*\.log"):
        measured(server.path, tiny, extra=("--no-such-flag",), depths=(1,))


def test_the_child_is_gone_after_the_context(server, tiny: Path, tmp_path: Path):
    """Stopped on the way out, whatever happens inside."""
    running = Server(command(server, tiny, tmp_path))
    with pytest.raises(RuntimeError, match="inside"):
        _fail_inside(running)
    assert running.child.exit_code is not None


def _fail_inside(server: Server) -> None:
    with server:
        assert server.owns_port()
        raise RuntimeError("inside")
