"""The page: every block of shell runs as it stands, beside real servers and in both languages."""

import os
import re
import shutil
import signal
import subprocess
import sys

import httpx
import pytest

from operate.conftest import QUICK, until
from operate.files import FOLDER, program
from publish.website import ROOT

PAGES = {lang: ROOT / "docs" / lang / "operate.md" for lang in ("fr", "en")}
RUN_HERE = {"guard": 1, "systemd": 2, "containers": 1, "router": 2, "alerts": 1}
"""How many blocks of shell stand under which heading; each has its test below."""


def _blocks(language):
    text = PAGES[language].read_text(encoding="utf-8")
    parts = re.split(r"^## .*\{#([a-z-]+)\}$", text, flags=re.MULTILINE)
    found = {
        anchor: re.findall(r"^```bash\n(.*?)^```", part, re.DOTALL | re.MULTILINE)
        for anchor, part in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {anchor: blocks for anchor, blocks in found.items() if blocks}


@pytest.fixture
def shell(tmp_path):
    """Run lines beside the page's files, with programs of ours in front of the system's."""
    folder, programs = tmp_path / "page", tmp_path / "programs"
    shutil.copytree(FOLDER, folder)
    programs.mkdir()

    def run(lines, server=None, **stubs):
        stubs = {"sudo": 'exec "$@"', "python3": f'exec "{sys.executable}" "$@"'} | stubs
        for name, body in stubs.items():
            (programs / name).write_text(f"#!/bin/sh\n{body}\n")
            (programs / name).chmod(0o755)
        if server:
            lines = lines.replace(":8080", f":{server.port}").replace(
                "--port 8080", f"--port {server.port}"
            )
        env = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
        with run.said.open("w") as said:
            return subprocess.Popen(
                ["bash", "-ec", lines], cwd=folder, env=env,
                stdout=said, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip

    run.folder, run.said = folder, tmp_path / "said"
    return run


def _end(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_the_commands_are_the_same_in_both_languages_and_all_of_them_run_here():
    """A block that is added needs a test below."""
    assert _blocks("fr") == _blocks("en")
    assert {anchor: len(blocks) for anchor, blocks in _blocks("en").items()} == RUN_HERE


@pytest.mark.parametrize(
    ("anchor", "tool", "told"),
    [
        ("guard", "systemctl", "restart llama-server"),
        ("containers", "docker", "compose restart llama"),
    ],
)
def test_the_guard_of_the_page_reloads_what_it_says(
    speculating, newest, shell, tmp_path, anchor, tool, told
):
    """The program that it would call is told to restart the server, once that is dead."""
    server = speculating(newest)
    lines = [line for line in _blocks("en")[anchor][0].splitlines() if "guard.py" in line]
    called = tmp_path / "called"
    if anchor == "guard":
        assert shell(lines[0], server).wait(30) == 0
    server.process.kill()
    quick = lines[-1].replace(" --url", f" {' '.join(QUICK)} --url")
    watching = shell(quick, server, **{tool: f'echo "$*" >>"{called}"'})
    try:
        until(called.exists, "called")
        assert called.read_text().splitlines()[0] == told
    finally:
        _end(watching)


def test_compose_knows_the_commands_of_the_page():
    """`docker-compose` has the same ones as `docker compose`."""
    lines = [line for line in _blocks("en")["containers"][0].splitlines() if "guard" not in line]
    assert lines == ["docker compose up -d", "docker compose ps"]
    for verb, option in (("up", "--detach"), ("ps", "--services"), ("restart", "--timeout")):
        done = subprocess.run(
            [program("docker-compose"), "help", verb], capture_output=True, text=True, check=False
        )
        assert option in done.stdout


def test_the_units_are_installed_where_systemd_finds_them(shell, tmp_path):
    """With other folders: the files lie there, systemd has nothing to say, and both are started."""
    program("systemd-analyze")
    places = {"/usr/local/bin/": f"{tmp_path}/bin/", "/etc/systemd/system/": f"{tmp_path}/units/"}
    (tmp_path / "units").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/llama-server").write_text("#!/bin/sh\n")
    (tmp_path / "bin/llama-server").chmod(0o755)
    lines = _blocks("en")["systemd"][0]
    for there, here in places.items():
        lines = lines.replace(there, here)
        for unit in shell.folder.glob("*.service"):
            unit.write_text(unit.read_text().replace(there, here))
    done = shell(lines, systemctl=f'echo "$*" >>"{tmp_path}/called"')
    assert (done.wait(30), shell.said.read_text()) == (0, "")
    assert len(list((tmp_path / "units").iterdir())) == 3
    assert os.access(tmp_path / "bin/guard.py", os.X_OK)
    assert (tmp_path / "called").read_text().splitlines() == [
        "daemon-reload",
        "enable --now llama-server llama-guard",
    ]


def test_the_rehearsal_of_the_page_is_noticed(speculating, newest, shell):
    """The process that systemd names is stopped, and the guard reloads it."""
    server = speculating(newest)
    server.guard("--deadline", "0.5")
    pid = server.process.pid
    done = shell(_blocks("en")["systemd"][1], systemctl=f"echo {pid}", journalctl="true")
    assert done.wait(20) == 0
    until(lambda: "reload 1 of 2: stuck" in server.said, "noticed")


def test_the_router_of_the_page_puts_the_plain_model_in_place(newest, serve, shell, tiny):
    """Started as it stands, with a model of ours; then the two lines that switch."""
    start, guard = _blocks("en")["router"][0].splitlines()
    server = serve(newest, "-m", tiny)
    server.process.kill()
    preset = shell.folder / "models.ini"
    preset.write_text(preset.read_text().replace("/srv/models/model.gguf", str(tiny)))
    router = shell(start, server, **{"llama-server": f'exec "{newest}" "$@"'})
    try:
        until(server.healthy, "healthy")
        until(lambda: _state(server, "fast") == "loaded", "loaded")
        assert shell(f"{guard} --check", server).wait(30) == 0
        assert shell(_blocks("en")["router"][1], server).wait(30) == 0
        until(lambda: _state(server, "fast") == "unloaded", "unloaded")
        until(lambda: _state(server, "plain") == "loaded", "in its place")
    finally:
        _end(router)


def _state(server, name):
    models = httpx.get(f"{server.url}/v1/models").json()["data"]
    return next(model["status"]["value"] for model in models if model["id"] == name)


def test_promtool_of_the_page_says_yes(shell):
    """Both lines, in the folder of the files."""
    program("promtool")
    assert shell(_blocks("en")["alerts"][0]).wait(30) == 0, shell.said.read_text()


@pytest.mark.parametrize("language", PAGES)
def test_every_file_is_offered_and_every_offer_is_a_file(language):
    """Those that are shown are shown from the file itself."""
    text = PAGES[language].read_text(encoding="utf-8")
    offered = set(re.findall(r'href="[./]+/assets/operate/([^"]+)" download>', text))
    assert offered == {path.name for path in FOLDER.iterdir() if path.is_file()}
    shown = re.findall(r'--8<-- "(.+)"', text)
    assert len(shown) >= 5
    assert all((ROOT / path).is_file() for path in shown)


@pytest.mark.parametrize("language", PAGES)
def test_every_alert_of_the_file_is_explained(language):
    """And none that is not there."""
    named = re.findall(r"^\| `(Llama\w+)`", PAGES[language].read_text("utf-8"), re.MULTILINE)
    rules = (FOLDER / "alerts.yaml").read_text(encoding="utf-8")
    assert named == re.findall(r"alert: (\w+)", rules)
