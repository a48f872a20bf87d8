"""The page of results as a reader uses it who looks for a machine like theirs."""

import pytest

from publish.records import HOSTILE


def _shown(page):
    return page.evaluate(
        "[...document.querySelectorAll('.sp-result:not([hidden])')].map(c => c.dataset.result)"
    )


@pytest.mark.parametrize("url", ["results/", "en/results/"])
def test_a_choice_leaves_what_matches_it(open_page, url):
    """Cards, their headings, the rows of the overview and the table of contents alike."""
    page = open_page(url)
    everything = _shown(page)
    page.select_option("select[name=verdict]", "verdict_off")
    left = _shown(page)
    assert "bench/2026-loss" in left
    assert "bench/2026-gain" not in left
    assert page.inner_text(".sp-filter output") == f"{len(left)} / {len(everything)}"
    for hidden in ("h3#bench-2026-gain", 'tr:has(a[href="#bench-2026-gain"])'):
        assert not page.is_visible(hidden)
    page.click(".sp-filter [type=reset]")
    page.wait_for_function("document.querySelectorAll('.sp-result[hidden]').length === 0")
    assert _shown(page) == everything


def test_two_choices_are_both_asked_for(open_page):
    """A machine and a type of speculation: what fulfils one of them is not enough."""
    page = open_page("en/results/")
    page.select_option("select[name=speculation]", "ngram-simple")
    types = set(_shown(page))
    page.select_option("select[name=machine]", label="Test bench")
    assert {"bench/2026-ngram"} == set(_shown(page)) < types


def test_without_scripts_the_page_shows_everything(browser, address):
    """The choices stay away; the results do not."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}results/")
    assert not page.is_visible(".sp-filter")
    assert page.is_visible(".sp-result >> nth=0")
    context.close()


def test_a_hostile_title_is_shown_as_it_is_written(open_page):
    """Signs of HTML, Markdown and formulas mean nothing: in heading, overview and figure."""
    for url, language in (("results/", "fr"), ("en/results/", "en")):
        page = open_page(url)
        title = getattr(HOSTILE, language)
        assert page.inner_text("h3#bench-2026-odd").removesuffix("#") == title
        assert page.inner_text('tr a[href="#bench-2026-odd"]') == title
        told = page.evaluate(
            """() => [...document.querySelector('[data-result="bench/2026-odd"]')
                .querySelectorAll('svg desc')].map(d => d.textContent)"""
        )
        assert told
        assert all(each.startswith(title) for each in told)
