"""Readings of a server at work, restarted, silent, rounded: pure, without a server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speculoos.measure.observe.lives import Back, Gained, Idle, Lives, Lost, SeveralServersError
from speculoos.measure.observe.page import read_page
from speculoos.record.usage import added, thinned


def page(tokens, seconds, drafts=(), birth="1", running=0):
    """A page as b10434 prints it: six significant digits, positions exact."""
    lines = [f"tokens_predicted_total {tokens:g}", f"tokens_predicted_seconds_total {seconds:g}"]
    lines += [f"requests_processing {running}", "predicted_tokens_seconds 71.2"]
    if drafts:
        steps, positions = drafts
        lines += [
            f"spec_decode_num_drafts_total {steps:g}",
            f"spec_decode_num_draft_tokens_total {steps * len(positions):g}",
            f"spec_decode_num_accepted_tokens_total {sum(positions):g}",
        ]
        name = "spec_decode_num_accepted_tokens_per_pos_total"
        lines += [f'{name}{{position="{at}"}} {n}' for at, n in enumerate(positions)]
    return read_page("".join(f"# HELP llamacpp:x\nllamacpp:{line}\n" for line in lines), birth)


def seen(*readings):
    """All events of readings one second apart; None is a silence."""
    lives, events = Lives(), []
    for at, reading in enumerate(readings):
        found = lives.failed(at, "refused") if reading is None else lives.answered(at, reading)
        events += list(found)
    return lives, events


def test_two_readings_give_their_difference():
    """Tokens, time, steps and positions; the first reading alone gives nothing."""
    _, (gained,) = seen(page(100, 2.0, (30, (20, 10))), page(160, 3.5, (50, (33, 17))))
    window = gained.window
    assert (window.predicted_n, window.predicted_ms) == (60, 1500)
    assert (window.verify_steps, window.draft_n, window.draft_n_accepted) == (20, 40, 20)
    assert window.accepted_per_position == (13, 7)


def test_a_build_without_counters_of_speculation_knows_nothing_of_it():
    """Absent is not 0."""
    _, (gained,) = seen(page(0, 0), page(10, 1))
    window = gained.window
    assert window.draft_n is window.verify_steps is window.accepted_per_position is None


def test_a_restart_counts_all_that_the_new_life_shows():
    """The counters went back: what they hold now is what was done since."""
    _, events = seen(page(500, 9), None, None, page(40, 1, birth="2"))
    assert [type(event) for event in events] == [Lost, Back, Gained]
    assert events[1].silence.restarted
    assert (events[1].silence.from_s, events[1].silence.to_s) == (0, 3)
    assert events[2].window.predicted_n == 40


def test_a_restart_is_seen_where_the_new_counters_are_already_higher():
    """The server tells when it was born; a longer pause would hide it otherwise."""
    _, events = seen(page(500, 9), page(700, 12, birth="2"))
    assert [type(event) for event in events] == [Back, Gained]
    assert events[1].window.predicted_n == 700


def test_a_restart_is_seen_where_a_proxy_hides_the_birth():
    """Counters never go back by themselves."""
    _, events = seen(page(500, 9, birth=""), page(20, 1, birth=""))
    assert events[0].silence.restarted
    assert events[1].window.predicted_n == 20


def test_a_silence_without_a_restart_loses_nothing():
    """A full queue or a broken network: the counters went on."""
    _, events = seen(page(500, 9), None, page(560, 10))
    assert [type(event) for event in events] == [Lost, Back, Gained]
    assert not events[1].silence.restarted
    assert events[2].window.predicted_n == 60


def test_nothing_finished_is_no_window():
    """A request that runs has not been counted yet."""
    _, (idle,) = seen(page(500, 9), page(500, 9, running=2))
    assert isinstance(idle, Idle)
    assert idle.running == 2


def test_two_servers_behind_one_address_are_refused():
    """Their counters would be taken for a restart at every reading."""
    with pytest.raises(SeveralServersError):
        seen(page(500, 9, birth="a"), page(900, 20, birth="b"), page(510, 9.2, birth="a"))


def test_exact_counters_leave_no_rounding():
    """Below a million every whole number is printed."""
    lives, _ = seen(page(900_000, 90), page(999_999, 99.5))
    assert lives.rounding is None


def test_rounded_counters_say_by_how_much():
    """1.23457e+07 stands for 100 numbers: half of them at each end."""
    lives, (gained,) = seen(page(12_345_678, 150_000), page(12_347_001, 150_020))
    assert lives.rounding.predicted_n == 100
    assert lives.rounding.predicted_ms == 1000
    assert gained.coarse > 0.05


@given(st.lists(st.integers(1, 5_000_000), min_size=2, max_size=40))
def test_rounding_holds_the_error_of_the_total(growths):
    """However the counters grew: the printed total is off by no more than what is said."""
    totals = [sum(growths[:at]) for at in range(1, len(growths) + 1)]
    lives, events = seen(*(page(total, total / 50) for total in totals))
    shown = sum(e.window.predicted_n for e in events if isinstance(e, Gained))
    allowed = lives.rounding.predicted_n if lives.rounding else 0
    assert abs(shown - (totals[-1] - totals[0])) <= allowed


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=60), st.integers(1, 12))
def test_thinned_windows_keep_every_total(growths, most):
    """Neighbours are added up: nothing is lost, nothing twice."""
    totals = [0, *(sum(growths[: at + 1]) for at in range(len(growths)))]
    readings = (page(total, total, (total, (total,))) for total in totals)
    windows = [event.window for event in seen(*readings)[1]]
    kept = thinned(windows, most)
    assert len(kept) <= most
    assert sum(w.predicted_n for w in kept) == totals[-1]
    assert sum(w.accepted_per_position[0] for w in kept) == totals[-1]
    assert (kept[0].from_s, kept[-1].to_s) == (windows[0].from_s, windows[-1].to_s)


def test_windows_of_two_depths_add_up_by_position():
    """A server may come back with another n_max."""
    _, events = seen(
        page(0, 0, (0, (0, 0, 0))), page(9, 1, (5, (4, 2, 1))), page(3, 1, (2, (1,)), birth="2")
    )
    windows = [event.window for event in events if isinstance(event, Gained)]
    assert added(*windows).accepted_per_position == (5, 2, 1)
