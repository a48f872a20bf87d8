"""The units: systemd reads them without a word, and what they start exists as they call it."""

import re
import shutil
import subprocess
import sys

import pytest

from operate.files import FOLDER, GUARD, load_guard, program

UNITS = sorted(path.name for path in FOLDER.glob("*.service"))


@pytest.fixture
def units(tmp_path):
    """A copy of the units whose programs exist on this machine."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("llama-server", "guard.py", "logger"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    for name in UNITS:
        text = (FOLDER / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(re.sub(r"(?<=ExecStart=)/usr/(local/)?bin", str(folder), text))
    return tmp_path


def _verify(folder):
    words = [program("systemd-analyze"), "verify", *(str(folder / name) for name in UNITS)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_systemd_has_nothing_to_say_about_the_units(units):
    """Not even a warning about a key that it ignores."""
    assert _verify(units) == (0, "")


def test_systemd_would_name_a_key_that_it_ignores(units):
    """So the silence above means something: a key with a slip is reported."""
    unit = units / "llama-guard.service"
    unit.write_text(unit.read_text().replace("WatchdogSec=", "WatchdogSecs="))
    assert "WatchdogSecs" in _verify(units)[1]


@pytest.mark.parametrize(("unit", "most"), [("llama-server", 4.0), ("llama-guard", 5.5)])
def test_the_units_are_hardened(units, unit, most):
    """Exposure as systemd counts it, from 10 (bare) down."""
    words = [program("systemd-analyze"), "security", "--offline=true", "--no-pager"]
    done = subprocess.run(
        [*words, units / f"{unit}.service"], capture_output=True, text=True, check=False
    )
    assert float(re.search(r"exposure level.*?: ([\d.]+)", done.stdout)[1]) <= most


def _started(unit):
    text = (FOLDER / unit).read_text(encoding="utf-8").replace("\\\n", " ")
    return re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)[1].split()


def test_the_server_knows_every_flag_that_its_unit_gives(newest):
    """They are in the help of the newest build that runs here."""
    done = subprocess.run([newest, "--help"], capture_output=True, text=True, check=False)
    flags = [word for word in _started("llama-server.service") if word.startswith("--")]
    assert len(flags) >= 8
    assert {flag for flag in flags if not re.search(rf"(^|[\s,]){flag}[\s,]", done.stdout)} == set()


def test_the_guard_reads_what_its_unit_gives(monkeypatch, tmp_path):
    """And reloads that very server, fewer times than systemd allows it to start."""
    server = (FOLDER / "llama-server.service").read_text(encoding="utf-8")
    assert "--port 8080 " in server
    monkeypatch.setattr(sys, "argv", _started("llama-guard.service"))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    options = load_guard().read_options()
    assert options.command == ["systemctl", "restart", "llama-server.service"]
    assert options.url.endswith(":8080")
    assert options.state == tmp_path / "llama-guard.json"
    assert options.limit < int(re.search(r"StartLimitBurst=(\d+)", server)[1])


def test_the_guard_starts_as_a_program():
    """Its first line finds Python, its file may run."""
    env = {"PATH": f"{shutil.which('python3').rsplit('/', 1)[0]}:/usr/bin:/bin"}
    done = subprocess.run([GUARD, "--help"], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, "reload it, a few times and no more" in done.stdout) == (0, True)
