"""Step costs of measurements and of claims, and the drawing that needs no data."""

import pytest
from bs4 import BeautifulSoup

from publish.records import mtp, reported
from speculoos.publish.pages import Pages, Place
from speculoos.publish.pages.render import fill_slots
from speculoos.publish.results import Result, Results
from speculoos.publish.step_costs import step_cost_values, step_costs
from speculoos.publish.text import LANGUAGES
from speculoos.publish.unmeasured import claims
from speculoos.record.types import Bilingual, Claim, Settings

FIGURE = "step_cost_by_n_max"


def _claim(settings, rate, acceptance=None):
    words = Bilingual(fr="une passe", en="one pass")
    return Claim(
        settings=settings, tokens_per_second=rate, acceptance_rate=acceptance, conditions=words
    )


def _reported(*claims):
    record = reported().model_copy(update={"claims": claims})
    return Result("reported/other", "measurements/reported/other.yaml", record, None)


def _costs(*claims):
    return {dot.x: dot.value for dot in step_costs(_reported(*claims), "en").dots}


PLAIN = _claim(Settings(spec_type="none"), 10.0)


def test_a_claim_costs_what_its_tokens_and_its_rate_say():
    """Two tokens a step at twice the rate cost one plain pass; at the same rate, two."""
    assert _costs(PLAIN, _claim(mtp(2), 20.0, 0.5), _claim(mtp(4), 10.0, 0.25)) == {2: 1.0, 4: 2.0}


def test_a_claim_without_acceptance_or_without_a_baseline_costs_nothing_that_is_known():
    """No dot rather than a guess."""
    assert _costs(PLAIN, _claim(mtp(2), 20.0)) == {}
    assert _costs(_claim(mtp(2), 20.0, 0.5)) == {}


def test_a_measurement_shows_the_costs_of_its_points(results):
    """The figure and the table of settings cannot disagree."""
    result = results["bench/2026-gain"]
    shown = {dot.x: dot.value for dot in step_costs(result, "en").dots}
    assert shown == {p.n_max: p.step_cost for p in result.summary.points}
    rows = step_cost_values([step_costs(result, "en")], "en").rows
    assert len(rows) == len(shown)


def test_the_interval_of_a_measured_cost_is_that_of_its_speedup(results):
    """Tokens of a step are counts: the lowest speed-up is the highest cost."""
    result = results["bench/2026-gain"]
    dots = {dot.x: dot for dot in step_costs(result, "en").dots}
    for point in result.summary.points:
        dot, ratio = dots[point.n_max], point.speedup
        assert dot.low * ratio.high == pytest.approx(dot.value * ratio.value)
        assert dot.high * ratio.low == pytest.approx(dot.value * ratio.value)
    assert "interval" in step_cost_values([step_costs(result, "en")], "en").head[-1]


def test_a_figure_of_costs_without_intervals_says_why(pages):
    """One rate a setting gives no interval: the caption says so instead of being silent."""
    done = pages.render(f'[[ figure("{FIGURE}", "reported/other") ]]', Place("p.md", "en"))
    assert "No interval: one rate is known" in done.slots["figure-1"]


@pytest.fixture
def pages():
    other = _reported(PLAIN, _claim(mtp(2), 20.0, 0.5))
    found = Results([])
    found._results = {other.id: other}
    return Pages(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_figure_names_its_source(pages, language):
    """What others report stands with its link, its values and its file."""
    done = pages.render(f'[[ figure("{FIGURE}", "reported/other") ]]', Place("p.md", language))
    html = BeautifulSoup(fill_slots(done.markdown, done.slots), "html.parser")
    assert html.select_one('a[href="https://example.org/page"]')
    assert len(html.select("tbody tr")) == 1
    assert html.svg.title.text
    assert html.svg.desc.text


def test_reported_and_measured_figures_never_share_axes(results):
    """The page is told, with its line."""
    marker = f'[[ figure("{FIGURE}", "reported/other", "bench/2026-gain") ]]'
    (problem,) = Pages(results).render(marker, Place("p.md", "en")).problems
    assert "never stands beside measurements" in str(problem)


def test_the_claims_of_a_source_can_be_shown_alone(results):
    """As the table of a result shows them."""
    done = Pages(results).render('[[ table("claims", "reported/other") ]]', Place("p.md", "en"))
    assert "2.70" in done.markdown


def test_a_column_of_which_a_source_says_nothing_is_left_out():
    """A source of rates alone gets no empty columns for the rest."""
    shown = claims(_reported(_claim(mtp(2), 20.0)), "en")
    assert shown.head == ("setting", "stated rate", "conditions")


def test_conditions_that_all_claims_share_stand_once_under_the_table():
    """A column that says the same in every row leaves its room to the figures."""
    shown = claims(_reported(_claim(mtp(2), 20.0), _claim(mtp(4), 10.0)), "en")
    assert shown.head == ("setting", "stated rate")
    assert shown.note == "Conditions: one pass"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_drawing_is_told_to_those_who_do_not_see_it(results, language):
    """A title and a description that name every step, ids of its own."""
    done = Pages(results).render('[[ drawing("one_step") ]]', Place("p.md", language))
    svg = BeautifulSoup(fill_slots(done.markdown, done.slots), "html.parser").svg
    named = svg["aria-labelledby"].split()
    assert [svg.title["id"], svg.desc["id"]] == named
    assert len(svg.desc.text) > 100
    assert svg["role"] == "img"


def test_an_unknown_drawing_is_an_error(results):
    """With the name that exists."""
    done = Pages(results).render('[[ drawing("one_stop") ]]', Place("p.md", "en"))
    assert 'did you mean "one_step"?' in str(done.problems[0])


def test_a_source_that_stands_nowhere_is_named_without_a_link():
    """What was told is shown as told; there is no address to invent."""
    told = reported()
    source = told.source.model_copy(update={"link": None, "title": "Told by its author"})
    record = told.model_copy(update={"source": source})
    found = Results([])
    found._results = {"reported/told": Result("reported/told", "reported/told.yaml", record, None)}
    done = Pages(found).render('[[ results("reported") ]]', Place("p.md", "en"))
    html = BeautifulSoup(fill_slots(done.markdown, done.slots), "html.parser")
    assert "Told by its author" in html.text
    assert not html.select(".sp-origin a")
