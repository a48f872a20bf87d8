"""Results found by their address."""

from dataclasses import replace

import pytest

from publish.records import GAIN, measurement, sweep
from speculoos.publish.results import Results, UnknownNameError, told_apart
from speculoos.publish.series import acceptance, recommended, speedups
from speculoos.record.store import load_collection, save
from speculoos.record.summary import summarise


def test_a_result_is_found_by_its_path(results):
    """The path under `measurements/` without its ending."""
    result = results["bench/2026-gain"]
    assert result.path == "measurements/bench/2026-gain.yaml"
    assert result.machine_label("fr") == "Banc d\u2019essai"


def test_a_wrong_address_offers_the_nearest(results):
    """One letter wrong is the usual case."""
    with pytest.raises(UnknownNameError, match='did you mean "bench/2026-gain"'):
        results["bench/2026-gian"]


def test_a_wrong_setting_lists_what_there_is(results):
    """Near names mean nothing among numbers."""
    with pytest.raises(UnknownNameError, match="there is 1, 2, 3, best"):
        results["bench/2026-gain"].point(9)


def test_the_best_point_is_the_fastest(results):
    """By speed-up, as the summary computes it."""
    assert results["bench/2026-gain"].point("best").n_max == 2


def test_a_setting_that_was_only_explored_is_never_the_best(results):
    """One start that chose what to confirm is no result."""
    result = results["bench/2026-gain"]
    first = [run for run in result.measurement.runs if run.samples[0].block == 1]
    later = [run for run in result.measurement.runs if run.samples[0].block > 1]
    explored = [run.model_copy(update={"phase": "explore"}) for run in first]
    fresh = [run for run in later if run.settings.n_max != 2]
    runs = {"runs": (*explored, *fresh)}
    searched = replace(result, measurement=result.measurement.model_copy(update=runs))
    assert searched.point(2).explored
    assert searched.point("best").n_max != 2


def test_a_warning_of_the_rules_stands_with_its_own_result(tmp_path):
    """Something waited in one of two files: the other one has no warning."""
    first, *rest = sweep(GAIN)
    late = first.samples[0].model_copy(update={"wall_ms": 90_000.0})
    waited = first.model_copy(update={"samples": (late, *first.samples[1:])})
    for name, runs in (("2026-good", [first, *rest]), ("2026-late", [waited, *rest])):
        save(measurement(runs), tmp_path / f"measurements/bench/{name}.yaml")
    good, late = Results([load_collection(tmp_path / "measurements")]).values()
    assert [warn.kind for warn in late.found] == ["waiting"]
    assert good.found == ()


def test_the_withdrawn_are_not_on_the_picture_for_links(results):
    """It shows what a reader may rely on."""
    kept = [results["bench/2026-gain"]]
    assert recommended([*kept, results["bench/2026-gone"]]) == recommended(kept) != []


def test_kinds_never_mix(results):
    """What others report is no measurement."""
    kinds = {kind: {r.measurement.kind for r in results.of_kind(kind)} for kind in ("measured",)}
    assert kinds == {"measured": {"measured"}}
    assert [r.id for r in results.of_kind("reported")] == ["reported/other"]


def test_speedups_are_those_of_the_summary(results):
    """No formula stands in the pages."""
    result = results["bench/2026-gain"]
    intervals = [p.speedup for p in summarise(result.measurement).points]
    drawn = speedups(result, "en").dots
    assert [(d.value, d.low, d.high) for d in drawn] == [
        (i.value, i.low, i.high) for i in intervals
    ]


def test_a_setting_that_only_crashed_is_kept(results):
    """A crash is a result."""
    assert speedups(results["bench/2026-crash"], "en").broken == ((4, "n_max 4"),)


def test_acceptance_carries_the_range_over_the_prompts(results):
    """The pooled share lies between the lowest and the highest prompt."""
    dots = acceptance(results["bench/2026-gain"], "en").dots
    assert [dot.x for dot in dots] == [1, 2, 3]
    assert all(dot.low < dot.value < dot.high for dot in dots)


def test_an_interval_of_one_degree_of_freedom_is_not_drawn(results):
    """It would be wider than any axis; the symbol is hollow, as for a single block."""
    result = results["bench/2026-gain"]
    few = [
        run
        for run in result.measurement.runs
        if run.samples[0].block < 3 and run.settings.n_max in (None, 1)
    ]
    record = result.measurement.model_copy(update={"runs": tuple(few)})
    (dot,) = speedups(replace(result, measurement=record), "en").dots
    assert (dot.low, dot.high) == (None, None)


def test_two_results_of_one_title_are_told_apart_by_their_machine(results):
    """The demo has the same title on every machine; a title that stands alone stays short."""
    gain = results["bench/2026-gain"]
    other = replace(gain, machine=None)
    assert told_apart(["A", "B"], [gain, other], "fr") == ["A", "B"]
    told = told_apart(["A", "A"], [gain, other], "fr")
    assert told == ["A · Banc d\u2019essai", f"A · {other.machine_label('fr')}"]


def test_a_withdrawn_result_is_told_from_the_one_in_its_place(results):
    """Both have one title, and one machine or none."""
    gain, gone = results["bench/2026-gain"], results["bench/2026-gone"]
    told = told_apart(["A", "A"], [gain, gone], "en")
    assert told == ["A · Test bench", "A · Test bench · withdrawn"]
