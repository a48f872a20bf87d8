"""Figures as inline SVG."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from speculoos.publish.figures import draw_acceptance, draw_speedup
from speculoos.publish.figures.style import SERIES, VARIABLES
from speculoos.publish.series import Dot, Line, acceptance, speedups

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawings(results):
    """Both figures of one measurement."""
    result = results["bench/2026-gain"]
    return [
        draw_speedup((speedups(result, "fr"),), "a", "fr"),
        draw_acceptance((acceptance(result, "fr"),), "b", "fr"),
    ]


def test_a_figure_is_one_named_image(drawings):
    """Screen readers get a title, and the values as a description."""
    for drawing in drawings:
        root = ET.fromstring(drawing)
        assert root.attrib["role"] == "img"
        names = root.attrib["aria-labelledby"].split()
        assert [e.attrib["id"] for e in (root[0], root[1])] == names
        assert re.search(r"\d,\d", root.find(f"{SVG}desc").text)


def test_what_a_title_says_stands_in_the_figure_as_it_was_written(results):
    """Its digits are not rounded, its signs are no colour, no font and no reference."""
    title = r"b1.23456 #010101 font: 12px x; \1 \\2"
    lines = [replace(speedups(results["bench/2026-gain"], "en"), label=title)] * 2
    root = ET.fromstring(draw_speedup(tuple(lines), "c", "en"))
    told = [e.text for e in root.iter(f"{SVG}text")] + [root.find(f"{SVG}desc").text]
    assert [each for each in told if title in each]
    assert [each for each in told if each.startswith("b1")] == [title, title, told[-1]]


def test_a_figure_brings_no_style_of_its_own(drawings):
    """A style sheet or a fixed colour would not follow the page."""
    for drawing in drawings:
        assert "<style" not in drawing
        assert "<?xml" not in drawing
        assert not re.findall(r"#[0-9a-f]{6}", drawing)
        assert "var(--sp-ink)" in drawing
        assert "font-family" not in drawing


def test_the_same_result_gives_the_same_bytes(results):
    """Nothing random, no date."""
    line = speedups(results["bench/2026-gain"], "en")
    again = draw_speedup.__wrapped__((line,), "k", "en")
    assert draw_speedup.__wrapped__((line,), "k", "en") == again


def test_two_figures_of_a_page_share_no_id(results):
    """Their keys keep titles and clip paths apart."""
    line = speedups(results["bench/2026-gain"], "en")
    ids = [set(re.findall(r'id="([^"]+)"', draw_speedup((line,), key, "en"))) for key in ("x", "y")]
    assert ids[0]
    assert not ids[0] & ids[1]


def _verticals(drawing, colour):
    """Lines that go straight up, in a colour: the intervals."""
    paths = re.findall(
        r'<path d="M ([\d.]+) [\d.]+ L ([\d.]+) [\d.]+ ?"[^>]*style="([^"]*)',
        re.sub(r"\s+", " ", drawing),
    )
    return [p for p in paths if p[0] == p[1] and f"var({VARIABLES[colour]})" in p[2]]


def test_every_interval_is_drawn():
    """A dot with bounds has its bar; a dot without stays bare and hollow."""
    known = Line("a", (Dot(1, "n_max 1", 1.2, 1.1, 1.3), Dot(2, "n_max 2", 1.3, 1.2, 1.4)))
    bare = Line("a", (Dot(1, "n_max 1", 1.2),))
    assert len(_verticals(draw_speedup((known,), "k", "en"), SERIES[0])) == 2
    hollow = draw_speedup((bare,), "k", "en")
    assert not _verticals(hollow, SERIES[0])
    assert "fill: var(--sp-paper)" in hollow


def test_several_measurements_are_told_by_name_and_shape():
    """Colour alone would not do."""
    lines = tuple(Line(f"Trunk {i}", (Dot(1, "n_max 1", 1.0 + i / 10, 1, 1.5),)) for i in range(3))
    drawing = draw_speedup(lines, "k", "en")
    for line in lines:
        assert f">{line.label}<" in drawing


def test_a_long_name_goes_on_below():
    """It is not cut off at the edge."""
    name = "A model with a long name, asked for code that it had seen before"
    lines = tuple(Line(n, (Dot(1, "n_max 1", 1.2, 1, 1.5),)) for n in (name, "Short"))
    texts = re.findall(r">([^<>]+)</text>", draw_speedup(lines, "k", "en"))
    assert max(map(len, texts)) <= 44
    assert name in " ".join(texts)


def test_types_without_a_depth_stand_by_name():
    """An n-gram run has no n_max to put on an axis."""
    line = Line("a", (Dot(None, "ngram-mod", 2.1, 2.0, 2.2), Dot(None, "ngram-cache", 1.1)))
    drawing = draw_speedup((line,), "k", "en")
    assert ">ngram-mod<" in drawing
    assert ">ngram-cache<" in drawing


def test_a_figure_of_nothing_but_a_crash_can_be_drawn(results):
    """The cross stands at the setting."""
    line = Line("a", (), ((4, "n_max 4"),))
    assert "n_max 4 incident" in draw_speedup((line,), "k", "en")
