"""The contrast of the charts, computed: axe does not judge text in a drawing."""

import re

import pytest

from publish.website import ROOT

CSS = (ROOT / "docs/assets/speculoos.css").read_text(encoding="utf-8")
TEXTS = ("--sp-ink", "--sp-muted", *(f"--sp-series-{n}" for n in range(1, 5)))
SCHEMES = ("default", "slate")


def variables(scheme):
    """The colours that a scheme sets."""
    block = re.search(rf'data-md-color-scheme="{scheme}"\] {{(.*?)\n}}', CSS, re.DOTALL)[1]
    return dict(re.findall(r"(--sp-[\w-]+): (#[0-9a-f]{6});", block))


def luminance(colour):
    """Relative luminance (WCAG 2.2)."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one, other):
    """Contrast ratio (WCAG 2.2)."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("text", TEXTS)
def test_chart_text_can_be_read(scheme, text):
    """4.5 to 1 at least, against the paper of its own scheme."""
    colours = variables(scheme)
    assert contrast(colours[text], colours["--sp-paper"]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
def test_both_schemes_set_every_colour_of_the_charts(scheme):
    """A variable that one of them lacks would keep the other's colour."""
    assert set(variables(scheme)) == set(variables("default"))
    assert {*TEXTS, "--sp-grid", "--sp-paper"} <= set(variables(scheme))
