"""Wheels through a real pip, from a folder instead of PyPI: fetched once, checked, kept whole."""

import zipfile
from pathlib import Path

import pytest

from speculoos.parts.pypi import PartError, Wheel, unpacked
from speculoos.record.store import sha256_of

ARCHIVE = "speculoos_sample_part-1.0-py3-none-any.whl"
MEMBERS = {
    "sample/bin/tool": "the tool",
    "sample/bin/tool.1.2.3": "the tool, once more",
    "sample/LICENSE": "do what you like",
    "speculoos_sample_part-1.0.dist-info/METADATA": (
        "Metadata-Version: 2.1\nName: speculoos-sample-part\nVersion: 1.0\n"
    ),
    "speculoos_sample_part-1.0.dist-info/WHEEL": (
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    ),
    "speculoos_sample_part-1.0.dist-info/RECORD": "",
}


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one wheel, which is all that pip can reach."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    with zipfile.ZipFile(folder / ARCHIVE, "w") as archive:
        for name, text in MEMBERS.items():
            archive.writestr(name, text)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def pinned(shelf: Path, digest: str | None = None) -> Wheel:
    digest = digest or sha256_of(shelf / ARCHIVE)
    return Wheel("speculoos-sample-part", "1.0", digest, 1, ("sample/bin/tool", "*/LICENSE"))


def test_only_the_wanted_members_are_unpacked(shelf: Path, tmp_path: Path):
    """A wheel of 200 MB with every library three times takes a third of it."""
    folder = unpacked(pinned(shelf), tmp_path / "cache")
    kept = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert kept == {"sample/bin/tool", "sample/LICENSE", "unpacked.json"}
    assert (folder / "sample/bin/tool").read_text() == "the tool"


def test_a_second_call_downloads_nothing(shelf: Path, tmp_path: Path):
    """Once it is there, no network is needed, and nothing is reported."""
    wheel, said = pinned(shelf), []
    first = unpacked(wheel, tmp_path / "cache", said.append)
    assert said == [
        "Getting speculoos-sample-part 1.0 from PyPI, 1 MB, once",
        "Unpacking speculoos-sample-part 1.0",
    ]
    (shelf / ARCHIVE).unlink()
    assert unpacked(wheel, tmp_path / "cache", said.append) == first
    assert len(said) == 2


def test_nothing_is_left_but_the_folder(shelf: Path, tmp_path: Path):
    """The archive and the work folder are gone: the cache holds no byte twice."""
    folder = unpacked(pinned(shelf), tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == [folder]


@pytest.mark.parametrize("harm", ["cut", "missing", "stamp"])
def test_a_damaged_folder_is_made_anew(harm: str, shelf: Path, tmp_path: Path):
    """A cut file, a missing one or a damaged stamp: the folder is replaced as a whole."""
    wheel = pinned(shelf)
    folder = unpacked(wheel, tmp_path / "cache")
    tool = folder / "sample/bin/tool"
    {
        "cut": lambda: tool.write_text("the"),
        "missing": tool.unlink,
        "stamp": lambda: (folder / "unpacked.json").write_text("{"),
    }[harm]()
    assert unpacked(wheel, tmp_path / "cache") == folder
    assert tool.read_text() == "the tool"


def test_another_hash_is_refused(shelf: Path, tmp_path: Path):
    """What is not the pinned file, byte for byte, never reaches the cache."""
    with pytest.raises(PartError, match="another SHA-256 than the pinned one; nothing was kept"):
        unpacked(pinned(shelf, digest="0" * 64), tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_version_that_is_gone_is_said(shelf: Path, tmp_path: Path):
    """In one line, with the package's name before it."""
    wheel = pinned(shelf)
    (shelf / ARCHIVE).unlink()
    with pytest.raises(PartError, match="pip finds no such package; check the network") as error:
        unpacked(wheel, tmp_path / "cache")
    assert "\n" not in str(error.value)
    assert str(error.value).startswith("cannot get speculoos-sample-part 1.0 from PyPI: ")


def test_no_connection_is_said_as_such(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Behind a wall, the way out is pip's settings, which are honoured."""
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(PartError, match="no connection; check the network, or pip's proxy"):
        unpacked(pinned(shelf), tmp_path / "cache")
