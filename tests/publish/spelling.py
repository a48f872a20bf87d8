"""The words of a page, as a dictionary should know them."""

import re
import subprocess

from bs4 import BeautifulSoup

DICTIONARIES = {"fr": "fr_FR", "en": "en_US"}
_NO_PROSE = (
    "code, pre, svg, script, select, .sp-cite, .sp-sources, .sp-other, .sp-origin, .headerlink, "
    ".sp-values tbody"
)
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)*")
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)'(?=\w)", re.IGNORECASE)


def prose(html):
    """The text of a page without code, drawings and titles of others."""
    article = BeautifulSoup(str(html.select_one("article")), "html.parser")
    for node in article.select(_NO_PROSE):
        node.decompose()
    return article.get_text(" ")


def words(text, language):
    """Each word once; what holds a digit, a sign or a capital inside is a name, not a word."""
    found = set()
    for chunk in text.split():
        if re.search(r"[\d_/@=<>\\]|\w\.\w|[a-z][A-Z]|[A-Z]{2}", chunk):
            continue
        for word in _WORD.findall(chunk.replace("’", "'")):
            found.add(_ELIDED.sub("", word) if language == "fr" else word)
    return {word for word in found if len(word) > 1}


def unknown(known, language):
    """Those that hunspell has in neither its dictionary nor its rules."""
    done = subprocess.run(
        ["hunspell", "-i", "utf-8", "-d", DICTIONARIES[language], "-l"],
        input="\n".join(sorted(known)), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stdout.split())
