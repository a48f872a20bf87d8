"""The templates of figures, tables and results, with the words that they use."""

import re
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from speculoos.publish import sentences
from speculoos.publish.references import anchor
from speculoos.publish.text import colon, typeset
from speculoos.publish.words import label


def _on_one_line(value: Any) -> Any:
    """Text of a file without its line ends: at the start of a line, Markdown obeys signs."""
    plain = isinstance(value, str) and not isinstance(value, Markup)
    return re.sub(r"\s*\n\s*", " ", value) if plain else value


_SHORT = re.compile(r"<code>(?=[^<]*-)([^<\s]{2,24})</code>")
"""Code of one word with a hyphen, which would end a line: `--model-draft`, `-c`."""


def keep_words_whole(html: str) -> str:
    """Mark short words of code; the theme's style keeps them on one line."""
    return _SHORT.sub(r'<code class="sp-word">\1</code>', html)


def templates() -> Environment:
    """The HTML of figures, tables and results."""
    env = Environment(
        loader=PackageLoader("speculoos.publish.pages"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_on_one_line,
    )
    env.globals.update(label=label, colon=colon, typeset=typeset)
    env.globals.update(verdict=sentences.verdict, warning=sentences.warning)
    env.globals.update(pitfall_of=sentences.pitfall_of)
    env.globals.update(incident=sentences.incident, anchor=anchor)
    return env
