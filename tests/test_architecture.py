"""The rules of the code itself: who imports whom, style, types, sizes."""

import ast
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXTS = {".md", ".yaml", ".yml", ".css", ".js", ".py", ".html", ".sh"}
SOURCES = sorted((ROOT / "scripts").rglob("*.py"))
TOOLS = {
    "imports": ["lint-imports", "--no-cache"],
    "style": ["ruff", "check"],
    "format": ["ruff", "format", "--check"],
    "types": ["mypy"],
}


@pytest.mark.parametrize("what", TOOLS)
def test_the_code_keeps_its_rules(what: str):
    """Import contracts, ruff and mypy have nothing to say."""
    name, *args = TOOLS[what]
    tool = Path(sys.executable).with_name(name)
    done = subprocess.run([tool, *args], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _functions() -> Iterator[int]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                yield (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_are_small():
    """Median about ten lines, nine in ten under thirty."""
    lengths = sorted(_functions())
    assert statistics.median(lengths) <= 11
    assert lengths[int(0.9 * len(lengths))] < 30


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_files_stay_readable(path: Path):
    """About two hundred lines a file, never three hundred."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 290


@pytest.mark.parametrize("module", ["yaml", "matplotlib", "jinja2", "mkdocs"])
def test_a_library_stays_in_its_corner(module: str):
    """YAML in the store, matplotlib in the figures, Jinja in the pages, MkDocs in the hooks."""
    corners = {
        "yaml": "record/store/",
        "matplotlib": "publish/figures/",
        "jinja2": "publish/pages/",
        "mkdocs": "mkdocs_hooks.py",
    }
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        used = any(
            line.startswith((f"import {module}", f"from {module}")) for line in text.splitlines()
        )
        assert not used or corners[module] in path.as_posix(), path


@pytest.mark.parametrize("folder", ["docs", "measurements", "scripts", "tests", ".github"])
def test_no_file_holds_what_a_merge_left(folder: str):
    """Markdown and YAML would show the marks to readers, and nothing else would object."""
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in TEXTS]
    marks = re.compile(r"^(?:<{7}|>{7}) \S", re.MULTILINE)
    assert [path for path in files if marks.search(path.read_text(encoding="utf-8"))] == []
