"""JSON in the shapes in which people save it: many, streamed, behind headers, cut."""

import json

import pytest

from speculoos.read import read

ANSWER = {
    "content": "x", "timings": {
        "prompt_n": 5, "prompt_ms": 9.0, "predicted_n": 11, "predicted_ms": 100.0,
        "predicted_per_second": 100.0, "draft_n": 8, "draft_n_accepted": 6,
    },
}  # fmt: skip
ROW = {"build_commit": "8cf427ff", "build_number": 5163, "n_prompt": 0, "n_gen": 128,
       "n_depth": 0, "avg_ns": 10**9, "avg_ts": 128.0}  # fmt: skip


def found(text):
    return read(text.splitlines(keepends=True), "input")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ANSWER),
        json.dumps(ANSWER, indent=2),
        f"HTTP/1.1 200 OK\ncontent-type: application/json\n\n{json.dumps(ANSWER)}",
        f"$ curl -s localhost:8080/completion\n{json.dumps(ANSWER)}",
        f"# from a friend\n{json.dumps([ANSWER])}",
    ],
    ids=["line", "indented", "headers", "command", "list"],
)
def test_one_saved_answer_is_one_request(text):
    """Whatever a shell, curl or a person puts in front."""
    (request,) = found(text).requests
    assert (request.predicted_n, request.draft_n, request.rate_divisor) == (11, 8, "n-1")


def test_answers_one_behind_the_other_are_one_request_each():
    """One a line, or each over several lines."""
    assert len(found(json.dumps(ANSWER) + "\n" + json.dumps(ANSWER)).requests) == 2
    assert len(found(json.dumps(ANSWER, indent=1) * 3).requests) == 3


def test_an_answer_that_was_cut_behind_its_timings_is_read_and_called_cut():
    """What stands there whole is true; the rest is not known."""
    reading = found(json.dumps(ANSWER | {"id": "later"}, indent=1)[:-12])
    assert [r.predicted_n for r in reading.requests] == [11]
    assert [h.kind for h in reading.hints] == ["cut"]


def test_rows_of_a_benchmark_that_was_cut_are_those_that_are_whole():
    """The last one is left out."""
    reading = found(json.dumps([ROW, ROW, ROW], indent=1)[:-40])
    assert [r.label for r in reading.requests] == ["tg128", "tg128"]
    assert "cut" in {h.kind for h in reading.hints}


def test_rows_of_a_benchmark_may_stand_one_a_line():
    """`llama-bench -o jsonl`."""
    assert len(found("\n".join([json.dumps(ROW)] * 2)).requests) == 2


def test_the_chunks_of_a_native_stream_are_one_request():
    """They have no id; each carries running counts with `timings_per_token`."""
    chunks = [{"stop": False, "timings": ANSWER["timings"] | {"predicted_n": n}} for n in (1, 2, 9)]
    lines = [f"data: {json.dumps(chunk)}\n" for chunk in [*chunks, ANSWER | {"stop": True}]]
    assert [r.predicted_n for r in found("\n".join(lines)).requests] == [11]


@pytest.mark.parametrize(
    "text",
    [
        f"### My numbers\n\n```json\n{json.dumps(ANSWER, indent=2)}\n```\nthat is all\n",
        f'curl says\n"timings": {json.dumps(ANSWER["timings"], indent=2)}\n',
        f"$ curl -s localhost:8080/completion \\\n  -d '{{}}' | jq .timings\n\n"
        f"{json.dumps(ANSWER['timings'], indent=2)}\n",
        f"* Connected to localhost\n{json.dumps(ANSWER)}* Connection #0 left intact\n",
    ],
    ids=["issue", "piece", "long command", "verbose curl"],
)
def test_an_answer_within_other_text_is_read(text):
    """As people paste it into an issue."""
    (request,) = found(text).requests
    assert (request.predicted_n, request.draft_n_accepted) == (11, 6)


def test_a_server_that_gives_no_times_leaves_speculation_unknown():
    """Others imitate `timings` in part: what is not there is not none."""
    part = {"prompt_n": 9, "predicted_n": 30, "predicted_per_second": 61.5}
    (request,) = found(json.dumps({"choices": [], "timings": part})).requests
    assert (request.predicted_n, request.predicted_ms) == (30, None)
    assert (request.printed_tokens_per_second, request.speculation) == (61.5, "unknown")


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, "eval time =\n" + '{"' * 9])
def test_brackets_without_end_are_no_document(text):
    """Deeper than any reader of JSON goes."""
    assert found(text).requests == ()


@pytest.mark.parametrize("key", ["n_prompt", "n_gen", "avg_ns", "avg_ts", "build_number"])
@pytest.mark.parametrize("value", ["x", None, [1], {"a": 1}, -1, True, 10**400, float("inf")])
def test_a_value_of_another_kind_is_unknown(key, value):
    """A document of strangers never ends in a traceback."""
    for document in (ROW | {key: value}, {"timings": ANSWER["timings"] | {"predicted_n": value}}):
        assert all(r.predicted_n in (None, 128) for r in found(json.dumps(document)).requests)


@pytest.mark.parametrize("key", ["completion_tokens", "draft_n", "predicted_ms", "prompt_tokens"])
@pytest.mark.parametrize("value", ["x", [1], 10**400, True])
def test_a_value_of_another_kind_is_unknown_to_speed_bench_too(key, value):
    """Nor in its summary."""
    good = {"completion_tokens": 9, "draft_n": 8, "predicted_ms": 4.0, "prompt_tokens": 7}
    run = {"results": [good | {key: value}], "summary": [value]}
    (request,) = found(json.dumps(run)).requests
    assert None in (request.predicted_n, request.draft_n, request.predicted_ms, request.prompt_n)
