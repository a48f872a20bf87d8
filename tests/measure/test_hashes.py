"""A large file is read once, and again as soon as it is another one."""

import hashlib
import os
import time
from pathlib import Path

import pytest

from speculoos.measure.hashes import sha256_once
from speculoos.record.store import sha256_of


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A file that is large enough to be remembered."""
    path = tmp_path / "model.gguf"
    path.write_bytes(b"weights")
    return path


def test_a_hash_is_remembered_by_the_file_itself(model: Path, tmp_path: Path):
    """Under another name too: what is remembered is no path."""
    memory = tmp_path / "cache" / "hashes.json"
    assert sha256_once(model, memory, 1) == sha256_of(model)
    memory.write_text(memory.read_text().replace(sha256_of(model), "remembered"))
    assert sha256_once(model, memory, 1) == "remembered"
    assert "model.gguf" not in memory.read_text()


def test_a_file_that_was_replaced_is_read_again(model: Path, tmp_path: Path):
    """Even with the same size and the same time of its contents."""
    memory = tmp_path / "hashes.json"
    sha256_once(model, memory, 1)
    before = model.stat()
    time.sleep(0.05)  # the clock of a file system ticks
    model.write_bytes(b"WEIGHTS")
    os.utime(model, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert sha256_once(model, memory, 1) == hashlib.sha256(b"WEIGHTS").hexdigest()


@pytest.mark.parametrize("text", ["", "[]", "{"])
def test_a_memory_that_is_broken_is_no_memory(model: Path, tmp_path: Path, text: str):
    """It is written anew."""
    memory = tmp_path / "hashes.json"
    memory.write_text(text)
    assert sha256_once(model, memory, 1) == sha256_of(model)
    assert sha256_of(model) in memory.read_text()


def test_a_small_file_is_not_remembered(model: Path, tmp_path: Path):
    """It is read in a moment."""
    memory = tmp_path / "hashes.json"
    assert sha256_once(model, memory) == sha256_of(model)
    assert not memory.exists()
