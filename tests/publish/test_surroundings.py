"""What a result's card says of the machine, and of what else changes."""

import pytest

import factories
from factories import BASELINE, OTHER_SHA, drafted, mtp, run, sample
from speculoos.publish import dataset, tables
from speculoos.publish.results import Result
from speculoos.publish.surroundings import surroundings
from speculoos.record.costs import costs
from speculoos.record.types import Energy, IdlePower, MachineState, Memory, Watched

THIN = "\u202f"


def result(*runs, **machine) -> Result:
    """A measurement of these runs on this machine, as a card gets it."""
    state = MachineState(id="rig", **machine)
    record = factories.measurement(*runs, machine=state)
    return Result("rig/test", "measurements/rig/test.yaml", record, factories.machine())


def watched(**changes) -> Watched:
    """A second of two processors of which others took a quarter."""
    values = {"window_ms": 1000.0, "cpu_ms": 2000.0, "others_cpu_ms": 500.0}
    return Watched(**{**values, **changes})


def facts(shown, language):
    """Every term with what is said of it."""
    return {fact.term: fact.text for fact in surroundings(shown, language)}


def test_only_what_is_known_is_told():
    """An older file knows the machine and no more."""
    assert set(facts(result(), "en")) == {"processor", "memory", "system"}


def test_the_machine_is_told_in_both_languages():
    """The same rows, each in the signs of its language."""
    seen = run(
        BASELINE,
        sample(),
        watched=watched(gpu_c=70.0, energy=(Energy(scope="gpu", joules=12.34),)),
    )
    shown = result(seen, display=True, idle=(IdlePower(scope="gpu", watts=9.5),), kernel="6.1")
    english, french = facts(shown, "en"), facts(shown, "fr")
    assert len(english) == len(french)
    assert english["other programs, during (worst block)"] == "25%"
    assert french["autres programmes, pendant (pire bloc)"] == f"25{THIN}%"
    assert english["energy of the runs"] == "cards: 12.3\u00a0J"
    assert french["puissance au repos"] == f"cartes{THIN}: 9,5{THIN}W"
    assert french["écran branché sur la carte"] == "oui"


@pytest.mark.parametrize("reason", ["no-counter", "not-permitted"])
def test_the_reason_for_no_energy_is_told(reason):
    """In words, in both languages."""
    shown = result(energy_absent=reason)
    assert facts(shown, "en")["energy of the runs"].startswith("not measured: ")
    assert facts(shown, "fr")["énergie des passages"].startswith(f"non mesurée{THIN}: ")


def test_memory_and_prompt_stand_beside_the_baseline():
    """A column of which no run knows anything is left out."""
    small = Memory(model_mib=90.0, context_mib=10.0, compute_mib=5.0)
    head = Memory(model_mib=90.0, context_mib=10.0, compute_mib=8.5)
    runs = [run(BASELINE, sample(), memory=small), run(mtp(2), drafted(), memory=head)]
    table = tables.other_costs(result(*runs), "en")
    assert "card memory (MiB)" not in table.head
    assert [cell.text for cell in table.rows[1]] == [
        "n_max 2", "500.0", "1.00\u00d7", "108.5", "3.5",
    ]  # fmt: skip


def test_a_sum_of_buffers_that_lacks_one_is_left_out():
    """A part of the sum would pass for less memory than the server takes."""
    whole = Memory(model_mib=90.0, context_mib=10.0, compute_mib=5.0)
    part = Memory(model_mib=90.0, context_mib=10.0)
    runs = [run(BASELINE, sample(), memory=whole), run(mtp(2), drafted(), memory=part)]
    base, setting = costs(result(*runs).measurement)
    assert base.buffers_mib == pytest.approx(105.0)
    assert (setting.buffers_mib, setting.buffers_more_mib) == (None, None)


def test_the_baseline_against_itself_stands_in_its_row():
    """Equal texts of its repeats, in the column of equal texts."""
    runs = [run(BASELINE, sample(block=1)), run(BASELINE, sample(block=2, output_sha256=OTHER_SHA))]
    table = tables.points(result(*runs), "en")
    assert table.rows[0][table.head.index("equal texts")].text == "0 / 1"


def test_the_data_hold_what_the_card_shows():
    """The same values, with more digits; absent is null."""
    seen = watched(energy=(Energy(scope="package", joules=33.0),))
    runs = [run(BASELINE, sample(), watched=seen), run(mtp(2), drafted())]
    one, two = dataset.entry(result(*runs))["costs"]
    assert (one["joules_per_token"], one["energy_scopes"]) == (3.0, ["package"])
    assert (two["setting"], two["prompt_ratio"], two["joules_per_token"]) == ("n_max 2", 1.0, None)
