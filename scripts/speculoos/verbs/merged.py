"""What the repository had accepted: the state that a pull request is compared with, from git."""

import subprocess
from pathlib import Path

import click

from speculoos.record.store import FOLDER, Merged

_BASES = ("origin/main", "main")


class NoBaseError(click.ClickException):
    """The state that was asked for is not there."""


def merged_below(root: Path, base: str | None) -> Merged | None:
    """The files below `root` that differ from `base`, or from main where that exists.

    The state is where the two histories parted, so that what others merged since is no change.
    None without git, or without a main. Raises `NoBaseError` where `base` was named in vain.
    """
    name = next((each for each in ([base] if base else _BASES) if _commit(root, each)), None)
    if name is None:
        if base:
            text = f"{base!r} is no commit that git knows in {root}; fetch it, or name another"
            raise NoBaseError(text)
        return None
    since = _git(root, "merge-base", name, "HEAD") or _commit(root, name) or name
    changed = _git(root, "diff", "--no-renames", "--relative", "--name-only", "-z", *_PLAIN, since)
    files = {path: _content(root, since, path) for path in (changed or "").split("\0") if path}
    known = {path: text for path, text in files.items() if text is not None}
    return Merged(name, known)


_PLAIN = ("--no-ext-diff", "--no-textconv", "--ignore-submodules", "--diff-filter=MDT")


def _commit(root: Path, name: str) -> str | None:
    """The commit of a name; an option in its place is no name."""
    return _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")


def _content(root: Path, commit: str, path: str) -> bytes | None:
    return _run(root, "show", "--no-textconv", f"{commit}:./{path}")


def _git(root: Path, *args: str) -> str | None:
    out = _run(root, *args)
    return None if out is None else out.decode("utf-8", "surrogateescape").strip("\n")


def _run(root: Path, *args: str) -> bytes | None:
    """What git prints; None where it is not there or says no."""
    if not root.is_dir() or root.name != FOLDER:
        return None
    try:
        done = subprocess.run(["git", "-C", root, *args], capture_output=True, check=False)  # noqa: S607 - the git of the person
    except FileNotFoundError:
        return None
    return None if done.returncode else done.stdout
