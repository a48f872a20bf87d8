"""Files that want to do harm: each gets its line, and takes neither time nor memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from record import good_file
from speculoos.record.checks import check_paths

MIB = 2**20
BOMB = b"a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n"
HOSTILE = {
    "a bomb of aliases": (BOMB, "anchor"),
    "an alias alone": (b"a: *nothing\n", "alias"),
    "a merge": (b"a: {x: 1}\n<<: {y: 2}\n", "unknown key"),
    "an object of Python": (b"!!python/object/apply:os.system [id]\n", "tag"),
    "binary": (b"a: !!binary aGVsbG8=\n", "tag"),
    "a set": (b"a: !!set {x, y}\n", "tag"),
    "a tag of one's own": (b"a: !mine x\n", "tag"),
    "the widest list": (b"[" + b"1," * MIB + b"]", "values"),
    "the longest list": (b"- a\n" * MIB, "values"),
    "the most keys": (b"".join(b"k%d: 1\n" % n for n in range(300_000)), "values"),
    "one key again and again": (b"a: 1\n" * 30_000, "given twice"),
    "nests of lists": (b"[" * 100_000, "not YAML"),
    "nests of mappings": (b"{a: " * 100_000, "levels"),
    "nests of dashes": (b"- " * 100_000, "levels"),
    "megabytes": (b"#" * (5 * MIB), "bytes"),
    "one long word": (b"a: " + b"x" * (3 * MIB), "unknown key"),
    "one long number": (b"a: " + b"1" * (3 * MIB), "unknown key"),
    "one long almost-number": (b"a: " + b"0_" * MIB + b"x", "unknown key"),
    "one long almost-time": (b"a: " + b"1:" * MIB + b"x", "unknown key"),
    "one long key": (b"x" * 3000 + b": 1\n", "not YAML"),
    "many unknown keys": (b"".join(b"draft_x%d: 1\n" % n for n in range(30_000)), "unknown key"),
    "not a number": (b"format: .nan\n", "read differently"),
    "infinity": (b"format: -.inf\n", "read differently"),
    "infinity by another name": (b"format: 1e999\n", "no number that a computer holds"),
    "a number of 90 digits": (b"format: " + b"9" * 90, "expected"),
    "a Norwegian": (b"kind: no\n", "read differently"),
    "a time of day": (b"kind: 12:30\n", "read differently"),
    "an octal": (b"format: 0o7\n", "read differently"),
    "UTF-16": ("format: 1\n".encode("utf-16"), "not UTF-8"),
    "UTF-16 without a mark": ("format: 1\n".encode("utf-16-le"), "U+0000"),
    "Latin-1": ("notes: déjà\n".encode("latin-1"), "not UTF-8"),
    "a null": (b"format: 1\x00\n", "U+0000"),
    "an escape of a terminal": (b"kind: a\x1b[2Jb\n", "U+001B"),
    "an escape in quotes": (b'kind: "a\\e[2Jb"\n', "U+001B"),
    "an escape in a key": (b'"a\\e[2J": 1\n', "U+001B"),
    "text that turns round": ("kind: a\u202eb\n".encode(), "reorders"),
    "text that turns round in quotes": (b'kind: "a\\u202eb"\n', "reorders"),
    "a space that is none": ("kind: a\u200bb\n".encode(), "cannot be seen"),
    "letters that are tags": ("kind: a\U000e0041\n".encode(), "cannot be seen"),
    "a mark in the middle": ("kind: a\ufeffb\n".encode(), "cannot be seen"),
    "half a letter": (b'kind: "\\ud800"\n', "not YAML"),
    "nothing": (b"", "empty"),
    "only a comment": (b"# nothing\n", "empty"),
    "a list": (b"- 1\n", "not a measurement"),
    "a word": (b"hello\n", "not a measurement"),
    "two documents": (b"a: 1\n---\nb: 2\n", "second document"),
    "tabs": (b"a:\n\tb: 1\n", "not YAML"),
    "a key that is a list": (b"? [a]\n: 1\n", "a key that is not text"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A collection with one good file."""
    return good_file.write(tmp_path / "measurements").parents[1]


