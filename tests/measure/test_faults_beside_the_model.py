"""What a start needs besides its model: other files, and the server's own libraries."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from measure.harm import command
from speculoos.measure.server import Server, ServerError
from speculoos.parts.servers import ServerPart
from speculoos.record import faults

pytestmark = pytest.mark.usefixtures("nothing_left")

FILES = {
    "pictures": ("--mmproj", "missing.gguf"),
    "n-grams": ("--spec-type", "ngram-cache", "-lcs", "missing"),
}


def _failure(build: ServerPart, model: Path, tmp_path: Path, *args: str) -> ServerError:
    with (
        pytest.raises(ServerError) as caught,
        Server(command(build, model, tmp_path, *args)),
    ):
        pass
    return caught.value


@pytest.mark.parametrize("file", FILES)
def test_a_file_beside_the_model_is_not_taken_for_the_model(build, tiny, tmp_path: Path, file):
    """Part of what the server says is what it says of a model that is missing."""
    error = _failure(build, tiny, tmp_path, *FILES[file])
    assert error.incident.kind == "extra-file"
    assert faults.by_kind("extra-file").remedy in str(error)


def test_a_binary_without_its_libraries_is_told(build: ServerPart, tiny: Path, tmp_path: Path):
    """Copied alone to another folder, as people do."""
    alone = replace(build, path=tmp_path / "llama-server")
    shutil.copy(build.path, alone.path)
    error = _failure(alone, tiny, tmp_path)
    assert (error.incident.kind, error.incident.exit_code) == ("missing-library", 127)
