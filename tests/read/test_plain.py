"""Requests that are read by the thousand: nothing differs from reading line by line."""

import json
import os
from collections import Counter
from functools import partial
from io import BytesIO
from tempfile import TemporaryFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from read.log_writer import PREFIXES, Truth, bare, keyed
from read.test_cut_logs import logs, truths
from speculoos.read import (
    Batch,
    Request,
    Summary,
    batches,
    chunk,
    chunks,
    helper,
    look,
    plain,
    read,
    reader,
    regroup,
    scan,
)

NOISE = "slot update_slots: id  0 | task 7 | prompt processing progress, n_tokens = 14"


def small(patch, size):
    """Chunks so small that a short log has many."""
    patch.setattr(chunks, "CHUNK", size)
    patch.setattr(chunks, "END", size // 8)
    patch.setattr(chunks, "LONGEST_BLOCK", 1500)
    patch.setattr(look, "MIXED", 1)


@pytest.fixture
def pieces(monkeypatch):
    return partial(small, monkeypatch)


def line_by_line(data):
    """What the reader of lines alone makes of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain.Plain, "find", lambda *_: [])
        patch.setattr(regroup.Regrouped, "of", lambda *_: None)
        patch.setattr(chunk, "FEW", -1)
        return read(BytesIO(data), "log")


FIGURES = (
    "slot", "task", "prompt_n", "prompt_ms", "predicted_n", "predicted_ms",
    "draft_n", "draft_n_accepted", "mean_acceptance_length", "n_max",
)  # fmt: skip


def without_n_max(reading):
    """The request that proves it is another one where the lines of slots are mixed."""
    return Counter(json.dumps(request.as_dict() | {"n_max": 0}) for request in reading.requests)


def agree(one, other):
    """Whether no figure is known to both, and differently."""
    one, other = one.as_dict(), other.as_dict()
    return all(None in (one[key], other[key]) or one[key] == other[key] for key in FIGURES)


def counted(reading):
    return Counter(json.dumps(request.as_dict()) for request in reading.requests)


@settings(max_examples=200, deadline=None)
@given(logs(), st.data())
def test_reading_by_the_thousand_changes_nothing(log, data):
    """Every request of a log that is whole or cut, in every wording behind every prefix."""
    _, lines = log
    whole = "\n".join(lines).encode() + b"\n"
    start = data.draw(st.one_of(st.just(0), st.integers(0, len(whole))))
    end = data.draw(st.one_of(st.just(len(whole)), st.integers(start, len(whole))))
    part = whole[start:end]
    assert counted(read(BytesIO(part), "log")) == counted(line_by_line(part))


@st.composite
def long_logs(draw):
    """Dozens of requests in one or two forms, their lines mixed or not.

    They are of several slots, or of several children of a router, with a slot 0 each.
    """
    chance = draw(st.randoms(use_true_random=False))
    wording, prefix = draw(st.sampled_from("ABCD")), draw(st.sampled_from(sorted(PREFIXES)))
    slots, mixed = draw(st.integers(1, 4)), draw(st.sampled_from([0.0, 0.1, 1.0]))
    children = draw(st.booleans())
    bare_share = draw(st.sampled_from([0.0, 0.0, 0.05, 1.0]))
    queues = [[] for _ in range(slots)]
    for task in range(draw(st.integers(20, 50))):
        steps = ((3, chance.randrange(4)),) * chance.randrange(12)
        predicted_n, child = chance.choice([96, 123_456]), task % slots
        key = (0, task // slots) if children else (child, task)
        truth = Truth(*key, 40, 500.0, predicted_n, 2e3, steps)
        write = bare if chance.random() < bare_share else keyed
        origin = f"[{53409 + child}] " if children else ""
        queues[child].append([f"{origin}{line}" for line in [NOISE, *write(truth, wording)]])
    lines = []
    while any(queues):
        queue = chance.choice([queue for queue in queues if queue])
        lines.append(queue[0].pop(0))
        while queue[0] and chance.random() >= mixed:
            lines.append(queue[0].pop(0))
        del queue[: not queue[0]]
    return [PREFIXES[prefix](line) for line in lines]


def in_pieces(lines, bits, **scanning):
    """What is read of the lines in small pieces, with other constants of the scan if need be."""
    text = "".join(f"{line}\n" for line in lines).encode()
    with pytest.MonkeyPatch.context() as patch, TemporaryFile() as file:
        small(patch, 1 << bits)
        patch.setattr(reader, "SMALL", 1 << 10)
        for name, value in scanning.items():
            patch.setattr(scan, name, value)
        file.write(text)
        file.seek(0)
        return text, read(file, "log")


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=120, deadline=None)
@given(long_logs(), st.integers(12, 15))
def test_pieces_change_nothing_in_a_log_of_mixed_slots(lines, bits):
    """Every figure of every request, and what is unknown of it, is the same."""
    text, at_once = in_pieces(lines, bits)
    assert without_n_max(at_once) == without_n_max(line_by_line(text))


@pytest.mark.parametrize("child", [0, 1])
@pytest.mark.parametrize("lines_of", [keyed, bare])
def test_requests_come_in_the_logs_order(pieces, lines_of, child):
    """Whatever their layout, whichever server of the log they are of."""
    pieces(1 << 14)
    requests = [
        Truth(n % 3, n, 40 + n % 5 * 50_000, 500.0, 96, 2000.0, ((3, 2),) * (n % 4 * 3))
        for n in range(300)
    ]
    lines = (
        f"[{53409 + child * (t.task % 2)}] {line}"
        for t in requests
        for line in [NOISE, *lines_of(t, "ABCD"[t.task // 7 % 4])]
    )
    found = read(lines, "log").requests
    assert [request.task for request in found] == [request.task for request in requests]


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=120, deadline=None)
@given(long_logs(), st.integers(12, 15), st.data())
def test_nothing_is_lost_or_made_up_of_a_damaged_log(lines, bits, data):
    """Lines that are gone, doubled or damaged, and a server that starts anew in between.

    A figure may be unknown in one of the ways; none is another one, and no request is missing.
    """
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at : at + 1] = data.draw(
            st.sampled_from([[], [lines[at]] * 2, [lines[at][:-3]], ["srv: loading model '/m'"]])
        )
    text, reading = in_pieces(lines, bits)
    at_once, one_by_one = reading.requests, line_by_line(text).requests
    assert len(at_once) >= len(one_by_one)
    for one in at_once:
        assert any(agree(one, other) for other in one_by_one)
    for other in one_by_one:
        assert any(agree(one, other) for one in at_once)


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
@settings(max_examples=40, deadline=None)
@given(long_logs(), st.integers(12, 15))
def test_two_processes_read_a_log_as_one_does(lines, bits):
    """The second process looks at three chunks of four, once some were read by one alone."""
    _, alone = in_pieces(lines, bits)
    _, together = in_pieces(lines, bits, can_help=lambda: True, ALONE=1)
    assert together == alone


def test_a_second_process_that_dies_changes_nothing(monkeypatch):
    """Its chunks are looked at by the first."""
    lines = many_requests(0) * 9
    _, alone = in_pieces(lines, 12)
    monkeypatch.setattr(helper, "_serve", lambda *_: os._exit(1))
    _, together = in_pieces(lines, 12, can_help=lambda: True, ALONE=1)
    assert together == alone


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_byte_that_is_damaged_changes_nothing_either(data):
    """A template that fits a damaged request must not read what the reader of lines would not."""
    requests = [data.draw(truths(n % 2, 7 * n)) for n in range(3)]
    wording, prefix = data.draw(st.sampled_from("ABCD")), data.draw(st.sampled_from([*PREFIXES]))
    text = "".join(f"{PREFIXES[prefix](line)}\n" for t in requests for line in keyed(t, wording))
    damaged = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(32, 126))
    assert counted(read(BytesIO(damaged), "log")) == counted(line_by_line(bytes(damaged)))


def only_headers(text):
    """What the server itself does with a timestamp where one message holds several lines."""
    return f"57.42.052.753 I {text}" if text.startswith("slot") else text


MORE_PREFIXES = {
    "timestamp on headers": only_headers,
    "docker behind that": lambda text: f"llama-1  | {only_headers(text)}",
    "other": "<<2026/11/30 some wrapper 17>> {}".format,
}


@pytest.mark.parametrize("lines_of", [keyed, bare])
@pytest.mark.parametrize("wording", "ABCD")
@pytest.mark.parametrize(
    "prefix",
    ["nothing", "minutes", "router", "docker", "journald", "json", "colours", "carriage return",
     "blanks", *MORE_PREFIXES],
)  # fmt: skip
def test_plain_requests_behind_every_prefix_come_as_batches(pieces, lines_of, wording, prefix):
    """So a long log is read fast, whatever stands in front of its lines."""
    pieces(1 << 16)
    requests = [
        Truth(n % 3, n, 40 + n % 4 * 50_000, 500.0, 96, 2000.0, ((3, 2),) * (n % 5))
        for n in range(400)
    ]
    put = (PREFIXES | MORE_PREFIXES)[prefix]
    lines = (put(line) for t in requests for line in [NOISE, *lines_of(t, wording)])
    _, events = batches(BytesIO("".join(f"{line}\n" for line in lines).encode()))
    found = list(events)
    many = sum(len(event) for event in found if isinstance(event, Batch))
    one = sum(isinstance(event, Request) for event in found)
    assert many + one == len(requests)
    assert many > 200


@pytest.mark.parametrize("size", [1 << 12, 1 << 13, 1 << 15])
def test_the_size_of_the_pieces_changes_nothing(pieces, size):
    """Requests of every kind, some too wide for a template, across the ends of pieces."""
    requests = [
        Truth(n % 3, n, 40 + n * 2000, 500.0, 96, 2000.0, ((3, 2),) * (n % 5 * 3))
        for n in range(150)
    ]
    lines = (line for t in requests for line in [NOISE] * 5 + keyed(t, "B"))
    data = "".join(f"0.00.006.965 I {line}\n" for line in lines).encode()
    at_once = counted(read(BytesIO(data), "log"))
    pieces(size)
    assert counted(read(BytesIO(data), "log")) == at_once
    assert sum(at_once.values()) == len(requests)


def many_requests(first):
    """Some pieces full of requests of slot 0."""
    requests = [Truth(0, first + n, 40, 500.0, 96, 2000.0, ((3, 2),) * 9) for n in range(20)]
    return [line for request in requests for line in keyed(request, "C")]


def test_a_request_whose_end_is_pieces_away_has_ended(pieces):
    """It did not draft, which its release tells where others do."""
    pieces(1 << 12)
    *lines, end = keyed(Truth(1, 500, 40, 500.0, 96, 2000.0, ()), "C")
    log = [*many_requests(0), *lines, *many_requests(100), end, *many_requests(200)]
    (found,) = (r for r in read(log, "log").requests if r.slot == 1)
    assert (found.predicted_n, found.speculation) == (96, "none")


def test_a_request_that_lost_its_times_does_not_spoil_bare_ones_behind(pieces):
    """Between them, others came, so the header takes over from none."""
    pieces(1 << 12)
    first = keyed(Truth(1, 500, 40, 500.0, 96, 2000.0, ()), "C")
    behind = bare(Truth(2, 700, 40, 500.0, 97, 2000.0, ((3, 2),)), "A")
    found = read([*first[:2], *many_requests(0), *behind, *many_requests(100)], "log").requests
    assert {r.slot: r.predicted_n for r in found} == {0: 96, 1: None, 2: 97}


def test_the_summary_of_batches_is_that_of_their_requests():
    """Counts, totals, the slowest and the fastest."""
    requests = [Truth(0, n, 40, 500.0, 96 + n, 2000.0, ((3, 2),) * (n % 5)) for n in range(300)]
    data = "".join(f"{line}\n" for t in requests for line in keyed(t, "B")).encode()
    many = Summary()
    for event in batches(BytesIO(data))[1]:
        if isinstance(event, Batch):
            many.add_all(event)
        elif isinstance(event, Request):
            many.add(event)
    one = Summary.of(read(BytesIO(data), "log").requests)
    assert many.requests == one.requests == len(requests)
    assert many.tokens_per_second == pytest.approx(one.tokens_per_second)
    assert (many.acceptance_rate, many.spread) == pytest.approx((one.acceptance_rate, one.spread))
    assert many.speculation == one.speculation


def test_a_line_that_never_ends_takes_no_memory(pieces):
    """Its middle is left out; what stands before and behind is read."""
    pieces(1 << 12)
    request = keyed(Truth(0, 3, 40, 500.0, 96, 2000.0, ((3, 2),) * 9), "B")
    text = "\n".join([*request, "x" * (3 * chunks.LONGEST_LINE), *request, ""])
    found = read(BytesIO(text.encode()), "log").requests
    assert [r.predicted_n for r in found] == [96, 96]
