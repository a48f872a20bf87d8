"""The feed: well-formed Atom, newest first, addresses that lead to the page of results."""

from xml.etree.ElementTree import fromstring

import pytest

from speculoos.publish.feed import feed
from speculoos.publish.text import LANGUAGES

ATOM = "{http://www.w3.org/2005/Atom}"
SITE = "https://speculoos.example/"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_result_has_an_entry_that_leads_to_it(results, language):
    """In the language of the feed, with the anchor of the page."""
    root = fromstring(feed(results.values(), SITE, language))
    page = SITE + ("en/" if language == "en" else "") + "results/"
    entries = root.findall(f"{ATOM}entry")
    links = {entry.find(f"{ATOM}link").get("href") for entry in entries}
    assert links == {f"{page}#{result.anchor}" for result in results.values()}
    titles = {entry.find(f"{ATOM}title").text for entry in entries}
    assert titles == {result.title(language) for result in results.values()}
    assert all(entry.find(f"{ATOM}summary").text for entry in entries)


def test_it_has_what_atom_asks_for_and_the_newest_comes_first(results):
    """RFC 4287: id, title, updated and author; ids that occur once."""
    root = fromstring(feed(results.values(), SITE, "en"))
    for name in ("id", "title", "updated", "author"):
        assert root.find(f"{ATOM}{name}") is not None
    days = [each.text for each in root.findall(f"{ATOM}entry/{ATOM}updated")]
    assert days == sorted(days, reverse=True)
    assert root.find(f"{ATOM}updated").text == days[0]
    ids = [each.text for each in root.findall(f"{ATOM}entry/{ATOM}id")]
    assert len(ids) == len(set(ids))


def test_the_same_results_give_the_same_bytes_and_none_give_an_empty_feed(results):
    """A reader that asks every hour sees nothing new."""
    assert feed(results.values(), SITE, "fr") == feed(results.values(), SITE, "fr")
    assert not fromstring(feed([], SITE, "fr")).findall(f"{ATOM}entry")
