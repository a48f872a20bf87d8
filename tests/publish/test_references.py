"""The texts of others: read from one file, cited by key, shown once in full."""

import pytest
from bs4 import BeautifulSoup

from publish.website import ROOT
from speculoos.publish.pages import Pages, Place
from speculoos.publish.references import KINDS, anchor
from speculoos.publish.results import Results
from speculoos.record.problem import BadFileError
from speculoos.record.store import load
from speculoos.record.types.sources import Sources

FILE = ROOT / "docs" / "sources.yaml"


@pytest.fixture(scope="module")
def references():
    return load(FILE, Sources).record.sources


@pytest.fixture
def pages(references):
    return Pages(Results([]), references=references)


def render(pages, text, language="en"):
    return pages.render(text, Place("docs/en/page.md", language, sources_url="../sources/"))


def test_a_source_is_cited_by_its_short_name_linked_to_its_entry(pages):
    """The name stays on one line; a dot of a key is no dot of an anchor."""
    done = render(pages, '[[ source("llama.cpp-22673") ]]')
    link = BeautifulSoup(done.markdown, "html.parser").a
    assert link["href"] == "../sources/#llama-cpp-22673"
    assert link.text == "llama.cpp\u00a022673"


def test_an_unknown_source_is_an_error_with_the_nearest_key(pages):
    """Page, line, key, and what was probably meant."""
    done = render(pages, 'One.\n[[ source("leviathan-2023") ]]')
    assert str(done.problems[0]) == (
        'docs/en/page.md:2: source "leviathan-2023" does not exist; did you mean "leviathan-2022"?'
    )


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_source_stands_on_its_page_with_author_and_address(pages, references, language):
    """The four kinds together hold them all, each once."""
    text = "\n\n".join(f'[[ sources("{kind}") ]]' for kind in KINDS)
    done = render(pages, text, language)
    assert not done.problems
    entries = {e["id"]: e for e in BeautifulSoup(done.markdown, "html.parser").select("li")}
    assert set(entries) == {anchor(key) for key in references}
    for key, found in references.items():
        entry = entries[anchor(key)]
        assert entry.a["href"] == found.link
        assert found.author in entry.text
        assert ("onsult" in entry.text) == (found.consulted is not None)


def test_anchors_are_unique(references):
    """Two keys never lead to the same entry."""
    assert len({anchor(key) for key in references}) == len(references)


def test_a_source_without_an_address_is_refused_with_its_line(tmp_path):
    """As for every file of the project: path, line, key."""
    path = tmp_path / "sources.yaml"
    path.write_text(
        "format: 1\nsources:\n  a:\n    kind: paper\n    short: A\n    author: B\n    title: C\n"
        "    link: example.org\n",
        encoding="utf-8",
    )
    with pytest.raises(BadFileError) as caught:
        load(path, Sources)
    assert f"{path}:8: sources.a.link" in str(caught.value)
