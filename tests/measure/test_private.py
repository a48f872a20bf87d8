"""What faults, arguments and log lines say of their owner stays out of every file that is kept."""

import getpass
import platform
from pathlib import Path

import pytest

from speculoos.measure.plan import refused
from speculoos.measure.run import BaselineFailedError, named
from speculoos.parts.tiny_model import TinyModel
from speculoos.record.store import load_measurement

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of somebody whose name has a blank in it."""
    folder = tmp_path / "home" / "SECRET USER" / "my models"
    folder.mkdir(parents=True)
    return folder


def _kept(tmp_path: Path) -> str:
    """Every file that a measurement leaves, hidden ones too; the logs of servers are not kept."""
    files = [path for path in (tmp_path / "measurements").rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"2026-11-29-test.yaml"}
    return "".join(path.read_text(encoding="utf-8") for path in files)


def _assert_nobody(text: str, tmp_path: Path) -> None:
    private = ["SECRET", "my models", str(tmp_path), str(Path.home()), platform.node()]
    private += [f"/{getpass.getuser()}/"]
    assert [word for word in private if word in text] == []


def test_a_model_that_does_not_load_is_told_without_its_folder(
    measured, build, home: Path, tmp_path: Path
):
    """The server's line quotes the whole path, blanks included."""
    known = TinyModel(architecture="step35", head=False).write(tmp_path / "known.gguf")
    model = home / "model.gguf"
    model.write_bytes(known.read_bytes().replace(b"step35", b"nosuch"))
    with pytest.raises(BaselineFailedError, match="architecture"):
        measured(build.path, model, depths=(1,))
    out = tmp_path / "measurements" / "rig" / "2026-11-29-test.yaml"
    runs = load_measurement(out).record.runs
    lines = [run.incident.line for run in runs]
    assert all("model.gguf" in line for line in lines)
    logs = "".join(path.read_text(errors="replace") for path in (tmp_path / "logs").glob("*"))
    assert "SECRET USER/my models" in logs
    _assert_nobody(_kept(tmp_path), tmp_path)


def test_arguments_and_faults_are_kept_without_their_folders(
    measured, build, home: Path, tmp_path: Path
):
    """Of a path behind -- the name is kept; of a model without a head, its complaint."""
    model = TinyModel(architecture="step35", head=False).write(home / "headless.gguf")
    extra = ("-c", "512", "--slot-save-path", str(home))
    record, _ = measured(build.path, model, depths=(1,), extra=extra)
    assert {run.incident.kind for run in record.runs if run.incident} == {"no-head"}
    assert record.server.args[-1] == "my models"
    text = _kept(tmp_path).replace("'my models'", "").replace("my models]", "]")
    _assert_nobody(text, tmp_path)


def test_the_home_of_a_person_is_not_kept_by_its_name():
    """It is the person's."""
    assert named(("--slot-save-path", str(Path.home()))) == ("--slot-save-path", "~")


@pytest.mark.parametrize("word", ["--hf-token", "-hft", "--api-key", "--api-key=x"])
def test_a_secret_is_refused_as_an_argument(word: str):
    """All arguments stand in the record; the sentence says where a secret belongs."""
    (told,) = refused([word, "secret"])
    assert word.split("=", maxsplit=1)[0] in told
    assert "secret" not in told
