"""What a measurement says: points, verdict, warnings."""

import pytest

import factories
from factories import BASELINE, mtp
from speculoos.record.summary import summarise
from speculoos.record.types import Bilingual, Incident, Settings


def _summary(rates: dict[Settings, list[float]], **changes: object):
    return summarise(factories.measurement(*factories.blocks(rates), **changes))


def test_a_clear_gain_is_used_with_its_n_max():
    """Every block says the same: use it."""
    found = _summary({BASELINE: [10, 10.1], mtp(1): [12, 12.1], mtp(2): [15, 15.2]})
    advice = found.recommendation
    assert (advice.verdict, advice.n_max, advice.why) == ("use", 2, "gain")
    assert found.points[1].speedup.value == pytest.approx(1.5, rel=0.01)


def test_of_settings_that_cannot_be_told_apart_the_smallest_is_used():
    """A smaller n_max costs less memory and wastes less."""
    rates = {BASELINE: [10, 10.2, 10], mtp(1): [15.0, 15.1, 14.9], mtp(2): [15.1, 15.0, 15.0]}
    advice = _summary(rates).recommendation
    assert (advice.verdict, advice.n_max) == ("use", 1)


def test_a_clear_loss_is_off():
    """Even the best setting is slower."""
    advice = _summary({BASELINE: [10, 10.1], mtp(1): [8, 8.1], mtp(2): [6, 6.1]}).recommendation
    assert (advice.verdict, advice.why) == ("off", "slower")


def test_a_gain_too_small_to_matter_is_off():
    """The interval ends below 1.02: nothing to win."""
    found = _summary({BASELINE: [10, 10.05, 10], mtp(1): [10.02, 10.02, 10.0]})
    assert found.points[0].speedup.low < 1 < found.points[0].speedup.high < 1.02
    assert (found.recommendation.verdict, found.recommendation.why) == ("off", "no-gain")


def test_a_wide_interval_around_one_is_undecided():
    """Noise larger than the effect: the tool says so."""
    advice = _summary({BASELINE: [10, 11], mtp(1): [12, 10], mtp(2): [9, 10]}).recommendation
    assert (advice.verdict, advice.why) == ("undecided", "interval-holds-one")


def test_a_baseline_far_apart_is_undecided():
    """However clear the gain: something used the machine and was not seen."""
    advice = _summary({BASELINE: [10, 12], mtp(1): [20, 24]}).recommendation
    assert (advice.verdict, advice.why) == ("undecided", "restless")


def test_one_degree_of_freedom_that_tells_nothing_says_so():
    """Two blocks of one setting: Student's t is 12.7, no bound is worth printing in the verdict."""
    found = _summary({BASELINE: [10, 10.9], mtp(1): [12, 11.8]})
    assert found.points[0].speedup.freedom == 1
    assert (found.recommendation.verdict, found.recommendation.why) == ("undecided", "few-blocks")
    assert "wide" in [warn.kind for warn in found.warnings]


def test_one_degree_of_freedom_that_tells_is_an_answer():
    """However few the blocks, an interval far below 1 holds no gain."""
    found = _summary({BASELINE: [10, 10.1], mtp(1): [5, 5.06]})
    assert (found.recommendation.verdict, found.recommendation.why) == ("off", "slower")
    assert "wide" not in [warn.kind for warn in found.warnings]


def test_a_run_with_a_text_that_ends_in_another_way_is_not_compared():
    """It is no longer the same work; the others are compared, and it is said."""
    runs = list(factories.blocks({BASELINE: [10, 10.1], mtp(2): [12, 12.2]}))
    other = runs[1].samples[0].model_copy(update={"finish": "eos"})
    runs[1] = runs[1].model_copy(update={"samples": (other,)})
    found = summarise(factories.measurement(*runs))
    assert found.blocks == 1
    (warn,) = [warn for warn in found.warnings if warn.kind == "other-end"]
    assert warn.figures == {"setting": "n_max 2", "runs": 1}


def test_a_run_that_was_asked_another_prompt_is_not_compared():
    """A prompt of another length, or one that was cached, is another experiment."""
    runs = list(factories.blocks({BASELINE: [10, 10.1], mtp(2): [12, 12.2]}))
    other = runs[1].samples[0].model_copy(update={"prompt_n": 4})
    runs[1] = runs[1].model_copy(update={"samples": (other,)})
    found = summarise(factories.measurement(*runs))
    assert found.blocks == 1
    assert "other-prompt" in [warn.kind for warn in found.warnings]


