"""What else changes with speculation."""

import pytest

import factories
from factories import BASELINE, drafted, mtp, run, sample
from speculoos.record.costs import costs
from speculoos.record.types import Energy, Incident, Memory, Watched


def _watched(*energy: Energy) -> Watched:
    return Watched(window_ms=1000.0, cpu_ms=2000.0, others_cpu_ms=0.0, energy=energy)


def test_prompt_pass_memory_and_energy_stand_beside_the_baseline():
    """A ratio of rates, a difference of buffers, joules for every token."""
    baseline = run(
        BASELINE,
        sample(prompt_n=20, prompt_ms=10.0, predicted_n=10),
        memory=Memory(model_mib=100.0, context_mib=10.0, compute_mib=5.0),
        watched=_watched(Energy(scope="package", joules=30.0)),
    )
    head = run(
        mtp(2),
        drafted(prompt_n=20, prompt_ms=12.5),
        memory=Memory(model_mib=101.0, context_mib=11.0, compute_mib=8.0, device_mib=90.0),
        watched=_watched(Energy(scope="gpu", joules=11.0), Energy(scope="package", joules=11.0)),
    )
    one, two = costs(factories.measurement(head, baseline))
    assert (one.setting, one.prompt_ratio, one.buffers_more_mib) == ("baseline", None, None)
    assert (one.buffers_mib, one.joules_per_token, one.scopes) == (115, 3, ("package",))
    assert two.prompt_ratio == pytest.approx(0.8)
    assert (two.buffers_more_mib, two.device_mib) == (5, 90)
    assert (two.joules_per_token, two.scopes) == (2, ("gpu", "package"))


def test_a_part_of_the_buffers_is_no_sum():
    """It would pass for less memory than was held."""
    part = Memory(model_mib=100.0, compute_mib=5.0)
    (one,) = costs(factories.measurement(run(BASELINE, sample(), memory=part)))
    assert one.buffers_mib is None


def test_what_was_not_seen_is_absent():
    """No log, no counter: None, never 0; a run that failed is not counted."""
    failed = run(mtp(1), drafted(), incident=Incident(kind="crash", after_samples=1))
    (one, two) = costs(
        factories.measurement(run(BASELINE, sample()), run(mtp(2), drafted()), failed)
    )
    assert (one.buffers_mib, one.joules_per_token, one.resident_mib) == (None, None, None)
    assert (two.setting, two.buffers_more_mib, two.scopes) == ("n_max 2", None, ())
