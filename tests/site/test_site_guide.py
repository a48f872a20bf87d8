"""The guide: its commands are those of a real server, and its shell runs."""

import os
import re
import subprocess

import pytest

from publish.website import ROOT
from speculoos.measure.server import free_port
from speculoos.parts.servers import llama_servers
from speculoos.parts.tiny_model import Acceptance, TinyModel

PAGES = {lang: ROOT / "docs" / lang / "guide.md" for lang in ("fr", "en")}
_BLOCK = re.compile(r"^[ ]*```bash\n(.*?)^[ ]*```", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def server(cache):
    """The newest pinned build that runs here."""
    return llama_servers(cache, quantised=False)[0].path


def _blocks(language):
    return [block[1] for block in _BLOCK.finditer(PAGES[language].read_text(encoding="utf-8"))]


def _sweep(language):
    (sweep,) = [block for block in _blocks(language) if "for n in" in block]
    return sweep


@pytest.mark.parametrize("language", PAGES)
def test_every_flag_of_a_command_is_known_to_the_server(server, language):
    """A reader can paste it: flags and types are in the help of the newest pinned build."""
    done = subprocess.run([server, "--help"], capture_output=True, text=True, check=False)
    types = re.search(r"--spec-type (\S+)", done.stdout + done.stderr)[1].split(",")
    commands = [block for block in _blocks(language) if block.strip().startswith("llama-server")]
    assert len(commands) == 5
    for command in commands:
        for flag in re.findall(r"(?<=\s)--?[a-z][a-z-]*", command):
            assert re.search(rf"(^|[\s,]){flag}[\s,]", done.stdout + done.stderr), flag
        assert re.search(r"--spec-type (\S+)", command)[1] in types


def test_the_lines_of_shell_are_the_same_in_both_languages():
    """There is one script, and it is short enough to be read."""
    assert _sweep("fr") == _sweep("en")
    assert len(_sweep("en").splitlines()) <= 14


def test_the_lines_of_shell_find_the_speed_of_every_setting(server, tmp_path):
    """Run as they stand beside a real server and a model with a head, on a free port."""
    TinyModel(Acceptance.by_step([0.8, 0.6, 0.4]), "qwen35").write(tmp_path / "model.gguf")
    (tmp_path / "llama-server").write_text(f'#!/bin/sh\nexec "{server}" "$@"\n')
    (tmp_path / "llama-server").chmod(0o755)
    done = subprocess.run(
        ["bash", "-c", _sweep("en").replace("8099", str(free_port()))],
        cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    found = re.findall(r"^n_max (\d): (\d+\.\d) tokens/s$", done.stdout, re.MULTILINE)
    assert [n for n, _ in found] == [n for n in "012346" for _ in range(3)], done.stderr
    assert all(float(rate) > 1 for _, rate in found)
    assert "draft acceptance" in (tmp_path / "n_max-3.log").read_text()
    assert "draft acceptance" not in (tmp_path / "n_max-0.log").read_text()
