"""A server that we start is ours alone: loopback, a key of its own, which is written nowhere."""

import secrets
from pathlib import Path

import httpx
import psutil
import pytest
from click.testing import CliRunner

from measure.harm import command, the_server
from speculoos.measure.run import Started
from speculoos.measure.server import Server
from speculoos.verbs.measure import measure_command

pytestmark = pytest.mark.usefixtures("nothing_left")


def _listens(process: psutil.Process) -> set[str]:
    connections = process.net_connections(kind="inet")
    return {c.laddr.ip for c in connections if c.status == psutil.CONN_LISTEN}


def test_a_server_listens_on_the_loopback_interface_alone(build, tiny: Path, tmp_path: Path):
    """Nobody else on the network can ask it."""
    with Server(command(build, tiny, tmp_path)):
        assert _listens(the_server()) == {"127.0.0.1"}


def test_a_server_answers_nobody_without_its_key(build, tiny: Path, tmp_path: Path):
    """Every server has another one, and it stands on no command line."""
    with Server(command(build, tiny, tmp_path)) as running:
        url = f"http://127.0.0.1:{running.port}/props"
        assert httpx.get(url).status_code == httpx.codes.UNAUTHORIZED
        wrong = {"Authorization": f"Bearer {secrets.token_hex(16)}"}
        assert httpx.get(url, headers=wrong).status_code == httpx.codes.UNAUTHORIZED
        assert running.key not in " ".join(the_server().cmdline())
        assert Server(running.command).key != running.key


def test_the_key_is_written_nowhere(measured, build, tiny: Path, tmp_path, monkeypatch, capfd):
    """Not in the record, not in a log, not on the screen, not even its last letters."""
    key = "0badc0de0badc0de0badc0de0bad5afe"
    monkeypatch.setattr(secrets, "token_hex", lambda _: key)
    _, events = measured(build.path, tiny)
    assert any(isinstance(event, Started) for event in events)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".log", ".yaml"}
    written = "".join(path.read_text(errors="replace") for path in files)
    for text in (written, repr(events), *capfd.readouterr()):
        assert not [part for part in (key[:4], key[-4:]) if part in text]


def test_a_remote_server_cannot_be_measured(tiny: Path):
    """Only a binary that we start: an address is wrong usage, with a word on what is for it."""
    args = ["--server", "http://192.0.2.1:8080", "--model", str(tiny)]
    result = CliRunner().invoke(measure_command, args)
    assert result.exit_code == 2
    assert "192.0.2.1" in result.output
    assert "speculoos observe" in result.output.replace("\n", " ")
