"""What was observed or reported: another sign, another table, its caveat always visible."""

import pytest
from bs4 import BeautifulSoup

from publish.records import GAIN, machine, measurement, mtp, sweep
from speculoos.publish.dataset import entry
from speculoos.publish.pages import Pages, Place
from speculoos.publish.results import Result, Results
from speculoos.publish.series import acceptance
from speculoos.record.types import Bilingual, MachineState, Observation, Window

BENCH, LIFE = "bench/2026-gain", "bench/2026-life"


def _window(at, tokens, ms, positions=(30, 10)):
    return Window(
        from_s=at, to_s=at + 10, predicted_n=tokens, predicted_ms=ms, draft_n=100,
        draft_n_accepted=sum(positions), verify_steps=50, accepted_per_position=positions,
    )  # fmt: skip


def _observed(n_max=2, **changes):
    windows = (_window(0, 90, 3000.0), _window(10, 95, 2500.0, (20, 8)))
    observation = Observation(
        by="metrics", settings=mtp(n_max), watched_s=20.0, windows=windows,
        tool_version="0", command="speculoos observe URL",
    )  # fmt: skip
    notes = Bilingual(fr="deux personnes", en="two people")
    none = {"request": None, "design": None, "server": None}
    return measurement(
        (), kind="observed", title=None, notes=notes, observed=observation, **none, **changes
    )


@pytest.fixture
def pages():
    """A bench and a use of the same model, machine and setting."""
    return _pages(_observed())


def _pages(life):
    found = Results([])
    records = {BENCH: measurement(sweep(GAIN)), LIFE: life}
    found._results = {k: Result(k, f"{k}.yaml", r, machine()) for k, r in records.items()}
    return Pages(found)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_an_observed_card_says_so_and_has_a_table_of_its_own(pages, language):
    """The badge, the caveat, no verdict and no speed-up."""
    done = pages.render('[[ results("observed") ]]', Place("p.md", language))
    assert not done.problems
    card = BeautifulSoup(done.markdown, "html.parser")
    assert card.select_one(".sp-result--observed .sp-kind")
    assert ("two people" if language == "en" else "deux personnes") in card.text
    assert ("no baseline" if language == "en" else "ni référence") in card.text
    assert not card.select(".sp-verdict")
    assert len(card.select("table")) == 1


def test_the_rate_is_that_of_all_tokens_over_all_time(pages):
    """Not the mean of the intervals' rates; they give the range."""
    found = pages._results[LIFE].usage
    assert found.tokens_per_second == pytest.approx(1000 * 185 / 5500)
    assert found.rates == (pytest.approx(30), pytest.approx(38))


def test_bench_and_life_stand_side_by_side_with_two_signs(pages):
    """The values of both stand in the description and in the table below."""
    done = pages.render(f'[[ figure("bench_and_life", "{BENCH}", "{LIFE}") ]]', Place("p.md", "en"))
    assert not done.problems
    figure = BeautifulSoup(done.slots["figure-1"], "html.parser")
    assert [row.th.text for row in figure.select("tbody tr")] == ["bench", "in use"]
    assert "33.6" in figure.select_one("desc").text
    assert "fill: var(--sp-paper)" in str(figure)


@pytest.mark.parametrize(
    ("life", "word"),
    [
        (_observed(n_max=7), "does not exist"),
        (_observed(machine=MachineState(id="other")), "another machine"),
        (measurement(sweep(GAIN)), "takes a measured and an observed"),
    ],
)
def test_bench_and_life_must_belong_together(life, word):
    """Same machine, same model, same setting, and one of each kind."""
    marker = f'[[ figure("bench_and_life", "{BENCH}", "{LIFE}") ]]'
    (problem,) = _pages(life).render(marker, Place("p.md", "en")).problems
    assert word in problem.message


def test_no_other_figure_mixes_measured_and_observed(pages):
    """An axis would make them the same kind of figure."""
    marker = f'[[ figure("acceptance_by_position", "{BENCH}", "{LIFE}") ]]'
    (problem,) = pages.render(marker, Place("p.md", "en")).problems
    assert "never stands beside" in problem.message


def test_observed_acceptance_is_drawn_with_another_sign(pages):
    """Its bars are intervals of time, not prompts."""
    line = acceptance(pages._results[LIFE], "en")
    assert line.observed
    assert [dot.value for dot in line.dots] == [0.5, 0.18]
    assert (line.dots[0].low, line.dots[0].high) == (0.4, 0.6)


def test_the_data_hold_no_speedup_of_what_was_observed(pages):
    """Nobody can take it for a measurement."""
    data = entry(pages._results[LIFE])
    assert data["kind"] == "observed"
    assert "points" not in data
    assert data["observed"]["acceptance_rate"] == pytest.approx(0.34)
