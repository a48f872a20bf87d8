"""Markers replaced one by one, so that every error of a page is reported, not only the first."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError, UndefinedError, meta
from jinja2.sandbox import SandboxedEnvironment

from speculoos.publish.pages.functions import Functions
from speculoos.publish.pages.html import templates
from speculoos.publish.pages.markers import Marker, find_markers, find_stray
from speculoos.publish.pages.offered import Beside
from speculoos.publish.pages.place import Place
from speculoos.publish.references import References
from speculoos.publish.results import Results, UnknownNameError
from speculoos.publish.values import AbsentValueError
from speculoos.record.problem import Problem
from speculoos.record.types.sources import Reference

NAMES = (
    "value",
    "figure",
    "drawing",
    "calculator",
    "download",
    "table",
    "result",
    "results",
    "filter",
    "changed",
    "source",
    "sources",
)


@dataclass(frozen=True)
class Rendered:
    """A page's Markdown, what is wrong with it, and the figures that its slots wait for."""

    markdown: str
    problems: tuple[Problem, ...]
    slots: Mapping[str, str]


class Pages:
    """Renders pages from results; `repo` is where its files can be seen, or empty."""

    def __init__(
        self,
        results: Results,
        repo: str = "",
        references: Mapping[str, Reference] | None = None,
        changed: tuple[str, ...] = (),
        beside: Beside | None = None,
    ) -> None:
        self._beside = beside or Beside()
        self._results = results
        self._references = References(references or {})
        self._changed = changed
        self._repo = repo.rstrip("/")
        self._templates = templates()
        self._markers = SandboxedEnvironment(
            variable_start_string="[[",
            variable_end_string="]]",
            block_start_string="[%",
            block_end_string="%]",
            undefined=StrictUndefined,
        )

    def render(self, text: str, place: Place) -> Rendered:
        """Every marker of `text` replaced; one that fails stays and becomes a problem."""
        functions = self._functions(place)
        parts, problems, end = [], [], 0
        for marker in find_markers(text, place.first_line):
            shown = self._evaluate(marker, functions)
            if isinstance(shown, Problem):
                problems.append(shown)
                shown = text[marker.start : marker.end]
            parts += [text[end : marker.start], shown]
            end = marker.end
        problems += [_unclosed(place, line) for line in find_stray(text, place.first_line)]
        return Rendered("".join([*parts, text[end:]]), tuple(sorted(problems)), functions.slots)

    def _functions(self, place: Place) -> Functions:
        given = (self._results, place, self._repo, self._templates, self._references)
        return Functions(*given, self._changed, self._beside)

    def _evaluate(self, marker: Marker, functions: Functions) -> str | Problem:
        names = {name: getattr(functions, name) for name in NAMES}
        try:
            self._refuse_unknown(marker.expression)
            return self._markers.from_string(f"[[ {marker.expression} ]]").render(names)
        except TemplateSyntaxError as error:
            message = f"cannot be read: {error.message}"
        except (UnknownNameError, AbsentValueError, ValueError, UndefinedError) as error:
            message = str(error)
        except (TypeError, TemplateError) as error:
            message = f"{marker.expression}: {str(error).replace('Functions.', '')}"
        return Problem(functions.place.path, marker.line, "", message)

    def _refuse_unknown(self, expression: str) -> None:
        used = meta.find_undeclared_variables(self._markers.parse(f"[[ {expression} ]]"))
        for name in sorted(used - set(NAMES)):
            near = get_close_matches(name, NAMES, n=1)
            hint = f'did you mean "{near[0]}"?' if near else f"there is {', '.join(NAMES)}."
            raise UndefinedError(f'marker "{name}" does not exist; {hint}')


def _unclosed(place: Place, line: int) -> Problem:
    return Problem(place.path, line, "", r"[[ is never closed by ]]; write \[[ for the signs alone")


def fill_slots(html: str, slots: Mapping[str, str]) -> str:
    """The page's HTML with its figures; after Markdown, so that no drawing enters the search."""
    return re.sub(
        r'<div class="sp-slot" data-slot="([^"]+)"></div>',
        lambda found: slots.get(found[1], found[0]),
        html,
    )