def test_acceptance_that_was_made_up_gives_no_verdict():
    """However good it looks: it is that of no text."""
    runs = list(factories.blocks({BASELINE: [10, 10.1], mtp(1): [20, 20.1]}))
    runs[1] = runs[1].model_copy(update={"args": ("--spec-synth-rates", "0.9")})
    found = summarise(factories.measurement(*runs))
    assert (found.recommendation.verdict, found.recommendation.why) == ("undecided", "synthetic")
    assert "synthetic" in [warn.kind for warn in found.warnings]


def test_one_block_is_undecided():
    """No interval, no verdict."""
    advice = _summary({BASELINE: [10], mtp(1): [12]}).recommendation
    assert (advice.verdict, advice.why) == ("undecided", "one-block")


def test_a_crashed_setting_leaves_the_others_compared():
    """The crash is a result; the rest still has an interval."""
    runs = factories.blocks({BASELINE: [10, 10.1], mtp(1): [12, 12.2]})
    crash = Incident(kind="crash", signal="SIGABRT", after_samples=0)
    found = summarise(factories.measurement(*runs, factories.run(mtp(3), incident=crash)))
    assert found.recommendation.verdict == "use"
    assert found.points[-1].incident == crash
    assert found.points[-1].speedup is None
    assert "incident" in [warn.kind for warn in found.warnings]


def test_an_incomplete_last_block_is_left_out():
    """An interrupted measurement is compared over its complete blocks."""
    runs = factories.blocks({BASELINE: [10, 10.1, 99], mtp(1): [12, 12.2, 5]})
    found = summarise(factories.measurement(*runs[:-1]))
    assert found.blocks == 2
    assert found.points[0].speedup.value == pytest.approx(1.2, rel=0.01)


def test_a_setting_that_is_missing_in_one_block_is_compared_in_the_others():
    """A crash in one block costs that block of that setting, not the block of the others."""
    rates = {BASELINE: [10, 10.1, 9.9], mtp(1): [12, 12.2, 11.9], mtp(2): [15, 15.1, 14.8]}
    whole = _summary(rates)
    runs = factories.blocks(rates)
    found = summarise(factories.measurement(*runs[:-1]))
    assert found.blocks == 3
    assert found.points[1].speedup.value == pytest.approx(1.5, rel=0.01)
    assert found.points[1].speedup.half_width > found.points[0].speedup.half_width
    assert found.points[0].speedup.value == pytest.approx(whole.points[0].speedup.value)


def test_two_runs_of_an_interrupted_setting_are_one():
    """Together they have asked every prompt of their block."""
    pair_of_prompts = ("one", "two")
    whole = [
        factories.run(settings, *(make(prompt=p) for p in pair_of_prompts))
        for settings, make in ((BASELINE, factories.sample), (mtp(2), factories.drafted))
    ]
    halves = [factories.run(mtp(2), factories.drafted(prompt=p)) for p in pair_of_prompts]
    in_one = summarise(factories.measurement(*whole))
    assert summarise(factories.measurement(whole[0], *halves)).points == in_one.points
    alone = summarise(factories.measurement(whole[0], halves[0]))
    assert alone.points[0].speedup is None


@pytest.mark.parametrize(("killed", "counts"), [(0, True), (1, False)])
def test_what_came_before_a_kill_counts_once_the_rest_is_there(killed, counts):
    """A block is whole where its last start ended well."""
    plain = factories.run(BASELINE, *(factories.sample(prompt=p) for p in ("one", "two")))
    halves = [factories.run(mtp(2), factories.drafted(prompt=p)) for p in ("one", "two")]
    end = Incident(kind="killed", signal="SIGKILL", after_samples=1)
    halves[killed] = halves[killed].model_copy(update={"incident": end})
    found = summarise(factories.measurement(plain, *halves))
    assert (found.points[0].speedup is not None) == counts


def test_a_block_without_its_baseline_does_not_count():
    """There is nothing to compare with."""
    runs = factories.blocks({BASELINE: [10, 10.1, 10], mtp(1): [12, 12.1, 12]})
    found = summarise(factories.measurement(*runs[:4], runs[5]))
    assert found.blocks == 2


def test_what_may_be_slower_is_never_advised():
    """It cannot be told from the best, nor from the baseline: the best is used."""
    rates = {BASELINE: [10, 10.4, 10.2], mtp(1): [11, 10.1, 10.6], mtp(2): [11.1, 11.3, 11.3]}
    found = _summary(rates)
    first, best = (point.speedup for point in found.points)
    assert first.low < 1 < best.low
    assert first.high > best.value
    assert (found.recommendation.verdict, found.recommendation.n_max) == ("use", 2)


