"""Counters of energy, their scope, and why there are none."""

from pathlib import Path

import pytest

from measure.fake_system import nvml, rapl
from speculoos.measure.cards import DrmCards
from speculoos.measure.energy import EnergyMeter, why_absent
from speculoos.measure.gpu import cards_of
from speculoos.measure.nvidia import Nvidia


def _spent(meter):
    return {each.scope: each.joules for each in meter.read()}


def test_packages_add_up_and_parts_of_a_package_do_not_count_twice(tmp_path):
    """Two packages and their memory; `core` lies within a package, `psys` around it."""
    zones = ("intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:2")
    names = ("package-0", "package-1", "core", "dram", "psys")
    for zone, name in zip(zones, names, strict=True):
        rapl(tmp_path, zone, name, 1_000_000)
    meter = EnergyMeter(DrmCards(tmp_path), tmp_path)
    for zone, name in zip(zones, names, strict=True):
        rapl(tmp_path, zone, name, 4_500_000)
    assert _spent(meter) == {"package": 7.0, "dram": 3.5}


def test_a_counter_that_starts_again_from_zero_is_followed(tmp_path):
    """At every reading, so that even several turns are counted."""
    rapl(tmp_path, "intel-rapl:0", "package-0", 900_000, range_uj=999_999)
    meter = EnergyMeter(DrmCards(tmp_path), tmp_path)
    for now in (400_000, 900_000, 100_000):
        rapl(tmp_path, "intel-rapl:0", "package-0", now, range_uj=999_999)
        meter.read()
    assert _spent(meter) == {"package": pytest.approx(1.2)}


def test_cards_have_a_scope_of_their_own():
    """Energy of a card is none of the processor's."""
    answers = iter([5_000, 7_500])
    library = nvml()
    library.nvmlDeviceGetTotalEnergyConsumption = lambda _card: next(answers)
    assert _spent(EnergyMeter(Nvidia(library), Path("/nowhere"))) == {"gpu": 2.5}


def test_the_reason_is_said_where_nothing_counts_energy(tmp_path):
    """A virtual machine shows no counter; a counter for root alone needs a permission."""
    nothing, locked = tmp_path / "nothing", tmp_path / "locked"
    rapl(locked, "intel-rapl:0", "package-0", 1)
    energy = locked / "sys/class/powercap/intel-rapl:0/energy_uj"
    energy.unlink()
    energy.mkdir()  # unreadable for root as well
    assert why_absent(DrmCards(nothing), nothing) == "no-counter"
    assert why_absent(DrmCards(locked), locked) == "not-permitted"
    assert EnergyMeter(DrmCards(locked), locked).read() == ()
    assert why_absent(Nvidia(nvml()), nothing) is None


def test_this_machine_counts_energy_or_says_why_not():
    """One of the two, on every machine."""
    meter = EnergyMeter(cards_of())
    assert bool(meter.read()) != bool(why_absent(cards_of()))
