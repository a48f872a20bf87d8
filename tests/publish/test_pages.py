"""Markers of pages, and what is said when they are wrong."""

import json

import pytest
from bs4 import BeautifulSoup
from markdown import markdown

from publish.records import GAIN, measurement, sweep
from speculoos.publish.dataset import dataset
from speculoos.publish.pages import Pages, Place
from speculoos.publish.pages.html import keep_words_whole
from speculoos.publish.pages.render import fill_slots
from speculoos.publish.results import Result, Results
from speculoos.record.types import Bilingual

GAIN_ID = "bench/2026-gain"
FENCES = ["pymdownx.superfences", "pymdownx.tabbed"]


@pytest.fixture
def pages(results):
    return Pages(results)


def render(pages, text, language="en", **place):
    return pages.render(text, Place("docs/en/page.md", language, **place))


def test_a_value_reads_in_the_language_of_its_page(pages):
    """The same marker gives the same number with other signs."""
    marker = f'[[ value("{GAIN_ID}", "speedup", n_max=2) ]]'
    assert render(pages, marker).markdown == "1.20\u00d7"
    assert render(pages, marker, "fr").markdown == "\u00d7\u202f1,20"


def test_every_error_is_reported_with_its_line(pages):
    """Sorted, all at once, each with the nearest right name."""
    text = "\n".join(
        [
            "# Title",
            '[[ figure("speedup_by_nmax", "bench/2026-gain") ]]',
            f'[[ value("{GAIN_ID}", "spedup", n_max=2) ]] and [[ valeu("x") ]]',
            '[[ value("bench/2026-gian", "speedup", n_max=2) ]]',
            "[[ value( ]]",
            '[[ results("measuered") ]]',
            "[[ table(",
        ]
    )
    said = [str(problem) for problem in render(pages, text, first_line=5).problems]
    assert said == [
        'docs/en/page.md:6: figure "speedup_by_nmax" does not exist; '
        'did you mean "speedup_by_n_max"?',
        'docs/en/page.md:7: marker "valeu" does not exist; did you mean "value"?',
        'docs/en/page.md:7: value "spedup" does not exist; did you mean "speedup"?',
        'docs/en/page.md:8: measurement "bench/2026-gian" does not exist; '
        'did you mean "bench/2026-gain"?',
        "docs/en/page.md:9: cannot be read: unexpected ']', expected ')'",
        'docs/en/page.md:10: kind "measuered" does not exist; did you mean "measured"?',
        r"docs/en/page.md:11: [[ is never closed by ]]; write \[[ for the signs alone",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "`[[ x ]]`",
        "``a ` [[ x ]]``",
        "```bash\nif [[ -f x ]]; then\n```",
        "    ~~~\n    [[ x ]]\n    ~~~",
        "<!-- [[ x ]] -->",
        r"\[[ x ]]",
    ],
)
def test_code_comments_and_escaped_signs_are_left_alone(pages, text):
    """A page that shows a marker, or a shell test, needs no trick."""
    done = render(pages, text)
    assert done.markdown == text
    assert not done.problems


def test_a_value_that_is_absent_is_an_error(pages):
    """One block gives no interval: no number may stand for it."""
    done = render(pages, '[[ value("bench/2026-short", "speedup_low", n_max=2) ]]')
    assert "is absent from the file" in str(done.problems[0])


def test_a_value_of_a_setting_asks_for_the_setting(pages):
    """The message says what to write."""
    done = render(pages, f'[[ value("{GAIN_ID}", "speedup") ]]')
    assert "add n_max=2" in str(done.problems[0])


def _all_results(pages, kind="measured", language="en"):
    done = render(pages, f'[[ results("{kind}") ]]', language)
    assert not done.problems
    return BeautifulSoup(fill_slots(done.markdown, done.slots), "html.parser")


def test_every_result_stands_with_its_file_and_command(pages, results):
    """A new file shows without an edit of any page."""
    html = _all_results(pages)
    shown = {block["data-result"] for block in html.select(".sp-result")}
    assert shown == {result.id for result in results.of_kind("measured")}
    for figure in html.select("figure"):
        assert "measurements/bench/" in figure.select_one(".sp-origin").text
        assert figure.select_one(".sp-command code").text.startswith("speculoos measure")


def test_crashes_and_undecided_verdicts_show_as_results(pages):
    """Neither is hidden."""
    html = _all_results(pages)
    crash = html.select_one('[data-result="bench/2026-crash"]')
    assert "SIGSEGV" in crash.select_one(".sp-incidents").text
    assert "incident" in crash.select_one("table").text
    short = html.select_one('[data-result="bench/2026-short"]')
    assert short.select_one(".sp-verdict--undecided").text.startswith("Undecided")


