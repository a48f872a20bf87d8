"""A log may be cut, mixed and prefixed in any way: a figure is right or it is unknown."""

from io import BytesIO

from hypothesis import given, settings
from hypothesis import strategies as st

from read.log_writer import PREFIXES, Truth, bare, keyed
from speculoos.read import read

STEP = st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))
MILLISECONDS = st.integers(100, 90_000_000).map(lambda n: n / 100)


@st.composite
def truths(draw, slot, task):
    lengths = tuple(draw(st.lists(STEP, max_size=60)))
    return Truth(
        slot, task, draw(st.integers(1, 99_999)), draw(MILLISECONDS),
        draw(st.integers(2, 99_999)), draw(MILLISECONDS), lengths,
    )  # fmt: skip


@st.composite
def logs(draw):
    """Requests of two slots, each in one of the wordings, their lines in some order."""
    wording, prefix = draw(st.sampled_from("ABCD")), draw(st.sampled_from(sorted(PREFIXES)))
    requests = [draw(truths(n % 2, 7 * n)) for n in range(draw(st.integers(1, 4)))]
    if draw(st.booleans()):
        lines = [line for request in requests for line in bare(request, wording)]
    else:
        lines = draw(interleaved([keyed(request, wording) for request in requests]))
    return requests, [PREFIXES[prefix](line) for line in lines]


@st.composite
def interleaved(draw, blocks):
    """The blocks of even and of odd place are two slots; each keeps its own order."""
    queues = [[line for block in blocks[first::2] for line in block] for first in (0, 1)]
    lines = []
    while any(queues):
        queue = queues[draw(st.integers(0, 1))] or queues[0] or queues[1]
        lines.append(queue.pop(0))
    return lines


def right(found, truth):
    """Whether every figure that is given is the true one."""
    true = {
        "prompt_n": truth.prompt_n, "prompt_ms": truth.prompt_ms,
        "predicted_n": truth.predicted_n, "predicted_ms": truth.predicted_ms,
        "draft_n": truth.drafted, "draft_n_accepted": truth.accepted,
        "accepted_per_position": list(truth.positions),
    }  # fmt: skip
    given_figures = {k: v for k, v in found.as_dict().items() if k in true and v is not None}
    length = found.mean_acceptance_length
    steps = len(truth.lengths)
    return all(true[k] == v for k, v in given_figures.items()) and (
        length is None or abs(length - 1 - truth.accepted / steps) < 0.00501
    )


@settings(max_examples=400, deadline=None)
@given(logs(), st.data())
def test_a_cut_log_gives_no_wrong_figure(log, data):
    """Whatever is cut off before and behind, what remains is right."""
    requests, lines = log
    whole = "\n".join(lines).encode() + b"\n"
    start = data.draw(st.one_of(st.just(0), st.integers(0, len(whole))))
    end = data.draw(st.one_of(st.just(len(whole)), st.integers(start, len(whole))))
    by_key = {(t.slot, t.task): t for t in requests}
    for found in read(BytesIO(whole[start:end]), "log").requests:
        if found.task is None:
            assert any(right(found, truth) for truth in requests)
        else:
            assert right(found, by_key[found.slot, found.task])


@settings(max_examples=200, deadline=None)
@given(logs())
def test_a_whole_log_gives_every_request_with_every_figure(log):
    """Nothing is lost by a prefix, a wording or another slot's lines in between."""
    requests, lines = log
    found = read(lines, "log").requests
    assert {(r.slot, r.task) for r in found} == {(t.slot, t.task) for t in requests}
    for request in found:
        (truth,) = (t for t in requests if (t.slot, t.task) == (request.slot, request.task))
        assert right(request, truth)
        assert request.predicted_n == truth.predicted_n
        assert request.prompt_n == truth.prompt_n
        assert request.draft_n == (truth.drafted or None)
        assert request.speculation == ("drafted" if truth.lengths else "none")


@settings(max_examples=200, deadline=None)
@given(logs(), st.data())
def test_a_request_that_drafted_is_never_called_plain_once_drafting_was_seen(log, data):
    """A cut between the times and the draft line leaves it unknown."""
    requests, lines = log
    whole = "\n".join(lines).encode() + b"\n"
    end = data.draw(st.integers(0, len(whole)))
    text = whole[:end]
    if b"draft acceptance" not in text:
        return
    drafted = {(t.slot, t.task) for t in requests if t.lengths}
    for found in read(BytesIO(text), "log").requests:
        if (found.slot, found.task) in drafted:
            assert found.speculation in {"drafted", "unknown"}


def test_a_log_that_starts_inside_a_line_does_not_say_that_nothing_was_drafted():
    """What is left of that line lost the name of its request; the draft line below has one."""
    truth = Truth(1, 77, 50, 100.0, 101, 1000.0, ((3, 2),) * 20)
    whole = "\n".join(keyed(truth, "B")) + "\n"
    cut = whole[whole.index("    eval time =", whole.index(" tokens per second")) :]
    first, second = read(cut.splitlines(), "log").requests
    assert (first.predicted_n, first.speculation) == (101, "unknown")
    assert (second.draft_n, second.draft_n_accepted) == (60, 40)


def test_a_draft_line_that_contradicts_itself_is_not_none():
    """Something was drafted; how much is not known."""
    truth = Truth(1, 77, 50, 100.0, 101, 1000.0, ((3, 2),) * 20)
    lines = [line.replace("0.66667", "0.76667") for line in keyed(truth, "B")]
    (found,) = read(lines, "log").requests
    assert (found.predicted_n, found.draft_n, found.speculation) == (101, None, "unknown")
