"""What a pull request changes: a page for its reviewer, and data for a comment.

The page asks for `changed()`; the comment is written by a workflow that trusts none of this.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from speculoos.publish import sentences, tables, unmeasured
from speculoos.publish.figures import draw_speedup
from speculoos.publish.results import Result
from speculoos.publish.series import Line, speedups
from speculoos.publish.text import Language
from speculoos.publish.words import label

PAGE = "pull-request.md"
DATA = "pull-request.json"
_LANGUAGE: Language = "en"
"""A comment has one language; the pages that it links to have both."""
_VARIABLE = re.compile(r"(--sp-[\w-]+):\s*(#[0-9a-fA-F]{3,8})")


def page_text(language: Language) -> str:
    """The Markdown of the page, in front of all others."""
    title, told = label("preview_title", language), label("preview_note", language)
    head = f"---\ntitle: {title}\ndescription: {told}\nhide: [navigation]\n---\n"
    return f"{head}\n# {title} {{#top}}\n\n{told}\n\n[[ changed() ]]\n"


def comment(results: Sequence[Result]) -> str:
    """The changed results as JSON: title, verdict, table, warnings, the path of a picture."""
    return json.dumps({"results": [_told(result) for result in results]}, ensure_ascii=False)


def pictures(results: Iterable[Result], style_sheet: str) -> dict[str, str]:
    """Figures that stand by themselves, as SVG files by their path in the site."""
    colours = _colours(style_sheet)
    return {
        _picture(result): _alone(_drawn(result), colours) for result in results if _line(result)
    }


def _told(result: Result) -> dict[str, object]:
    of_kind = {"reported": unmeasured.claims, "observed": unmeasured.observed}
    made = of_kind.get(result.kind, tables.points)(result, _LANGUAGE)
    return {
        "title": result.title(_LANGUAGE),
        "verdict": _verdict(result),
        "picture": _picture(result) if _line(result) else "",
        "alt": label("speedup_title", _LANGUAGE),
        "head": made.head,
        "rows": [[cell.text for cell in row] for row in made.rows],
        "warnings": [sentences.warning(each, _LANGUAGE) for each in result.summary.warnings],
    }


def _verdict(result: Result) -> str:
    if result.kind == "reported":
        return label("claims_title", _LANGUAGE)
    return sentences.verdict(result.summary.recommendation, _LANGUAGE)


def _line(result: Result) -> Line | None:
    line = speedups(result, _LANGUAGE)
    return line if line.dots and result.kind == "measured" else None


def _picture(result: Result) -> str:
    return f"pull-request/{result.anchor}.svg"


def _drawn(result: Result) -> str:
    return draw_speedup((speedups(result, _LANGUAGE),), result.anchor, _LANGUAGE)


def _colours(style_sheet: str) -> Mapping[str, str]:
    """The colours of the light scheme: those that the style sheet names first."""
    return dict(reversed(_VARIABLE.findall(style_sheet)))


def _alone(svg: str, colours: Mapping[str, str]) -> str:
    """A figure of a page as a file: colours for variables, a font, its paper."""
    svg = re.sub(r"var\((--sp-[\w-]+)\)", lambda found: colours.get(found[1], "#000"), svg)
    paper = colours.get("--sp-paper", "#fff")
    style = f'style="background:{paper};font-family:sans-serif" class='
    return svg.replace("class=", style, 1)
