"""The guide: its commands are those of a real server, and its shell runs."""

import http.server
import os
import re
import subprocess
import threading

import pytest

from parts.tiny_eagle3 import write_eagle3
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


COMMANDS = ("draft-mtp", "draft-mtp", "draft-eagle3", "draft-simple", "ngram-mod")
GUESSES = Acceptance.by_step([0.8, 0.6, 0.4])


@pytest.fixture
def folder(server, tmp_path):
    """The files that the commands name, each what its name says, and the server under its own."""
    TinyModel(architecture="qwen35", head=False).write(tmp_path / "model.gguf")
    TinyModel(architecture="qwen35", head=False).write(tmp_path / "small-model.gguf")
    TinyModel(GUESSES, "qwen35").write(tmp_path / "model-mtp.gguf")
    TinyModel(GUESSES, "qwen35", trunk=False).write(tmp_path / "mtp-head.gguf")
    write_eagle3(tmp_path / "eagle3.gguf")
    (tmp_path / "llama-server").write_text(f'#!/bin/sh\nexec "{server}" "$@"\n')
    (tmp_path / "llama-server").chmod(0o755)
    return tmp_path


def _one_line(command):
    spec_type = re.search(r"--spec-type (\S+)", command)[1]
    return spec_type, command.strip().replace("\\\n", " ")


def test_every_command_speculates_and_the_signs_of_the_page_say_so(folder):
    """Each command on a real server; then what the page says to look at, as it says it."""
    commands = [_one_line(b) for b in _blocks("en") if b.strip().startswith("llama-server")]
    assert tuple(kind for kind, _ in commands) == COMMANDS
    (look,) = [block for block in _blocks("en") if "/slots" in block]
    for kind, command in commands:
        said = _look(folder, command, look.replace("8080", "$port"))
        assert re.search(r'"draft_n":[1-9]', said), (kind, said)
        assert '"speculative":true' in said, (kind, said)


def _look(folder, command, look):
    """What the look prints while the command runs; 100 tokens at the most, as the page asks."""
    script = f"""
        port={free_port()}
        {command} --port $port >server.log 2>&1 & pid=$!
        for i in $(seq 200); do curl -sf localhost:$port/health >/dev/null && break; sleep 0.1; done
        {look}
        kill -9 $pid; wait $pid 2>/dev/null
    """
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=os.environ | {"PATH": path},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    return done.stdout + done.stderr


def test_a_head_given_without_its_type_is_told_as_the_page_tells_it(server, folder):
    """b10068 dies of it, as the server of the guide's author did; a newer build uses the head."""
    (look,) = [block for block in _blocks("en") if "/slots" in block]
    command = "llama-server -m model.gguf --parallel 1 --model-draft mtp-head.gguf"
    said = _look(folder, command, look.replace("8080", "$port"))
    if "10068" in str(server):
        assert '"speculative"' not in said
    else:
        assert re.search(r'"draft_n":[1-9]', said), said


def test_the_lines_of_shell_are_the_same_in_both_languages():
    """There is one script, and it is short enough to be read."""
    assert _sweep("fr") == _sweep("en")
    assert len(_sweep("en").splitlines()) == 10


def test_the_lines_of_shell_ask_no_other_server_that_holds_the_port(folder):
    """A forgotten server answers /health as well as any other; its speed is not printed."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Healthy) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        said = _swept(folder, other.server_port)
        other.shutdown()
    assert said.splitlines() == [f"n_max {n}: no server, see n_max-{n}.log" for n in "012346"]


class _Healthy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_args):
        """Say nothing between the dots of pytest."""


def _swept(folder, port):
    done = subprocess.run(
        ["bash", "-c", _sweep("en").replace("8099", str(port))],
        cwd=folder, env=os.environ, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip
    return done.stdout


def test_the_lines_of_shell_find_the_speed_of_every_setting(folder):
    """Run as they stand beside a real server and a model with a head, on a free port."""
    said = _swept(folder, free_port())
    found = re.findall(r"^n_max (\d): (\d+\.\d) tokens/s$", said, re.MULTILINE)
    assert [n for n, _ in found] == [n for n in "012346" for _ in range(3)]
    assert all(float(rate) > 1 for _, rate in found)
    assert "draft acceptance" in (folder / "n_max-3.log").read_text()
    assert "draft acceptance" not in (folder / "n_max-0.log").read_text()
