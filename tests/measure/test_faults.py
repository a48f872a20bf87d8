"""Servers that fail, for real: the verdict is right, the rest is measured, nothing is left."""

from pathlib import Path

import pytest

from speculoos.measure.run import BaselineFailedError, Failed
from speculoos.measure.server import Command, Server, ServerError
from speculoos.parts.servers import ServerPart
from speculoos.parts.tiny_model import Acceptance, TinyModel


def _command(server: ServerPart, model: Path, tmp_path: Path, *args: str) -> Command:
    return Command(
        binary=server.path,
        model=model,
        args=("--parallel", "1", "-c", "512", "--metrics", "--no-webui", *args),
        log=tmp_path / "server.log",
        ready_timeout_s=60,
    )


def _start(command: Command) -> None:
    with Server(command):
        pass


@pytest.mark.parametrize(
    ("args", "kind"),
    [
        (("--spec-type", "draft-nothing"), "unknown-spec-type"),
        (("--no-such-flag",), "invalid-argument"),
        (("--draft-max", "4"), "removed-flag"),
    ],
)
def test_a_wrong_flag_is_told_by_its_kind(
    server: ServerPart, tiny: Path, tmp_path: Path, args: tuple[str, ...], kind: str
):
    """The server ends at once; its own line and the remedy are in the message."""
    with pytest.raises(ServerError) as caught:
        _start(_command(server, tiny, tmp_path, *args))
    assert caught.value.incident.kind == kind
    assert caught.value.incident.exit_code == 1
    assert caught.value.incident.line in (tmp_path / "server.log").read_text()


def test_a_cut_model_is_told(server: ServerPart, tiny: Path, tmp_path: Path):
    """Half a file does not load."""
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(tiny.read_bytes()[:300_000])
    with pytest.raises(ServerError) as caught:
        _start(_command(server, cut, tmp_path))
    assert caught.value.incident.kind == "broken-model"


def test_a_model_without_a_head_is_told_and_the_baseline_still_measured(
    measured, server: ServerPart, tmp_path: Path
):
    """MTP asked of a file that has none: an incident for every depth, samples for the baseline."""
    model = TinyModel(architecture="qwen35", head=False).write(tmp_path / "headless.gguf")
    record, events = measured(server.path, model, depths=(1, 2))
    by_label = {run.settings.label: run for run in record.runs}
    assert by_label["n_max 1"].incident.kind == "no-head"
    assert len(by_label["baseline"].samples) == 3
    assert sum(isinstance(event, Failed) for event in events) == 2


def test_a_draft_deeper_than_the_batch_is_a_crash_that_is_recorded(
    measured, server: ServerPart, tiny: Path
):
    """Healthy, then an abort on a request; the other depth is still measured."""
    extra = ("-c", "512", "-b", "16", "-ub", "16")
    record, _ = measured(server.path, tiny, depths=(2, 40), extra=extra)
    by_label = {run.settings.label: run for run in record.runs}
    assert by_label["n_max 40"].incident.signal == "SIGABRT"
    assert by_label["n_max 40"].incident.kind == "n-max-too-large"
    assert len(by_label["n_max 2"].samples) == 3


def test_a_baseline_that_cannot_start_ends_the_measurement(
    measured, server: ServerPart, tmp_path: Path
):
    """There is nothing to compare with; the sentence names the log."""
    cut = tmp_path / "cut.gguf"
    TinyModel(Acceptance.always(), "qwen35").write(cut)
    with pytest.raises(BaselineFailedError, match=r"baseline.*\.log"):
        measured(server.path, cut, extra=("--no-such-flag",), depths=(1,))


def test_a_server_that_does_not_answer_in_time_is_stopped(measured, server: ServerPart, tiny: Path):
    """A deadline per request: the run ends in `no-answer`, and no process is left."""
    with pytest.raises(BaselineFailedError, match="no answer"):
        measured(server.path, tiny, max_tokens=400, request_timeout_s=0.001, depths=(1,))


def test_the_child_is_gone_after_the_context(server: ServerPart, tiny: Path, tmp_path: Path):
    """Stopped on the way out, whatever happens inside."""
    running = Server(_command(server, tiny, tmp_path))
    with pytest.raises(RuntimeError, match="inside"):
        _fail_inside(running)
    assert running.process.poll() is not None


def _fail_inside(server: Server) -> None:
    with server:
        assert server.owns_port()
        raise RuntimeError("inside")


def test_the_port_of_another_server_is_not_ours(server: ServerPart, tiny: Path, tmp_path: Path):
    """`/health` answers, but the process behind the port is not the child."""
    with Server(_command(server, tiny, tmp_path)) as other:
        command = _command(server, tiny, tmp_path / "second")
        (tmp_path / "second").mkdir()
        with Server(command) as running:
            running.port = other.port
            assert not running.owns_port()
