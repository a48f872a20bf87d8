"""Every word of every page is in a dictionary, or in the short list beside it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from publish.spelling import DICTIONARIES, prose, unknown, words
from publish.website import ROOT, URLS

LISTS = Path(__file__).parent / "words"
ENGLISH = (
    "docs/en", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", ".github",
    "scripts/speculoos/record", "scripts/speculoos/verbs",
)  # fmt: skip


def _list(language):
    return (LISTS / f"{language}.txt").read_text(encoding="utf-8").split()


@pytest.fixture(scope="session")
def written(soup):
    """The words of all pages of a language."""
    if shutil.which("hunspell") is None:
        pytest.skip(
            "no hunspell found; install it with the dictionaries hunspell-fr, hunspell-en-us"
        )
    texts = {"fr": "", "en": ""}
    for url in URLS:
        texts[soup(url).html["lang"]] += " " + prose(soup(url))
    return {language: words(text, language) for language, text in texts.items()}


@pytest.mark.parametrize("language", DICTIONARIES)
def test_every_word_is_known(written, language):
    """What a dictionary lacks and is right all the same goes into `words/`."""
    assert sorted(unknown(written[language], language) - set(_list(language))) == []


@pytest.mark.parametrize("language", DICTIONARIES)
def test_the_list_holds_what_is_needed_only(written, language):
    """Sorted, each word once, none that the dictionary knows or no page uses."""
    listed = _list(language)
    assert listed == sorted(set(listed))
    assert sorted(set(listed) - unknown(written[language], language)) == []


def test_english_files_hold_no_known_misspelling():
    """`codespell` knows how English words go wrong; French ones it would spoil."""
    command = [sys.executable, "-m", "codespell_lib", *ENGLISH]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout + done.stderr == ""
