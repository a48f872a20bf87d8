"""A page on paper: the text alone, whole, with the addresses that it links to."""

import re

import pytest

from publish.website import URLS

GONE = ".md-header, .md-tabs, .md-sidebar, .md-footer, .md-top, .headerlink, .sp-filter"


@pytest.fixture
def printed(open_page):
    """A page as the printer gets it, asked for in the dark."""

    def opened(url):
        page = open_page(url, scheme="dark")
        page.pdf()  # as a reader prints: folded parts hear of it
        page.emulate_media(media="print", color_scheme="dark")
        page.set_viewport_size({"width": 720, "height": 1000})  # A4 between its margins
        return page

    return opened


@pytest.mark.parametrize("url", URLS)
def test_a_printed_page_is_its_text(printed, url):
    """No navigation, nothing folded, nothing beyond the edge of the paper."""
    page = printed(url)
    assert page.evaluate(
        f"[...document.querySelectorAll('{GONE}')].filter(e => e.offsetParent).length"
    ) == 0  # fmt: skip
    assert (
        page.evaluate("[...document.querySelectorAll('article details:not([open])')].length") == 0
    )
    wide = page.evaluate(
        """() => [...document.querySelectorAll('article :is(p, pre, table, figure, svg, dl)')]
            .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
            .map(e => e.outerHTML.slice(0, 80))"""
    )
    assert wide == []


def test_print_is_dark_on_white(printed):
    """Even for who reads on screen at night."""
    page = printed("guide/")
    colour = page.evaluate("getComputedStyle(document.querySelector('article p')).color")
    assert max(map(int, re.findall(r"\d+", colour)[:3])) < 90
    ink = page.evaluate("getComputedStyle(document.querySelector('.sp-chart text')).fill")
    assert max(map(int, re.findall(r"\d+", ink)[:3])) < 130


def test_a_printed_link_shows_its_address(printed):
    """Of what lies outside; a link inside the site has its words."""
    page = printed("sources/")
    shown = page.evaluate(
        """() => [...document.querySelectorAll('article a[href^="http"]')].map(
            a => getComputedStyle(a, '::after').content)"""
    )
    assert shown
    assert all("http" in each for each in shown)


def test_a_printed_figure_is_not_cut(printed):
    """It moves to the next sheet as a whole."""
    page = printed("results/")
    breaks = page.evaluate(
        "[...document.querySelectorAll('.sp-figure')].map(f => getComputedStyle(f).breakInside)"
    )
    assert set(breaks) == {"avoid"}


def test_a_printed_tab_shows_all_its_panels(printed):
    """Nobody can click on paper."""
    page = printed("guide/")
    hidden = page.evaluate(
        """() => [...document.querySelectorAll('.tabbed-block')]
            .filter(e => getComputedStyle(e).display === 'none').length"""
    )
    assert hidden == 0