def test_an_impossible_sample_keeps_its_run_from_being_compared():
    """Counts that contradict each other make no speed-up."""
    runs = list(factories.blocks({BASELINE: [10, 10.1], mtp(2): [12, 12.2]}))
    bad = factories.drafted(draft_n=99)
    runs[1] = factories.run(mtp(2), bad)
    found = summarise(factories.measurement(*runs))
    assert "invalid-samples" in [warn.kind for warn in found.warnings]
    assert found.blocks == 1


def test_a_restless_baseline_is_a_warning():
    """Blocks 20 % apart."""
    found = _summary({BASELINE: [10, 12], mtp(1): [12, 14.4]})
    assert "noisy" in [warn.kind for warn in found.warnings]


def test_a_run_that_drafts_nothing_is_a_warning():
    """Speculation was silently off."""
    runs = (
        factories.run(BASELINE, factories.sample()),
        factories.run(mtp(2), factories.sample()),
    )
    found = summarise(factories.measurement(*runs))
    assert [warn.kind for warn in found.warnings] == ["nothing-drafted"]


def test_texts_that_differ_from_the_baselines_are_counted():
    """Equality is measured, never promised."""
    runs = (
        factories.run(BASELINE, factories.sample()),
        factories.run(mtp(2), factories.drafted(output_sha256=factories.OTHER_SHA)),
    )
    found = summarise(factories.measurement(*runs))
    assert found.points[0].same_text == (0, 1)
    assert "text-differs" in [warn.kind for warn in found.warnings]


def test_no_baseline_is_undecided():
    """There is nothing to compare with."""
    found = summarise(factories.measurement(factories.run(mtp(2), factories.drafted())))
    assert found.recommendation.why == "no-baseline"


def test_a_withdrawn_record_warns_first_of_all():
    """Its figures no longer count."""
    withdrawn = Bilingual(fr="Mauvais modèle.", en="Wrong model.")
    found = _summary({BASELINE: [10], mtp(1): [12]}, withdrawn=withdrawn)
    assert "withdrawn" in [warn.kind for warn in found.warnings]


def _searched() -> tuple:
    """Three depths explored in block 1, one of them confirmed in blocks 2 and 3."""
    first = factories.blocks({BASELINE: [10], mtp(1): [19], mtp(2): [12]})
    explored = [run.model_copy(update={"phase": "explore"}) for run in first]
    fresh = factories.blocks({BASELINE: [99, 10, 10.1], mtp(1): [99, 12, 12.2]})[2:]
    return (*explored, *fresh)


def test_the_verdict_of_a_search_rests_on_fresh_data():
    """What exploring showed chose the candidate; its lucky 1.9 is not the answer."""
    found = summarise(factories.measurement(*_searched()))
    assert found.recommendation.n_max == 1
    assert found.points[0].speedup.value == pytest.approx(1.2, rel=0.01)
    assert (found.blocks, len(found.baseline.samples)) == (2, 2)


def test_a_search_that_ended_before_its_first_block_shows_what_it_explored():
    """Without an interval, and without a verdict."""
    found = summarise(factories.measurement(*_searched()[:4]))
    assert found.recommendation.why == "one-block"
    assert found.points[0].speedup.value == pytest.approx(1.9)


def test_a_depth_that_was_only_explored_has_no_interval():
    """It is shown, and decides nothing."""
    deeper = summarise(factories.measurement(*_searched())).points[1]
    assert deeper.explored
    assert deeper.speedup.value == pytest.approx(1.2)
    assert deeper.speedup.low is None


def test_all_settings_that_cannot_be_told_apart_are_named():
    """The smallest is used, the others stand beside it."""
    rates = {BASELINE: [10, 10.2, 10], mtp(1): [15.0, 15.1, 14.9], mtp(2): [15.1, 15.0, 15.0]}
    assert _summary(rates).recommendation.equals == (1, 2)


def test_a_baseline_that_failed_and_was_started_again_is_told():
    """Its figures are good; each way that a setting failed is said once."""
    whole = factories.blocks({BASELINE: [10, 10.1], mtp(1): [15, 15.1]})
    killed, hang = (Incident(kind=kind, after_samples=0) for kind in ("killed", "no-answer"))
    failed = [factories.run(BASELINE, incident=each) for each in (killed, killed, hang)]
    found = summarise(factories.measurement(*failed, *whole))
    told = [warn.figures for warn in found.warnings if warn.kind == "incident"]
    assert told == [
        {"setting": "baseline", "kind": "killed"},
        {"setting": "baseline", "kind": "no-answer"},
    ]
    assert found.baseline.tokens_per_second
    assert "nothing-drafted" not in [warn.kind for warn in found.warnings]
