"""A matplotlib figure as an SVG element to stand in a page."""

import re
from html import escape
from io import StringIO

from matplotlib import rc_context
from matplotlib.figure import Figure

from speculoos.publish.figures.style import RC, VARIABLES

_HEAD = re.compile(r"^.*?(?=<svg )", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_STYLE_SHEET = re.compile(r"\s*<style[^>]*>.*?</style>", re.DOTALL)
_OPENING = re.compile(r"<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>")
_FONT = re.compile(r"font: ([\d.]+)px [^;\"]+|font-size: ([\d.]+)px; font-family: [^;\"]+")
_GROUP_ID = re.compile(r"<g id=\"[^\"]*\">")
_NOTHING = re.compile(
    r"\s*<g(?: id=\"[^\"]*\")?/>|\s*<defs>\s*</defs>| transform=\"rotate\(-0[^\"]*\""
)
_TAG = re.compile(r"<[^>]*>")
"""What stands between tags is text, which may hold numbers and colours of its own."""
_COMMENT = re.compile(r"\s*<!--.*?-->", re.DOTALL)
_NUMBER = re.compile(r"\d+\.\d{3,}")


def to_svg(figure: Figure, key: str, title: str, description: str) -> str:
    """The figure as one `<svg>`: named for screen readers, its ids unique by `key`.

    matplotlib's style sheet is left out: inlined, its `*` would restyle the whole page.
    """
    text = StringIO()
    with rc_context({**RC, "svg.hashsalt": key}):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return _opened(_cleaned(text.getvalue()), key, title, description)


def _cleaned(svg: str) -> str:
    for pattern in (_HEAD, _METADATA, _STYLE_SHEET, _COMMENT):
        svg = pattern.sub("", svg)
    svg = _GROUP_ID.sub("<g>", _NOTHING.sub("", svg)).replace("xlink:href", "href")
    svg = _TAG.sub(lambda found: _shortened(found[0]), svg)
    return re.sub(r"\n\s*", "\n", svg).strip()


def _shortened(tag: str) -> str:
    tag = _FONT.sub(lambda found: f"font-size: {found[1] or found[2]}px", tag)
    tag = _NUMBER.sub(lambda found: f"{float(found[0]):.2f}", tag)
    for colour, variable in VARIABLES.items():
        tag = tag.replace(colour, f"var({variable})")
    return tag


def _opened(svg: str, key: str, title: str, description: str) -> str:
    names = f'aria-labelledby="{key}-title {key}-desc"'
    head = (
        f' role="img" class="sp-chart" {names}>'
        f'\n<title id="{key}-title">{escape(title)}</title>'
        f'\n<desc id="{key}-desc">{escape(description)}</desc>'
    )
    opening = '<svg xmlns="http://www.w3.org/2000/svg" '
    return _OPENING.sub(lambda found: f"{opening}{found[1]}{head}", svg, count=1)
