"""The title of a figure says what its dots show, and no more."""

import pytest

from speculoos.publish.field import Sweep
from speculoos.publish.findings import (
    acceptance_finding,
    beside_finding,
    field_n_max_finding,
    field_speedup_finding,
    memory_finding,
    speedup_finding,
    step_cost_finding,
)
from speculoos.publish.series import Dot, Line


def _line(*dots):
    return Line("m", dots)


def _dot(n, value, low=None, high=None):
    return Dot(n, f"n_max {n}", value, low, high)


FASTER = _line(_dot(1, 1.1, 1.05, 1.15), _dot(2, 1.3, 1.2, 1.4), _dot(3, 1.5))
SLOWER = _line(_dot(1, 0.66, 0.62, 0.71), _dot(2, 0.5, 0.4, 0.6))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([FASTER], "n_max 2: 1.30× the baseline"),
        ([SLOWER], "Even n_max 1 is slower: 0.66× the baseline"),
        ([_line(_dot(4, 1.02, 0.9, 1.1))], "n_max 4: 1.02× the baseline, gain uncertain"),
        ([_line(_dot(4, 1.7))], "n_max 4: 1.70× the baseline, without an interval"),
        ([_line()], "No setting reached the end"),
        ([SLOWER, SLOWER], "Even the best is slower: 0.66× the baseline"),
        ([FASTER, FASTER], "Everywhere, at best 1.30× the baseline"),
        ([FASTER, SLOWER], "At best, from 0.66 to 1.30× the baseline"),
    ],
)
def test_the_finding_of_a_speed_up_is_where_its_interval_lies(lines, said):
    """An explored depth without an interval is never named while another has one."""
    assert speedup_finding(lines, "en") == said


def test_a_finding_is_french_in_french():
    """Signs and spaces included."""
    assert speedup_finding([FASTER], "fr") == "n_max 2\u202f: 1,30 fois la référence"


def test_the_finding_of_acceptance_names_the_first_and_the_last_position():
    """The fall between them is what the figure shows."""
    line = _line(_dot(1, 0.8), _dot(2, 0.5), _dot(3, 0.25))
    assert acceptance_finding([line], "en") == "First token accepted at 80%, all 3 at 25%"
    assert acceptance_finding([_line(_dot(1, 0.8))], "en") == "First token accepted at 80%"


def test_the_finding_of_a_step_cost_is_at_the_greatest_depth_that_all_have():
    """Lines of different lengths are not compared where one of them ends."""
    lines = [_line(_dot(2, 1.2), _dot(4, 1.5)), _line(_dot(2, 2.8), _dot(8, 9.0))]
    assert step_cost_finding(lines, "en") == "Checking 2 tokens costs 1.2 to 2.8 plain passes"
    assert step_cost_finding([_line(_dot(1, 1.1)), _line(_dot(2, 2.0))], "en") == (
        "Step cost by n_max"
    )


def _sweep(n_max, speedup, model="27B"):
    return Sweep("card", model, "somewhere", 20.0, n_max, speedup, 4)


def test_the_finding_of_the_field_is_its_middle_by_kind_of_model():
    """One sweep out of line moves no median."""
    dense = [_sweep(3, speedup) for speedup in (1.5, 2.0, 9.0)]
    experts = [_sweep(2, 1.1, "35B MoE")]
    assert field_speedup_finding([*dense, *experts], "en") == (
        "Median speed-up: 2.00× for dense models, 1.10× for mixtures of experts"
    )
    assert field_speedup_finding(dense, "en") == "Speed-up by MTP, by the speed without speculation"


def test_the_finding_of_the_best_n_max_is_the_narrowest_range_with_nine_tenths():
    """It counts what it holds, and what it leaves out."""
    found = [_sweep(n, 1.5) for n in [8, *[2] * 5, *[4] * 5]]
    assert field_n_max_finding(found, "en") == "Best n_max: 2 to 4 in 10 of 11 sweeps"
    assert field_n_max_finding([], "en") == "Best n_max by the speed without speculation"


def test_the_finding_of_bench_and_life_is_the_acceptance_of_both():
    """The rates vary with the machine's hour; the shares tell the texts apart."""
    bench, life = (_line(Dot(0, "rate", 80.0), Dot(1, "share", share)) for share in (0.28, 0.16))
    assert beside_finding([bench, life], "en") == ("Acceptance rate: 28% on the bench, 16% in use")


def test_the_finding_of_the_memory_counts_the_sizes_that_were_expected():
    """What lies further off than the formula claims is not counted as near."""
    assert memory_finding([(100, 104), (100, 96), (20, 10)], "en") == (
        "The formula is within 5% of the log for 2 of 3 buffers"
    )
