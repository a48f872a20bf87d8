"""The command line as a person uses it: another process, a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from speculoos.parts.servers import llama_server
from speculoos.parts.tiny_model import Acceptance, TinyModel

Speculoos = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def server(cache: Path) -> Path:
    """The newest llama-server that computes F32 here."""
    return llama_server(cache, quantised=False).path


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with an MTP head."""
    model = TinyModel(Acceptance.by_step([0.8, 0.6, 0.4]), "qwen35")
    return model.write(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment without what would name a server."""
    hidden = {"LLAMA_SERVER", "COLUMNS"}
    return {name: value for name, value in os.environ.items() if name not in hidden}


@pytest.fixture
def speculoos(tmp_path: Path, environment: dict[str, str]) -> Speculoos:
    """Run the command line in an empty folder."""

    def run(*args: object, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "speculoos", *map(str, args)],
            cwd=tmp_path,
            env=environment | settings,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run