def test_a_withdrawn_result_is_struck_and_says_why(pages):
    """It stays visible, and gives no advice."""
    done = render(pages, '[[ results("measured") ]]')
    assert r"### <del>A trial · Test bench · withdrawn</del> {#bench-2026-gone}" in done.markdown
    gone = BeautifulSoup(done.markdown, "html.parser").select_one('[data-result$="gone"]')
    assert "wrong binary" in gone.text
    assert not gone.select(".sp-verdict--use")


def test_reported_figures_share_no_table_with_measured_ones(pages):
    """Each kind has its own list, and the overview holds what was measured."""
    reported = _all_results(pages, "reported")
    assert "https://example.org/page" in str(reported)
    assert not reported.select("figure")
    overview = render(pages, '[[ table("results") ]]').markdown
    assert "another states" not in overview


def test_the_overview_shows_no_speedup_without_its_interval(pages):
    """One block on a busy machine can say anything: the page of results shows it, hollow."""
    overview = BeautifulSoup(render(pages, '[[ table("results") ]]').markdown, "html.parser")
    row = next(r for r in overview.select("tbody tr") if r.a["href"].endswith("2026-short"))
    assert [cell.text for cell in row.select("td")][:4] == ["undecided", *["\u2013"] * 3]


def test_figures_wait_until_the_page_is_html(pages):
    """No drawing enters the search index."""
    done = render(pages, f'[[ figure("speedup_by_n_max", "{GAIN_ID}") ]]')
    assert "<svg" not in done.markdown
    assert "<svg" in fill_slots(done.markdown, done.slots)


def test_a_result_is_linked_by_its_title(pages):
    """Its anchor is on the page of results."""
    done = render(pages, f'[[ result("{GAIN_ID}") ]]', results_url="../results/")
    assert done.markdown == '<a href="../results/#bench-2026-gain">A trial</a>'


def test_what_a_file_says_is_text_and_nothing_else():
    """A title, note or command with HTML or Markdown signs is shown as it is written."""
    evil = '<script>alert(1)</script> *a* [[ value("x") ]]'
    record = measurement(
        sweep(GAIN), title=Bilingual(fr=evil, en=evil), notes=Bilingual(fr=evil, en=evil)
    )
    results = Results([])
    results._results["a/b"] = Result("a/b", "measurements/a/b.yaml", record, None)
    done = render(Pages(results), '[[ results("measured") ]]')
    whole = fill_slots(done.markdown, done.slots)
    assert "<script" not in whole
    assert r"\*a\*" in done.markdown.splitlines()[0]


def test_a_line_of_a_note_is_no_markdown():
    """Two fences in the notes of two results would hide all that stands between them."""
    found = Results([])
    for name in ("a", "b"):
        notes = Bilingual(fr="x", en=f"One\n```\n\n--8<-- 'x'\n=== 'tab'\n{name}")
        record = measurement(sweep(GAIN), notes=notes)
        found._results[f"a/{name}"] = Result(f"a/{name}", "measurements/a.yaml", record, None)
    text = render(Pages(found), '[[ results("measured") ]]').markdown
    page = BeautifulSoup(markdown(text, extensions=["attr_list", *FENCES]), "html.parser")
    assert len(page.select("[data-result]")) == 2
    assert page.select("pre, .tabbed-set") == []


def test_what_others_report_never_shares_axes_with_what_was_measured(pages):
    """Whatever the figure."""
    text = f'[[ figure("speedup_by_n_max", "{GAIN_ID}", "reported/other") ]]'
    (problem,) = render(pages, text).problems
    assert "what others report never stands beside measurements" in problem.message


def test_files_link_to_the_repository_where_its_address_is_known(results):
    """Without an address the path alone is shown."""
    marker = f'[[ figure("speedup_by_n_max", "{GAIN_ID}") ]]'
    slots = (
        Pages(results, "https://example.org/r/blob/main/").render(marker, Place("p", "en")).slots
    )
    link = "https://example.org/r/blob/main/measurements/bench/2026-gain.yaml"
    assert link in slots["figure-1"]
    assert "<a " not in Pages(results).render(marker, Place("p", "en")).slots["figure-1"]


def test_the_data_holds_every_result(results):
    """What the page shows can be read by a program."""
    data = json.loads(dataset(results.values()))
    assert [entry["id"] for entry in data["results"]] == list(results)
    crash = next(entry for entry in data["results"] if entry["id"] == "bench/2026-crash")
    assert crash["points"][-1]["incident"]["signal"] == "SIGSEGV"
    assert crash["points"][-1]["speedup"] is None


def test_a_short_option_is_kept_on_one_line_and_a_long_message_is_not():
    """A browser would end a line behind each of its hyphens."""
    assert keep_words_whole("<code>-c</code>") == '<code class="sp-word">-c</code>'
    for other in ("<code>n_max</code>", "<code>a b-c</code>", f"<code>-{'x' * 30}</code>"):
        assert keep_words_whole(other) == other
