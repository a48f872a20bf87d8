"""The sources of the pages: what is typed by hand, and how it is set."""

import re

import pytest

from publish.website import ROOT
from speculoos.publish.results import Results
from speculoos.publish.text import LANGUAGES
from speculoos.publish.values import OF_POINT, AbsentValueError, value
from speculoos.record.store import load, load_collection
from speculoos.record.types.sources import Sources

SOURCES = sorted((ROOT / "docs").glob("*/*.md"))
_NOT_PROSE = re.compile(
    r"^[ \t]*(`{3,})[^\n]*\n.*?^[ \t]*\1[ \t]*$|`[^`\n]*`|\[\[.*?\]\]|<!--.*?-->|\{#[^}]*\}"
    r"|<[^>]+>|\]\([^)]*\)|\A---\n.*?\n---\n",
    re.DOTALL | re.MULTILINE,
)
_FENCED = re.compile(r"^[ \t]*(`{3,}).*?^[ \t]*\1", re.DOTALL | re.MULTILINE)
_MEASURED = re.compile(
    r"\d[\d.,\u202f]*[\s\u00a0\u202f]?"
    r"(?:%|\u00d7|x\b|tok|jetons/s|tokens/s|jetons par seconde|tokens per second|fois\b|times\b"
    r"|ms\b|MiB\b|Mio\b|GB\b|Go\b)",
)
ALLOWED = {
    "95%": "the level of the interval, a choice of the method",
    "15%": "the spread of the baseline above which nothing is advised, a choice too",
    "20%": "the load before the start from which on a warning is given",
    "10%": "the load during a block from which on it is measured again",
    "2%": "the half-width of the interval that ends a usual measurement",
    "1%": "the same of a thorough one",
}
"""Each is held to the code by `tests/publish/test_method_on_pages.py`."""


def prose(path):
    """The text of a page without code, markers, links and head."""
    return _NOT_PROSE.sub(" ", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_no_figure_with_a_unit_is_typed_by_hand(path):
    """Speeds, ratios, shares and sizes come from a file, through a marker."""
    found = {re.sub(r"\s", "", hit[0]) for hit in _MEASURED.finditer(prose(path))}
    assert found <= set(ALLOWED)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_no_measured_value_is_typed_by_hand(path):
    """Not one value of a committed measurement stands in the text."""
    text = prose(path)
    measured = _values(path.parent.name)
    assert not {shown for shown in measured if re.search(rf"(?<![\d.,]){re.escape(shown)}", text)}


def _values(language):
    assert language in LANGUAGES
    found = set()
    for result in Results([load_collection(ROOT / "measurements")]).values():
        for point in result.summary.points:
            for name in OF_POINT:
                try:
                    shown = value(result, name, point.settings.label, language)
                except AbsentValueError:
                    continue
                found.add(re.sub(r"[^\d.,]", "", shown))
    return {shown for shown in found if len(shown) > 3}


def test_a_typed_figure_would_be_seen():
    """The test above can fail."""
    for typed in ("1,7 fois", "45.8 tokens/s", "84\u202f%", "1.17\u00d7", "1142 MiB"):
        assert _MEASURED.search(f"It gives {typed} here.")


@pytest.mark.parametrize(
    "path", [p for p in SOURCES if p.parent.name == "fr"], ids=lambda p: p.name
)
def test_french_signs_have_their_narrow_spaces(path):
    """Before `; : ! ? %` and inside « », a line must not break."""
    text = prose(path)
    assert not re.findall(r"[^\s|]* [;:!?%»]", text)
    assert not re.findall(r"« .{10}", text)
    assert not re.findall(r"[\w)][;!?»](?=\s|$)", text)
    assert "'" not in text


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_every_heading_has_an_id_of_its_own(path):
    """Links and the other language rely on it."""
    text = _FENCED.sub("", path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ .*$", text, re.MULTILINE)
    assert headings
    assert all(re.search(r"\{#[a-z0-9-]+\}$", heading) for heading in headings)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_source_is_cited_by_a_page(language):
    """A text that no sentence relies on is no source."""
    pages = [p.read_text(encoding="utf-8") for p in SOURCES if p.parent.name == language]
    outside_code = [_FENCED.sub("", text) for text in pages]
    cited = {key for text in outside_code for key in re.findall(r'source\("([^"]+)"\)', text)}
    assert cited == set(load(ROOT / "docs" / "sources.yaml", Sources).record.sources)
