"""`speculoos read` on saved logs: tables for people, objects for programs."""

import bz2
import gzip
import json
import lzma
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from read.log_writer import Truth, keyed

DATA = Path(__file__).parents[1] / "data" / "read"


def test_json_is_one_list_with_the_keys_of_the_contract(speculoos):
    """One object per request, unknown as null."""
    done = speculoos("read", DATA / "08_mean_len_cut_end.log", "--json")
    first, second = json.loads(done.stdout)
    assert (first["task"], first["draft_n_accepted"], first["draft_n"]) == (181, 82, 84)
    assert (second["task"], second["speculation"], second["draft_n"]) == (226, "unknown", None)
    assert done.returncode == 0


def test_a_table_ends_with_a_summary_and_hints(speculoos):
    """Requests, tokens, rate, and what to do."""
    done = speculoos("read", DATA / "21_b11434_md_without_spec_type.log")
    assert "Requests:   2 (speculation: none 2)" in done.stdout
    assert "2.21 (104 tokens over 47.0 s; 2.26 with first tokens)" in done.stdout
    assert "(pitfalls#silently-off)" in done.stdout
    assert max(map(len, done.stdout.splitlines()[1:4])) <= 80


def test_a_long_log_shows_both_ends_and_says_what_it_leaves_out(speculoos, tmp_path: Path):
    """`--all` shows every request; neither needs the memory for them."""
    requests = [Truth(0, n, 40, 500.0, 96, 2000.0, ((3, 2),) * 9) for n in range(300)]
    lines = (f"{line}\n" for request in requests for line in keyed(request, "B"))
    (tmp_path / "long.log").write_text("".join(lines))
    short, whole = speculoos("read", "long.log"), speculoos("read", "long.log", "--all")
    assert "… 260 more; --all shows them" in short.stdout
    assert short.stdout.count("slot 0, task") == 40
    assert whole.stdout.count("slot 0, task") == 300
    assert "Acceptance: 66.7 % (5400 of 8100 drafted tokens, pooled)" in whole.stdout


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress])
def test_a_packed_log_is_read_like_a_plain_one(speculoos, tmp_path: Path, packed):
    """What rotates logs packs them."""
    data = (DATA / "08_mean_len_cut_end.log").read_bytes()
    (tmp_path / "log.1").write_bytes(packed(data))
    plain = json.loads(speculoos("read", "--json", DATA / "08_mean_len_cut_end.log").stdout)
    assert json.loads(speculoos("read", "log.1", "--json").stdout) == plain


def test_a_packed_log_that_was_cut_says_so_and_gives_what_it_holds(speculoos, tmp_path: Path):
    """A download that broke off."""
    data = (DATA / "08_mean_len_cut_end.log").read_bytes()
    (tmp_path / "log.gz").write_bytes(gzip.compress(data * 50)[:-20])
    done = speculoos("read", "log.gz")
    assert "(pitfalls#cut)" in done.stdout
    assert "slot 0, task 181" in done.stdout


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_what_powershell_writes_is_read_too(speculoos, tmp_path: Path, encoding):
    """UTF-16, with a mark in front or without."""
    text = (DATA / "08_mean_len_cut_end.log").read_text()
    (tmp_path / "ps.log").write_text(text, encoding=encoding)
    assert len(json.loads(speculoos("read", "ps.log", "--json").stdout)) == 2


def test_what_holds_nothing_is_named_and_exits_1(speculoos, tmp_path: Path):
    """One line that says what is known, no traceback; the other files are still read."""
    (tmp_path / "poem.txt").write_text("Roses are red\n")
    done = speculoos("read", "poem.txt", DATA / "17_timings_response.json")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("poem.txt: neither a log nor an output that speculoos reads: ")
    assert "65" in done.stdout


def test_ctrl_c_ends_without_a_word_of_measuring(environment, tmp_path: Path):
    """Reading saves nothing."""
    command = [sys.executable, "-m", "speculoos", "read"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        # a shell that runs the tests in the background has them ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as reading:  # fmt: skip
        reading.stdin.write(b"more than a pipe holds" * 100_000)  # ends once it is read
        while psutil.Process(reading.pid).status() != psutil.STATUS_SLEEPING:
            time.sleep(0.01)
        reading.send_signal(signal.SIGINT)
        said = reading.stderr.read()
    assert (reading.returncode, said) == (130, b"\nInterrupted.\n")


def test_standard_input_is_read_once(speculoos):
    """A second - would find it empty."""
    done = speculoos("read", "-", DATA / "17_timings_response.json", "-")
    assert done.returncode == 2
    assert "- is named more than once" in done.stderr
