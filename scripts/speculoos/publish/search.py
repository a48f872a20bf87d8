"""One search index a language, from the one that MkDocs writes for all."""

import re
from typing import Any

_ENGLISH = "en/"
_SYMPTOM = re.compile(r"^Sympt(?:ôme|om) (.*?) Cause ", re.DOTALL)
_MESSAGE = re.compile(r"<code>([^<]*\s[^<]*)</code>")


def split_search(index: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The French and the English index; places of the English one are relative to `en/`."""
    french = [doc for doc in index["docs"] if not doc["location"].startswith(_ENGLISH)]
    english = [
        {**doc, "location": doc["location"].removeprefix(_ENGLISH)}
        for doc in index["docs"]
        if doc["location"].startswith(_ENGLISH)
    ]
    return _with(index, "fr", french), _with(index, "en", english)


def _named(doc: dict[str, Any]) -> dict[str, Any]:
    """A pitfall is found by what the server prints: its messages count as much as its title.

    They stand apart besides, for the worker that looks for one of them in what is asked.
    """
    symptom = _SYMPTOM.match(doc["text"])
    if not symptom:
        return doc
    messages = _MESSAGE.findall(symptom[1])
    return {**doc, "title": " · ".join([doc["title"], *messages]), "messages": messages}


def _with(index: dict[str, Any], language: str, docs: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        **index,
        "config": {**index["config"], "lang": [language]},
        "docs": [_named(doc) for doc in docs],
    }
