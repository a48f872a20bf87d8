"""The search of a page, asked as a reader asks, and awaited by its own messages, not by a clock."""

from urllib.parse import urlparse

WATCHED = """
window.search = {asked: [], answered: 0};
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
    if (!this.watched)
        this.addEventListener('message', ({ data }) => { search.answered += data.type === 3; });
    this.watched = true;
    if (message.type === 2)
        window.search.asked.push(message.data);
    return post.call(this, message, ...more);
};
"""
"""Counts what the theme asks its worker (type 2) and what the worker answers (type 3)."""
ANSWERED = """() => {
    const { value } = document.querySelector('.md-search__input');
    return value && search.asked.at(-1) === value && search.answered === search.asked.length;
}"""


def found_by_typing(page, words):
    """The places that the search lists for these words."""
    page.fill(".md-search__input", "")
    page.click(".md-search__input")
    page.keyboard.type(words)
    return _found(page)


def found_by_pasting(page, words):
    """As `found_by_typing`, for a text from the clipboard."""
    page.fill(".md-search__input", "")
    page.evaluate("text => navigator.clipboard.writeText(text)", words)
    page.focus(".md-search__input")
    page.keyboard.press("Control+v")
    return _found(page)


def _found(page):
    page.wait_for_function(ANSWERED)
    links = page.evaluate(
        "[...document.querySelectorAll('.md-search-result__link')].map(a => a.href)"
    )
    return [url._replace(scheme="", netloc="", query="").geturl() for url in map(urlparse, links)]
