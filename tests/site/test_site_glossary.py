"""The glossary: the same terms in both languages, each with the other's word."""

import re

import pytest

from publish.website import ROOT

PAGES = {lang: ROOT / "docs" / lang / "glossary.md" for lang in ("fr", "en")}
OTHER = {"fr": "en", "en": "fr"}
_TERM = re.compile(
    r"^### (?P<name>.+?) \{#(?P<id>[a-z-]+)\}\n\n(?P<other><p class=\"sp-other\">.*?</p>)\n\n"
    r"(?P<text>.+?)(?=\n\n#|\Z)",
    re.MULTILINE | re.DOTALL,
)
WORDS = {
    "draft-token",
    "accepted-token",
    "verification-step",
    "acceptance-rate",
    "mean-acceptance-length",
    "n-max",
    "baseline",
    "speed-up",
    "step-cost",
    "prompt-set",
    "machine",
    "build",
    "measurement",
    "run",
    "sample",
    "block",
}


def _terms(language):
    text = PAGES[language].read_text(encoding="utf-8").strip()
    found = {term["id"]: term for term in _TERM.finditer(text)}
    assert len(found) == text.count("\n### ")
    return found


def _others(term):
    return [word.lower() for word in re.findall(r"<span lang=\"..\">(.*?)</span>", term["other"])]


def test_both_languages_explain_the_same_terms_in_the_same_order():
    """Links to a term work in both."""
    assert list(_terms("fr")) == list(_terms("en"))


def test_every_word_of_the_project_is_explained():
    """The words of the files and of the program, all of them."""
    assert set(_terms("en")) >= WORDS


@pytest.mark.parametrize("language", PAGES)
def test_a_term_names_the_word_that_the_other_language_uses(language):
    """The word given is the heading that stands there."""
    there = _terms(OTHER[language])
    for id_, term in _terms(language).items():
        assert there[id_]["name"].lower() in _others(term), id_


@pytest.mark.parametrize("language", PAGES)
def test_an_explanation_is_one_or_two_sentences(language):
    """Short enough to be read in passing."""
    for id_, term in _terms(language).items():
        assert 1 <= len(term["text"].splitlines()) <= 2, id_
