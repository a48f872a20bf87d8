"""The site as its readers meet it: a real browser, phone and desk, light and dark."""

from pathlib import Path
from urllib.parse import urlparse

import axe_playwright_python
import pytest

from publish.search_box import found_by_typing
from publish.website import SIZES, URLS

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RUN_AXE = "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map("
RUN_AXE += "v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')))"


SCHEMES = {"desk": ("light", "dark"), "phone": ("dark", "light")}
"""Each page is loaded in one scheme and switched to the other: both ways are seen."""
THEMES = {"light": "default", "dark": "slate"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("url", URLS)
def test_a_page_is_whole(open_page, address, url, size):
    """No error, no request to elsewhere, no barrier that axe sees, no sideways scrolling."""
    page = open_page(url, size, SCHEMES[size][0])
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.evaluate(AXE)
    for scheme in SCHEMES[size]:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(
            "theme => document.body.dataset.mdColorScheme === theme", arg=THEMES[scheme]
        )
        wide = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        assert wide[0] <= wide[1], scheme
        assert page.evaluate(RUN_AXE) == [], scheme
    assert page.said == []
    host = urlparse(address).netloc
    assert {urlparse(url).netloc for url in page.asked} == {host}


def test_the_missing_page_is_whole(open_page, address):
    """Asked for by an address that leads nowhere, below a folder: all that it loads is there."""
    page = open_page("en/nowhere/at/all/")
    assert "Page introuvable" in page.inner_text("h1")
    page.evaluate(AXE)
    assert page.evaluate(RUN_AXE) == []
    itself, *others = sorted(page.said)
    assert itself == f"404 {address}en/nowhere/at/all/"
    assert all("404 (Not Found)" in said for said in others)
    assert len(others) == 1, others  # the browser's own word of the same answer


@pytest.mark.parametrize("url", URLS)
def test_switching_the_language_stays_on_the_page(open_page, address, url):
    """A reader who changes the language is not sent home."""
    page = open_page(url)
    other = url.removeprefix("en/") if url.startswith("en/") else f"en/{url}"
    language = "fr" if url.startswith("en") else "en"
    page.hover(".md-select button")
    page.click(f'.md-select__link[hreflang="{language}"]')
    page.wait_for_url(address + other)


FRENCH = {
    "intervalle": "protocol/",  # « l’intervalle » stands there
    "étape": "glossary/",
    "référence": "glossary/",
    "d’acceptation": "glossary/",
    "échantillon": "glossary/",
    "mémoire": "gpu-grid/",
    "l’invite": "glossary/",
    "l'acceptation": "glossary/",
    "decodage": "glossary/",
}


def test_french_is_found_with_its_accents_and_elisions(open_page):
    """The elided article hides no word, and only French pages are found."""
    page, lost = open_page("contribute/"), {}
    for word, expected in FRENCH.items():
        found = found_by_typing(page, word)
        assert not any(place.startswith("/en/") for place in found), word
        if not any(place.partition("#")[0] == f"/{expected}" for place in found):
            lost[word] = found
    assert lost == {}


def test_english_searches_english(open_page):
    """The links lead below `en/`, once."""
    found = found_by_typing(open_page("en/results/"), "interval")
    assert any(place.startswith("/en/protocol/") for place in found)
    assert all(place.startswith("/en/") and "/en/en/" not in place for place in found)


@pytest.mark.parametrize(
    ("home", "other", "foreign"),
    [("", "en/", "neighbouring"), ("en/", "", "échantillons")],
    ids=["fr", "en"],
)
def test_a_word_of_the_other_language_is_not_found(open_page, home, other, foreign):
    """Each language has an index of its own: what one of them finds, the other does not."""
    assert found_by_typing(open_page(other), foreign)
    assert found_by_typing(open_page(home), foreign) == []


def test_a_search_result_leads_to_its_page(open_page, address):
    """From the home page as from a deeper one."""
    page = open_page("en/contribute/")
    found_by_typing(page, "baseline")
    page.click(".md-search-result__link >> nth=0")
    page.wait_for_url(f"{address}en/**")
    assert page.said == []


def test_a_figure_follows_the_switch_between_light_and_dark(open_page):
    """One drawing, two schemes: text and dots change colour without a reload."""
    page = open_page("results/")
    colours = """() => ['text', 'use'].map(t =>
        getComputedStyle(document.querySelector('.sp-chart ' + t)).fill)"""
    light = page.evaluate(colours)
    page.click("form[data-md-component=palette] label:visible")  # auto to light
    page.click("form[data-md-component=palette] label:visible")  # light to dark
    page.wait_for_function("document.body.dataset.mdColorScheme === 'slate'")
    dark = page.evaluate(colours)
    assert all(before != after for before, after in zip(light, dark, strict=True))
