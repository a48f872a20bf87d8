"""The site as its readers meet it: a real browser, phone and desk, light and dark."""

from pathlib import Path
from urllib.parse import urlparse

import axe_playwright_python
import pytest

from publish.website import SIZES, URLS

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RUN_AXE = "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map("
RUN_AXE += "v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')))"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("url", URLS)
def test_a_page_is_whole(open_page, address, url, size, scheme):
    """No error, no request to elsewhere, no barrier that axe sees, no sideways scrolling."""
    page = open_page(url, size, scheme)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    wide = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide[0] <= wide[1]
    page.evaluate(AXE)
    assert page.evaluate(RUN_AXE) == []
    assert page.said == []
    host = urlparse(address).netloc
    assert {urlparse(url).netloc for url in page.asked} == {host}


def test_the_missing_page_is_whole(open_page, address):
    """It loads by absolute paths, which this test maps to the server here."""
    page = open_page("404.html")
    page.evaluate(AXE)
    assert "Page introuvable" in page.inner_text("h1")


@pytest.mark.parametrize("url", URLS)
def test_switching_the_language_stays_on_the_page(open_page, address, url):
    """A reader who changes the language is not sent home."""
    page = open_page(url)
    other = url.removeprefix("en/") if url.startswith("en/") else f"en/{url}"
    language = "fr" if url.startswith("en") else "en"
    page.hover(".md-select button")
    page.click(f'.md-select__link[hreflang="{language}"]')
    page.wait_for_url(address + other)


def _search(page, words):
    page.fill(".md-search__input", "")
    page.click(".md-search__input")
    page.keyboard.type(words)
    page.wait_for_selector(".md-search-result__link")
    page.wait_for_timeout(500)  # a worker answers, and the list before it stays until then
    links = page.query_selector_all(".md-search-result__link")
    return [urlparse(link.evaluate("a => a.href")).path for link in links]


FRENCH = {
    "intervalle": "protocol/",  # « l’intervalle » stands there
    "étape": "glossary/",
    "référence": "glossary/",
    "d’acceptation": "glossary/",
    "échantillon": "glossary/",
    "mémoire": "gpu-grid/",
    "l’invite": "glossary/",
}


def test_french_is_found_with_its_accents_and_elisions(open_page):
    """The elided article hides no word, and only French pages are found."""
    page, lost = open_page("contribute/"), {}
    for word, expected in FRENCH.items():
        found = _search(page, word)
        assert not any(path.startswith("/en/") for path in found), word
        if f"/{expected}" not in found:
            lost[word] = found
    assert lost == {}


def test_english_searches_english(open_page):
    """The links lead below `en/`, once."""
    found = _search(open_page("en/results/"), "interval")
    assert "/en/protocol/" in found
    assert all(path.startswith("/en/") and "/en/en/" not in path for path in found)


@pytest.mark.parametrize(
    ("home", "foreign"), [("", "neighbouring"), ("en/", "échantillons")], ids=["fr", "en"]
)
def test_a_word_of_the_other_language_is_not_found(open_page, home, foreign):
    """Each language has an index of its own."""
    page = open_page(home)
    page.fill(".md-search__input", foreign)
    page.wait_for_timeout(1000)
    assert page.query_selector_all(".md-search-result__link") == []


def test_a_search_result_leads_to_its_page(open_page, address):
    """From the home page as from a deeper one."""
    page = open_page("en/contribute/")
    _search(page, "baseline")
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


@pytest.mark.parametrize("url", ["results/", "guide/"])
def test_the_text_of_a_figure_is_readable_on_a_phone(open_page, url):
    """Shrunk to the width of the screen, its letters keep nine pixels or more."""
    page = open_page(url, "phone")
    sizes = page.evaluate(
        """() => [...document.querySelectorAll('.sp-chart')].map(svg =>
            svg.getBoundingClientRect().width / svg.viewBox.baseVal.width *
            Math.min(...[...svg.querySelectorAll('text')].map(
                t => parseFloat(getComputedStyle(t).fontSize))))"""
    )
    assert sizes
    assert min(sizes) >= 9


def test_the_text_of_a_figure_stays_inside(open_page):
    """No label is cut off at the edge of its drawing, in either language."""
    for url in ("", "en/", "guide/", "en/guide/", "results/", "en/results/"):
        outside = open_page(url).evaluate(
            """() => [...document.querySelectorAll('.sp-chart text')].filter(t => {
                const svg = t.closest('svg').getBoundingClientRect();
                const box = t.getBoundingClientRect();
                return box.left < svg.left - 1 || box.right > svg.right + 1 ||
                       box.top < svg.top - 1 || box.bottom > svg.bottom + 1;
            }).map(t => t.textContent)"""
        )
        assert outside == []
