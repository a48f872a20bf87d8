"""The texts at the top of the repository are true: their example loads, both languages agree."""

import re
import shutil
from pathlib import Path

import pytest

from factories import errors
from speculoos.cli import VERBS
from speculoos.measure import machine
from speculoos.record.store import save

ROOT = Path(__file__).parents[1]
PAIRS = [("README.md", "README.fr.md"), ("CONTRIBUTING.md", "CONTRIBUTING.fr.md")]


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAIRS[1])
def test_the_commented_example_passes_every_rule(tmp_path: Path, name: str):
    """A contributor can start from it."""
    (example,) = re.findall(r"```yaml\n(.*?)```", _text(name), re.DOTALL)
    root = tmp_path / "measurements"
    shutil.copytree(ROOT / "measurements" / "prompts", root / "prompts")
    save(machine.describe("rig"), root / "rig" / "machine.yaml")
    path = root / "rig" / "2026-11-29-example.yaml"
    path.write_text(example, encoding="utf-8")
    assert errors(path) == []


@pytest.mark.parametrize(("english", "french"), PAIRS)
def test_both_languages_show_the_same_blocks_of_code(english: str, french: str):
    """The same number of code blocks and table rows in both."""
    for pattern in (r"^```", r"^\| "):
        counts = [len(re.findall(pattern, _text(name), re.MULTILINE)) for name in (english, french)]
        assert counts[0] == counts[1], pattern


@pytest.mark.parametrize("name", [name for pair in PAIRS for name in pair])
def test_every_link_to_a_file_leads_somewhere(name: str):
    """Relative links only; addresses of the web are checked elsewhere."""
    for target in re.findall(r"\]\(([^)#]+)", _text(name)):
        assert target.startswith("http") or (ROOT / target).exists(), target


def test_every_verb_of_the_readme_exists():
    """And every verb is in the table."""
    named = set(re.findall(r"\| `speculoos (\w+)", _text("README.md")))
    assert named == set(VERBS)
