"""The results as an Atom feed (RFC 4287), one a language: what is new on the page of results."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from speculoos.publish import sentences
from speculoos.publish.results import Result
from speculoos.publish.text import Language
from speculoos.publish.words import label

_ATOM = "http://www.w3.org/2005/Atom"
_PAGES: dict[Language, str] = {"fr": "results/", "en": "en/results/"}


def feed(results: Iterable[Result], site_url: str, language: Language) -> str:
    """The feed as XML, the newest first; the same results give the same bytes."""
    found = sorted(results, key=lambda r: (r.measurement.date, r.id), reverse=True)
    page = site_url.rstrip("/") + "/" + _PAGES[language]
    newest = found[0].measurement.date.isoformat() if found else "1970-01-01"
    root = Element("feed", {"xmlns": _ATOM, "xml:lang": language})
    _fill(root, label("feed_title", language), page, newest)
    SubElement(root, "link", rel="self", href=f"{site_url.rstrip('/')}/data/feed.{language}.xml")
    SubElement(SubElement(root, "author"), "name").text = "speculoos"
    for result in found:
        _entry(root, result, page, language)
    indent(root)
    text = tostring(root, encoding="unicode", short_empty_elements=True)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _entry(root: Element, result: Result, page: str, language: Language) -> None:
    made = SubElement(root, "entry")
    address = f"{page}#{result.anchor}"
    _fill(made, result.title(language), address, result.measurement.date.isoformat())
    SubElement(made, "summary").text = _summary(result, language)


def _fill(element: Element, title: str, address: str, day: str) -> None:
    SubElement(element, "title").text = title
    SubElement(element, "id").text = address
    SubElement(element, "link", href=address)
    SubElement(element, "updated").text = f"{day}T00:00:00Z"


def _summary(result: Result, language: Language) -> str:
    """What the page of results says first: withdrawn, what it advises, or who reports it."""
    measurement = result.measurement
    if measurement.withdrawn:
        return label("withdrawn", language)
    if measurement.kind == "reported":
        return measurement.source.title if measurement.source else ""
    if measurement.kind == "observed":
        return label("feed_observed", language)
    return sentences.verdict(result.summary.recommendation, language)
