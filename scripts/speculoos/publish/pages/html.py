"""The templates of figures, tables and results, with the words that they use."""

from jinja2 import Environment, PackageLoader

from speculoos.publish import sentences
from speculoos.publish.references import anchor
from speculoos.publish.text import colon, typeset
from speculoos.publish.words import label


def templates() -> Environment:
    """The HTML of figures, tables and results."""
    env = Environment(
        loader=PackageLoader("speculoos.publish.pages"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(label=label, colon=colon, typeset=typeset)
    env.globals.update(verdict=sentences.verdict, warning=sentences.warning)
    env.globals.update(pitfall_of=sentences.pitfall_of)
    env.globals.update(incident=sentences.incident, anchor=anchor)
    return env