def _bad(root: Path, content: bytes, name: str = "2026-11-29-bad.yaml") -> Path:
    path = root / "rig" / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_its_line(root: Path, name: str):
    """Path, line and a remedy; nothing that a terminal would obey; the good file stands."""
    content, words = HOSTILE[name]
    path = _bad(root, content)
    found = check_paths([root])
    assert {problem.path for problem in found} == {str(path)}
    assert any(words in problem.message for problem in found), [str(p) for p in found]
    assert all(str(problem).isprintable() and ";" in problem.message for problem in found)
    assert len(found) <= 51


PEAK = """
import atexit, re, sys
from pathlib import Path
from speculoos.cli import main
status = Path("/proc/self/status")
atexit.register(lambda: print(re.search("VmHWM.*", status.read_text())[0], file=sys.stderr))
main()
"""
"""The command, and at its end the most memory it held; `getrusage` would count the parent."""


@pytest.mark.parametrize("form", ["text", "github", "json"])
def test_no_hostile_file_takes_much_memory(root: Path, form: str):
    """All of them at once: under 200 MB, no traceback, exit 1."""
    for at, (content, _) in enumerate(HOSTILE.values()):
        _bad(root, content, f"2026-11-29-bad-{at}.yaml")
    command = [sys.executable, "-c", PEAK, "check", "--format", form, str(root)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root, text=True
    ) as child:
        out, err = child.communicate(timeout=120)
    assert child.returncode == 1
    assert "Traceback" not in err
    assert "\x1b" not in out
    assert int(err.split()[-2]) < 200_000


def test_long_arguments_are_read_once(root: Path):
    """The search for private things begins anew at words, not at every sign of a long one."""
    path = root / "rig" / good_file.NAME
    pieces = ("a", "a-", "a.", "1.", "eyJ-", "token ")
    words = [piece * (MIB // 2 // len(piece)) + "!" for piece in pieces]
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("args: [--metrics]", f"args: {words}", 1), encoding="utf-8")
    command = [sys.executable, "-m", "speculoos", "check", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "0 error(s)" in done.stderr


def test_a_link_is_not_followed(root: Path, tmp_path: Path):
    """A file, a folder, and the exceptions."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "2026-11-29-x.yaml").write_text("password: hunter2\n")
    (root / "linked").symlink_to(secret)
    (root / "rig" / "2026-11-29-link.yaml").symlink_to(secret / "2026-11-29-x.yaml")
    (root / "exceptions.yaml").symlink_to(secret / "2026-11-29-x.yaml")
    found = check_paths([root])
    assert len(found) == 3
    assert all("symbolic link" in problem.message for problem in found)
    assert "hunter2" not in str(found)


def test_what_is_no_file_is_not_read(root: Path):
    """A pipe would wait for ever, a folder has no text."""
    os.mkfifo(root / "rig" / "2026-11-29-pipe.yaml")
    (root / "rig" / "2026-11-29-folder.yaml").mkdir()
    found = check_paths([root])
    assert [p.message for p in found] == ["not a regular file, expected YAML; remove it"] * 2


def test_a_name_with_an_escape_is_written_out(root: Path):
    """What a file is called cannot move the cursor either."""
    _bad(root, b"", "2026-11-29-\x1b[2J\n.yaml")
    assert all(str(problem).isprintable() for problem in check_paths([root]))


@pytest.mark.parametrize(
    "place", ["2026-11-29-top.yaml", "rig/deep/2026-11-29-x.yaml", "rig/a.YML"]
)
def test_a_file_that_nothing_reads_is_named(root: Path, place: str):
    """Too high, too deep, or with another ending."""
    path = root / place
    path.parent.mkdir(exist_ok=True)
    path.write_text("format: 1\n")
    assert str(path) in {problem.path for problem in check_paths([root])}


def test_windows_line_ends_and_a_mark_at_the_start_are_read(root: Path):
    """Editors there write them, and nothing is lost; lines keep their numbers."""
    path = root / "rig" / good_file.NAME
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert check_paths([root]) == []
