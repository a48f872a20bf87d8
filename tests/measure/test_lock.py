"""Two measurements never write one file at the same time."""

import subprocess
import sys
from pathlib import Path

import pytest

from speculoos.measure.lock import InUseError, held

HOLD = (
    "import sys; from pathlib import Path; from speculoos.measure.lock import held\n"
    "with held(Path(sys.argv[1])):\n"
    "    print('held', flush=True); sys.stdin.read()\n"
)


@pytest.fixture
def another(tmp_path: Path):
    """Another process that holds `a.yaml`."""
    args = [sys.executable, "-c", HOLD, str(tmp_path / "a.yaml")]
    pipe = subprocess.PIPE
    with subprocess.Popen(args, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_file_that_another_process_writes_is_refused(another, tmp_path: Path):
    """One line names it; another file in the same folder is free."""
    with pytest.raises(InUseError, match=r"a\.yaml: another speculoos"), held(tmp_path / "a.yaml"):
        pass
    with held(tmp_path / "b.yaml"):
        pass


def test_a_lock_ends_with_the_process_that_held_it(another, tmp_path: Path):
    """Kill -9 leaves a file that locks nobody out."""
    another.kill()
    another.wait()
    with held(tmp_path / "a.yaml"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_ends_with_the_measurement(tmp_path: Path):
    """Also with one that fails; nothing stays beside the file."""
    with pytest.raises(RuntimeError), held(tmp_path / "a.yaml"):
        raise RuntimeError
    with held(tmp_path / "a.yaml"):
        assert [path.name for path in tmp_path.iterdir()] == [".a.yaml.lock"]
    assert list(tmp_path.iterdir()) == []
