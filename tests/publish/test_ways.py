"""Several ways of asking, several slots, and warnings, as a card shows them."""

import pytest
from bs4 import BeautifulSoup

import factories
from factories import BASELINE, OTHER_SHA, drafted, mtp, run, sample
from speculoos.publish import cautions, dataset, tables
from speculoos.publish.pages import Pages, Place
from speculoos.publish.results import Results
from speculoos.record.store import load_collection, save
from speculoos.record.types import Batch, Measurement

PLAIN = {BASELINE: [10, 10.1, 10], mtp(1): [12, 12.1, 12]}
THINKING = {BASELINE: [10, 10.1, 10], mtp(1): [15, 15.1, 15.2]}


def _record(*runs, **request) -> Measurement:
    record = factories.measurement(*runs)
    return record.model_copy(update={"request": record.request.model_copy(update=request)})


def _batch(**changes) -> Batch:
    values = {"block": 1, "prompts": ("one", "two"), "prompt_n": 10, "predicted_n": 20}
    return Batch(**values | {"wall_ms": 100.0} | changes)


@pytest.fixture
def results(tmp_path) -> Results:
    """Two ways of one session, a measurement of four slots, and one with a warning."""
    root = tmp_path / "measurements"
    quick = _batch(draft_n=8, draft_n_accepted=5, verify_steps=4, wall_ms=50.0)
    found = {
        "plain": _record(*factories.blocks(PLAIN)),
        "thinking": _record(*factories.blocks(THINKING), reasoning=True),
        "slots": _record(
            run(BASELINE, batches=(_batch(),)), run(mtp(2), batches=(quick,)), parallel=4
        ),
        "other": _record(
            run(BASELINE, sample()), run(mtp(2), drafted(output_sha256=OTHER_SHA)), max_tokens=64
        ),
    }  # fmt: skip
    for name, record in found.items():
        save(record, root / f"rig/2026-11-29-{name}.yaml")
    save(factories.machine(), root / "rig/machine.yaml")
    return Results([load_collection(root)])


def _cards(results: Results, kind: str, language="en") -> dict[str, BeautifulSoup]:
    place = Place("docs/en/results.md", language, pitfalls_url="../pitfalls/")
    page = Pages(results).render(f'[[ results("{kind}") ]]', place)
    assert not page.problems
    html = BeautifulSoup(page.markdown, "html.parser")
    return {card["data-result"]: card for card in html.select("[data-result]")}


@pytest.mark.parametrize(
    ("language", "change"), [("en", "1.25\u00d7 ("), ("fr", "\u00d7\u202f1,25 (")]
)
def test_the_same_prompts_asked_in_two_ways_stand_on_both_cards(results, language, change):
    """Each setting twice, and how its speed-up changes."""
    cards = _cards(results, "measured", language)
    caption = tables.ways([], language).caption
    for name in ("plain", "thinking"):
        table = cards[f"rig/2026-11-29-{name}"].select_one(f'[aria-label="{caption}"]')
        assert len(table.select("tbody tr")) == 4
        assert change in table.text
    assert caption not in cards["rig/2026-11-29-other"].text


def test_several_slots_stand_in_a_list_of_their_own(results):
    """With how many there were; no figure puts them beside one slot."""
    (name,) = _cards(results, "parallel")
    assert name not in _cards(results, "measured")
    card = _cards(results, "parallel")[name]
    assert "4 requests at once" in card.text
    assert name not in tables.overview(results.of_kind("measured"), "en").rows[0][0].text
    figure = f'[[ figure("speedup_by_n_max", "{name}", "rig/2026-11-29-plain") ]]'
    (problem,) = Pages(results).render(figure, Place("p.md", "en")).problems
    assert "one slot and several never stand together" in problem.message
    entry = dataset.entry(results[name])
    assert (entry["parallel"], entry["points"][0]["samples"]) == (4, 2)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_card_explains_its_two_intervals(results, language):
    """A column for prompts like these, and what both of them mean."""
    card = _cards(results, "measured", language)["rig/2026-11-29-plain"]
    heads = {"fr": "pour des invites semblables", "en": "for prompts like these"}
    assert heads[language] in [head.text for head in card.select("th")]
    assert {"fr": "moins de quatre invites", "en": "fewer than four prompts"}[language] in card.text


def test_a_warning_leads_to_its_pitfall(results):
    """What to do stands beside it; why, one click away."""
    card = _cards(results, "measured")["rig/2026-11-29-other"]
    (link,) = card.select(".sp-warnings a[href$='#text-differs']")
    assert link["href"] == "../pitfalls/#text-differs"
    assert "promise no equal texts" in link.parent.text


def test_every_warning_has_a_remedy_in_both_languages():
    """A reader is told what to do next."""
    assert set(cautions.REMEDIES) == set(cautions.WARNINGS)
    assert all(set(texts) == {"fr", "en"} for texts in cautions.REMEDIES.values())
