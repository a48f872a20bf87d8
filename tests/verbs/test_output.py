"""What a measurement prints, where it prints to: narrow, without colours or UTF-8, or to nobody."""

import os
import pty
import re
import struct
import subprocess
import sys
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import pytest

from speculoos.record.store import load_measurement

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-7]|9[0-7])m")
COLUMNS = 40


@pytest.fixture
def command(server: Path, tiny: Path) -> list[str]:
    """A short measurement."""
    args = ["measure", "--server", server, "--model", tiny, "--n-max", "1", "--blocks", "1"]
    args += ["--prompts", "cycle-1", "--max-tokens", "20", "--", "-c", "512", "-t", "1"]
    return [sys.executable, "-m", "speculoos", *map(str, args)]


def _in_a_terminal(command: list[str], columns: int, **how) -> tuple[str, int]:
    """What a terminal of so many columns is sent, and the exit code."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, **how)
    os.close(theirs)
    sent = b""
    with suppress(OSError):  # the other end is closed
        while part := os.read(ours, 2**16):
            sent += part
    os.close(ours)
    return sent.decode(), process.wait()


def _complete(folder: Path) -> bool:
    (file,) = folder.glob("measurements/*/2*.yaml")
    return load_measurement(file).record.design.stopped == "blocks"


def test_a_narrow_terminal_shows_every_figure_whole(command, tmp_path: Path, environment):
    """Forty columns: a line for each figure, the live line fits, the path can be copied."""
    settings = environment | {"TERM": "xterm"}
    sent, code = _in_a_terminal(command, COLUMNS, cwd=tmp_path, env=settings)
    lines = [line.rstrip() for line in re.split(r"[\r\n]+", ESCAPE.sub("", sent))]
    assert code == 0, sent
    long = [line for line in lines if len(line) > COLUMNS]
    assert all(line.startswith(("Saved: ", "To add it")) for line in long), long
    assert "n_max 1" in lines
    assert any(re.fullmatch(r"  tokens/s: [\d.]+", line) for line in lines)
    assert any(re.search(r"\d/6 .*(baseline|n_max 1)", line) for line in lines)


def test_no_color_leaves_out_the_colours(command, tmp_path: Path, environment):
    """https://no-color.org: whatever its value is."""
    for no_color, coloured in (({"NO_COLOR": "1"}, False), ({}, True)):
        settings = environment | {"TERM": "xterm"} | no_color
        sent, _ = _in_a_terminal(command, 120, cwd=tmp_path, env=settings)
        assert bool(COLOUR.search(sent)) == coloured


def test_a_dumb_terminal_gets_the_lines_of_a_plain_log(command, tmp_path: Path, environment):
    """It cannot move its cursor, so nothing is drawn over."""
    settings = environment | {"TERM": "dumb"}
    sent, code = _in_a_terminal(command, 120, cwd=tmp_path, env=settings)
    assert code == 0
    assert "\x1b" not in sent
    assert "  block 1, n_max 1 (" in sent


def test_a_locale_without_utf_8_gets_plain_signs(command, tmp_path: Path, environment):
    """Dots for an ellipsis, and no traceback."""
    settings = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment | settings, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert b"Reading tiny.gguf ..." in done.stdout


def test_a_reader_that_goes_away_does_not_end_a_measurement(command, tmp_path: Path, environment):
    """As `head` does after some lines: the file gets complete, nothing complains."""
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")
    assert _complete(tmp_path)


def test_a_standard_output_that_was_closed_is_no_error(command, tmp_path: Path, environment):
    """`>&-` in a shell."""
    shell = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *command]
    done = subprocess.run(shell, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert _complete(tmp_path)
