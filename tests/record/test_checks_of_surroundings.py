"""The rule about what was watched: one fault each, and the place that is named."""

from pathlib import Path
from typing import Any

import pytest

import factories
from factories import BASELINE, drafted, mtp, run, sample
from speculoos.record.types import Energy, MachineState, Watched

JOULE = Energy(scope="package", joules=1.0)


def _problems(root: Path, machine: MachineState | None = None, **changes: Any):
    values = {"window_ms": 1000.0, "cpu_ms": 2000.0, "others_cpu_ms": 100.0}
    seen = Watched(**{**values, **changes})
    record = factories.measurement(
        run(BASELINE, sample(), watched=seen),
        run(mtp(2), drafted(), watched=seen),
        machine=machine or MachineState(id="rig"),
    )
    factories.written(root, record)
    return factories.found(root)


def test_a_possible_record_has_no_problem(tmp_path):
    """Every field filled, written and read back."""
    root = tmp_path / "measurements"
    seen = {"cpu_mhz": (3000.0, 3500.0), "gpu_limits": ("power-cap",), "energy": (JOULE,)}
    assert _problems(root, pressure_ms=5.0, quota_ms=0.0, throttled=0, **seen) == []


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"others_cpu_ms": 2500.0}, "runs[0].watched.others_cpu_ms"),
        ({"cpu_mhz": (4000.0, 3000.0)}, "runs[0].watched.cpu_mhz"),
        ({"energy": (JOULE, JOULE)}, "runs[0].watched.energy"),
    ],
)
def test_what_is_impossible_is_named(changes, key, tmp_path):
    """More time than there was, a range upside down, a scope twice."""
    assert key in [problem.key for problem in _problems(tmp_path / "measurements", **changes)]


def test_energy_is_there_or_absent(tmp_path):
    """A reason for its absence beside a value contradicts it."""
    machine = MachineState(id="rig", energy_absent="no-counter")
    (problem,) = _problems(tmp_path / "measurements", machine, energy=(JOULE,))
    assert problem.key == "machine.energy_absent"


def test_a_kernel_holds_no_path(tmp_path):
    """Whatever a system says of itself."""
    machine = MachineState(id="rig", kernel="6.1 /home/someone/linux")
    (problem,) = _problems(tmp_path / "measurements", machine)
    assert problem.key == "machine.kernel"
