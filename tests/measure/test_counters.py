"""Counters read from `/metrics` and from a stream."""

import pytest

from speculoos.measure.counters import difference, from_stream, read_counters

PAGE = """\
# HELP llamacpp:spec_decode_num_drafts_total Speculative: verification steps
# TYPE llamacpp:spec_decode_num_drafts_total counter
llamacpp:n_decode_total {decodes}
llamacpp:spec_decode_num_drafts_total {steps}
llamacpp:spec_decode_num_draft_tokens_total {drafted}
llamacpp:spec_decode_num_accepted_tokens_total {accepted}
llamacpp:spec_decode_num_accepted_tokens_per_pos_total{{position="0"}} {first}
llamacpp:spec_decode_num_accepted_tokens_per_pos_total{{position="1"}} {second}
llamacpp:predicted_tokens_seconds 44.58
"""


def _page(*values: float) -> str:
    names = ("decodes", "steps", "drafted", "accepted", "first", "second")
    return PAGE.format(**dict(zip(names, values, strict=True)))


def test_a_difference_is_what_one_request_did():
    """Totals after less totals before, position by position."""
    before, after = (
        read_counters(_page(29, 27, 80, 77, 26, 26)),
        read_counters(_page(40, 37, 100, 90, 33, 32)),
    )
    counts = difference(before, after)
    assert (counts.draft_n, counts.draft_n_accepted, counts.verify_steps) == (20, 13, 10)
    assert counts.accepted_per_position == (7, 6)
    assert counts.decodes == 11


def test_a_page_without_counters_of_speculation_gives_unknown():
    """Old builds count decodes only: unknown is not 0."""
    counters = read_counters("llamacpp:n_decode_total 3\n")
    assert not counters.count_speculation
    assert difference(counters, counters).draft_n is None


def test_positions_that_were_never_seen_before_start_at_zero():
    """The first page after the start may hold no positions."""
    whole = _page(0, 0, 0, 0, 0, 0)
    before = read_counters(whole[: whole.index("llamacpp:spec_decode_num_accepted_tokens_per")])
    after = read_counters(_page(5, 4, 8, 5, 3, 2))
    assert difference(before, after).accepted_per_position == (3, 2)


def test_a_stream_is_cut_into_steps_where_the_drafted_total_grows():
    """Three steps: 2 of 2 accepted, none of 2, 1 of 1."""
    running = [{}, {"draft_n": 2, "draft_n_accepted": 2}, {"draft_n": 2, "draft_n_accepted": 2}]
    running += [{"draft_n": 4, "draft_n_accepted": 2}]
    counts = from_stream(running, {"draft_n": 5, "draft_n_accepted": 3})
    assert (counts.draft_n, counts.draft_n_accepted, counts.verify_steps) == (5, 3, 3)
    assert counts.accepted_per_position == (2, 1)


def test_a_stream_without_drafts_is_zero_steps():
    """A baseline drafted nothing, and that is known."""
    counts = from_stream([{}, {}], {})
    assert (counts.draft_n, counts.verify_steps, counts.accepted_per_position) == (0, 0, ())


@pytest.mark.parametrize("value", ["1.2.3", "1e400", "9" * 5000, "-", "NaN", "+Inf"])
def test_a_value_that_is_no_number_is_not_counted(value: str):
    """The page comes from whatever answers at the port."""
    page = f"llamacpp:n_decode_total {value}\nllamacpp:spec_decode_num_drafts_total 1.5e+06\n"
    assert read_counters(page).totals == {"spec_decode_num_drafts_total": 1_500_000}
