"""The compose file: Compose reads it, and its health check asks real servers for a token."""

import os
import re
import signal
import subprocess

import pytest
import yaml

from operate.files import FOLDER, program

FILE = FOLDER / "compose.yaml"


@pytest.fixture(scope="module")
def service():
    """The one service of the file."""
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))["services"]["llama"]


def _config(key):
    words = [program("docker-compose"), "--file", str(FILE), "config"]
    env = os.environ | ({"LLAMA_API_KEY": key} if key else {})
    return subprocess.run(words, env=env, capture_output=True, text=True, check=False)


def test_compose_reads_the_file():
    """And refuses it without a key, with the sentence that says where to put one."""
    done = _config("k1")
    assert done.returncode == 0, done.stderr
    assert "LLAMA_API_KEY: k1" in done.stdout
    done = _config("")
    assert (done.returncode != 0, "put it into .env" in done.stderr) == (True, True)


def test_restarts_are_counted(service):
    """Without a number Docker would restart for ever."""
    assert re.fullmatch(r"on-failure:[1-9]", service["restart"])


def test_the_server_knows_every_flag_of_the_command(service, newest):
    """They are in the help of the newest build that runs here."""
    done = subprocess.run([newest, "--help"], capture_output=True, text=True, check=False)
    flags = re.findall(r"--[a-z-]+", service["command"])
    assert len(flags) >= 7
    assert {flag for flag in flags if not re.search(rf"(^|[\s,]){flag}[\s,]", done.stdout)} == set()


@pytest.fixture
def check(service):
    """The health check as the container's shell runs it, beside a server of ours."""
    program("curl")
    kind, line = service["healthcheck"]["test"]
    assert kind == "CMD-SHELL"

    def run(server, key="k1"):
        told = line.replace("$$", "$").replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        assert "-m 60 " in told
        return subprocess.run(
            ["sh", "-c", told.replace("-m 60 ", "-m 2 ")],
            env=os.environ | {"LLAMA_API_KEY": key}, capture_output=True, check=False,
        ).returncode  # fmt: skip

    return run


def test_the_health_check_asks_for_a_token(speculating, newest, check):
    """Well with one, ill without: a wrong key, a server that stands still, one that is gone."""
    server = speculating(newest, 3, "--api-key", "k1")
    assert check(server) == 0
    assert check(server, "k2") != 0
    server.process.send_signal(signal.SIGSTOP)
    assert check(server) != 0
    server.process.kill()
    assert check(server) != 0


def test_the_health_check_finds_what_health_does_not(speculating, build, check):
    """A server that dies at its first request was healthy until then."""
    server = speculating(build, 0)
    assert server.healthy()
    assert check(server) != 0


def test_the_limit_of_the_question_ends_before_that_of_the_check(service):
    """Else Docker would kill the check and say less."""
    seconds = re.search(r"-m (\d+)", service["healthcheck"]["test"][1])[1]
    assert int(seconds) < int(service["healthcheck"]["timeout"].removesuffix("s"))
