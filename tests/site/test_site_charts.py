"""The charts can be read: what axe does not judge, text in a drawing, is computed."""

import re

import pytest

from publish.contrast import contrast, over
from publish.website import ROOT, URLS

CSS = (ROOT / "docs/assets/speculoos.css").read_text(encoding="utf-8")
SCHEMES = {"light": "default", "dark": "slate"}
LAYERS = """() => {
    const colour = (text, opacity) => {
        const [red, green, blue, alpha = 1] = text.match(/[\\d.]+/g).map(Number);
        return [red, green, blue, alpha * opacity];
    };
    const paint = (node) => {
        const { fill, fillOpacity, opacity } = getComputedStyle(node);
        return fill === 'none' ? [0, 0, 0, 0] : colour(fill, fillOpacity * opacity);
    };
    const papers = (node) => node
        ? [colour(getComputedStyle(node).backgroundColor, 1), ...papers(node.parentElement)] : [];
    const isUnder = (shape, text) => {
        const { x, y, width, height } = text.getBoundingClientRect();
        const middle = new DOMPoint(x + width / 2, y + height / 2);
        return shape.compareDocumentPosition(text) === Node.DOCUMENT_POSITION_FOLLOWING &&
            shape.isPointInFill(middle.matrixTransform(shape.getScreenCTM().inverse()));
    };
    return [...document.querySelectorAll('.sp-chart')].flatMap((svg) => {
        const shapes = [...svg.querySelectorAll('path, rect, circle, ellipse')]
            .filter((shape) => !shape.closest('defs, clipPath')).reverse();
        return [...svg.querySelectorAll('text')].map((text) => [
            text.textContent, paint(text),
            [...shapes.filter((s) => isUnder(s, text)).map(paint), ...papers(svg.parentElement)],
        ]);
    });
}"""
"""Every text of every chart, its ink, and what lies under its middle from top to bottom."""


@pytest.fixture(scope="session")
def charted(soup):
    """The pages with a chart."""
    found = [url for url in URLS if soup(url).select_one(".sp-chart")]
    assert {"", "guide/", "results/", "gpu-grid/", "en/guide/"} <= set(found)
    return found


@pytest.mark.parametrize("scheme", SCHEMES)
def test_chart_text_can_be_read(open_page, charted, scheme):
    """4.5 to 1 at least, against what is really painted under it."""
    pale = {}
    for url in charted:
        page = open_page(url, scheme=scheme)
        assert page.evaluate("document.body.dataset.mdColorScheme") == SCHEMES[scheme]
        texts = page.evaluate(LAYERS)
        assert texts
        pale |= {(url, text): found for text, *how in texts if (found := _contrast(*how)) < 4.5}
    assert pale == {}


def _contrast(ink, layers):
    paper = (255, 255, 255)
    for layer in reversed(layers):
        paper = over(layer, paper)
    return contrast(over(ink, paper), paper)


def test_both_schemes_set_every_colour_of_the_charts():
    """A variable that one of them lacks would keep the other's colour."""
    light, dark = (_variables(scheme) for scheme in SCHEMES.values())
    assert {"--sp-ink", "--sp-muted", "--sp-series-1", "--sp-paper", "--sp-grid"} <= light
    assert light == dark


def _variables(scheme):
    block = re.search(rf'data-md-color-scheme="{scheme}"\] {{(.*?)\n}}', CSS, re.DOTALL)[1]
    return set(re.findall(r"(--sp-[\w-]+): #[0-9a-f]{6};", block))


def test_the_text_of_a_chart_is_large_enough_on_a_phone(open_page, charted):
    """Shrunk to the width of the screen, its letters keep nine pixels or more."""
    small = {}
    for url in charted:
        sizes = open_page(url, "phone").evaluate(
            """() => [...document.querySelectorAll('.sp-chart')].map(svg =>
                svg.getBoundingClientRect().width / svg.viewBox.baseVal.width *
                Math.min(...[...svg.querySelectorAll('text')].map(
                    t => parseFloat(getComputedStyle(t).fontSize))))"""
        )
        assert sizes
        if min(sizes) < 9:
            small[url] = min(sizes)
    assert small == {}


def test_the_text_of_a_chart_stays_inside(open_page, charted):
    """No label is cut off at the edge of its drawing, in either language."""
    cut = {}
    for url in charted:
        outside = open_page(url).evaluate(
            """() => [...document.querySelectorAll('.sp-chart text')].filter(t => {
                const svg = t.closest('svg').getBoundingClientRect();
                const box = t.getBoundingClientRect();
                return box.left < svg.left - 1 || box.right > svg.right + 1 ||
                       box.top < svg.top - 1 || box.bottom > svg.bottom + 1;
            }).map(t => t.textContent)"""
        )
        if outside:
            cut[url] = outside
    assert cut == {}
