"""When a machine was not fit for measuring, and when it was."""

from typing import Any

import pytest

import factories
from factories import BASELINE, drafted, mtp, run, sample
from speculoos.record.summary import summarise
from speculoos.record.surroundings import (
    load_of,
    shares,
    stability_warnings,
    surroundings_warnings,
)
from speculoos.record.types import MachineState, Watched
from speculoos.record.warn import Warn


def watched(**changes: Any) -> Watched:
    """A quiet second of two processors."""
    quiet = {"window_ms": 1000.0, "cpu_ms": 2000.0, "others_cpu_ms": 20.0}
    return Watched(**{**quiet, **changes})


def measured(*seen: Watched, **machine: Any):
    """One block for each `seen`: a baseline and n_max 2, both watched alike."""
    runs = [
        run(settings, make(block=block), watched=each)
        for block, each in enumerate(seen, start=1)
        for settings, make in ((BASELINE, sample), (mtp(2), drafted))
    ]
    return factories.measurement(*runs, machine=MachineState(id="rig", **machine))


def kinds(record) -> list[str]:
    """The warnings about the machine."""
    return [warn.kind for warn in warnings(record)]


def warnings(record) -> list[Warn]:
    """What the machine did beside the measurement."""
    return list(surroundings_warnings(record, load_of(record.runs)))


def test_a_quiet_machine_gives_no_warning():
    """Little load of others, and counters that stand still."""
    seen = watched(pressure_ms=200.0, quota_ms=0.0, throttled=0, cpu_mhz=(3000.0, 3500.0))
    assert kinds(measured(seen, seen, busy_before=0.02, gpu_processes=0)) == []


def test_a_machine_that_was_not_watched_gives_no_warning():
    """As in older files: nothing is known, and nothing is said."""
    assert kinds(factories.measurement()) == []


def test_a_machine_loaded_half_way_is_named_with_its_blocks():
    """The blocks and the worst of their shares."""
    quiet, loaded = watched(), watched(others_cpu_ms=900.0)
    record = measured(loaded, quiet, loaded, loaded)
    (warn,) = warnings(record)
    assert warn.kind == "busy-during"
    assert warn.figures == {"share": 0.45, "loaded": "1, 3–4", "of": 4}
    assert shares(record.runs)[2] == 0
    assert "busy-during" in [each.kind for each in summarise(record).warnings]


def test_loaded_blocks_are_set_aside_where_enough_quiet_ones_remain():
    """They change no figure, and that is said; the verdict rests on the quiet ones."""
    quiet, loaded = watched(), watched(others_cpu_ms=900.0)
    found = summarise(measured(quiet, loaded, quiet, quiet))
    assert [warn.kind for warn in found.warnings if "busy" in warn.kind] == ["busy-set-aside"]
    assert found.blocks == 3
    assert found.recommendation.why != "loaded"


@pytest.mark.parametrize("blocks", ["qll", "qqll", "l", "ll"])
def test_a_measurement_of_mostly_loaded_blocks_recommends_nothing(blocks: str):
    """However clear the figures look: the reason and what to do stand in the verdict."""
    kinds_of_block = {"q": watched(), "l": watched(others_cpu_ms=900.0)}
    found = summarise(measured(*(kinds_of_block[each] for each in blocks)))
    advice = found.recommendation
    assert (advice.verdict, advice.why) == ("undecided", "loaded")
    assert (advice.figures["share"], advice.figures["of"]) == (0.45, len(blocks))


def test_a_block_is_never_left_out_for_its_rates():
    """Only what was seen of the machine counts: to drop odd rates would narrow the interval."""
    assert load_of(factories.blocks({BASELINE: [10, 5, 10], mtp(1): [12, 6, 12]})).loaded == {}


def test_a_load_while_exploring_is_told():
    """It may have chosen the wrong settings; the fresh blocks are quiet."""
    record = measured(watched(others_cpu_ms=900.0), watched(), watched())
    runs = [
        each.model_copy(update={"phase": "explore"}) if at < 2 else each
        for at, each in enumerate(record.runs)
    ]
    found = summarise(record.model_copy(update={"runs": tuple(runs)}))
    assert [warn.kind for warn in found.warnings if "busy" in warn.kind] == ["busy-exploring"]


def test_a_few_ticks_are_no_load():
    """Half of a window of 100 ms may be one mistake in the accounts of the system."""
    short = watched(window_ms=50.0, cpu_ms=100.0, others_cpu_ms=45.0)
    assert kinds(measured(short)) == []


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("quota", watched(quota_ms=50.0)),
        ("throttled", watched(throttled=2)),
        ("throttled", watched(gpu_limits=("thermal",))),
    ],
)
def test_limits_at_work_are_named(kind, seen):
    """A limit of the container, heat of a processor, heat of a card."""
    assert kinds(measured(watched(), seen)) == [kind]


def test_a_card_at_its_power_limit_is_no_fault():
    """It is how cards are built to work."""
    assert kinds(measured(watched(gpu_limits=("power-cap",)))) == []


def test_a_clock_that_differs_between_runs_is_named():
    """The highest clock of each run is compared: within a run it falls while it rests."""
    fast, slow = watched(cpu_mhz=(1000.0, 4000.0)), watched(cpu_mhz=(1000.0, 3000.0))
    assert kinds(measured(fast, fast)) == []
    (warn,) = warnings(measured(fast, slow))
    assert warn.figures == {"what": "CPU", "low_mhz": 3000, "high_mhz": 4000}


def test_programs_that_hold_the_card_are_named():
    """They take memory and time of it."""
    assert kinds(measured(watched(), gpu_processes=2)) == ["card-shared"]


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ([100, 101, 100, 99], []),
        ([100, 96, 93, 89, 85], ["drift"]),
        ([80, 84, 88, 91, 96], ["drift"]),
        ([100, 85, 99, 86, 100], ["noisy"]),
        ([100, 96, 90], ["noisy"]),
        ([100, 90], ["noisy"]),
        ([100], []),
    ],
)
def test_a_baseline_that_follows_a_line_drifts(rates, said):
    """Three blocks that happen to fall one after the other are no trend yet."""
    baseline = dict(enumerate(map(float, rates), start=1))
    assert [warn.kind for warn in stability_warnings(baseline)] == said
