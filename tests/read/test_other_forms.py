"""Forms beside the samples: other tools, other years, mixed streams, long inputs."""

import json
from io import BytesIO
from pathlib import Path

import pytest

from read.log_writer import Truth, bare, keyed
from speculoos.read import Request, Summary, chunks, read, reader, stream

DATA = Path(__file__).parent.parent / "data" / "read"
ONE = Truth(0, 3, 40, 500.0, 96, 2000.0, ((3, 2),) * 20)
TWO = Truth(0, 3, 50, 600.0, 64, 1000.0, ())


def text(*lines):
    return read([line + "\n" for line in lines], "input")


def figures(request, *names):
    return tuple(getattr(request, name) for name in names)


def test_a_log_at_level_4_gives_build_n_max_and_counts_per_position():
    """The rates per position times the steps give whole counts that add up."""
    found = read((DATA / "31_b11434_lv4_n5.log").read_bytes().splitlines(), "log")
    first, second, third = found.requests
    assert figures(first, "draft_n", "n_max", "build", "rate_divisor") == (
        52, 5, "b0-unknown", "n-1")  # fmt: skip
    assert first.accepted_per_position == (11, 11, 10, 10, 10)
    assert third.accepted_per_position == (7, 7, 6, 6, 6)
    assert (second.speculation, second.n_max) == ("none", 5)
    memory = {f.detail: f.value for f in found.findings if f.name == "memory_mib"}
    assert memory["model CPU_Mapped"] == 92.1
    assert memory["compute CPU"] == 15.64
    assert found.hints == ()


def test_the_n_max_of_n_grams_is_not_guessed():
    """n-gram drafts are as long as the match: 52 tokens in 11 steps prove no n_max."""
    found = read((DATA / "32_571d0d5_ngram_lv4.log").read_bytes().splitlines(), "log")
    assert [r.n_max for r in found.requests] == [None, None, None]
    assert found.requests[0].build == "b1-571d0d5"
    assert found.requests[0].rate_divisor == "n"


def test_the_logs_of_2024_are_read_as_json_lines_and_as_text():
    """Slot and task stand behind the message there; there was no speculation."""
    found = read((DATA / "33_print_timings_2024.log").read_bytes().splitlines(), "log").requests
    names = ("task", "prompt_n", "predicted_n", "predicted_ms", "rate_divisor", "speculation")
    assert {figures(request, *names) for request in found} == {
        (19, 27, 25, 3559.27, "n", "none"),
        (0, 12, 783, 3194.22, "n", "none"),
    }


def test_the_summary_of_the_speculative_example_is_one_request():
    """The lines of its two contexts, which look like a server's, are not requests."""
    (found,) = read((DATA / "34_speculative_summary.txt").read_bytes().splitlines(), "x").requests
    names = ("source", "prompt_n", "predicted_n", "predicted_ms", "printed_tokens_per_second")
    assert figures(found, *names) == ("timings", 12, 371, 34412.0, 10.781)
    names = ("draft_n", "draft_n_accepted", "n_max", "rate_divisor")
    assert figures(found, *names) == (912, 313, 16, "n")


def test_llama_bench_markdown_is_read_with_a_backend_line_in_the_table():
    """The depth stays in the label; the build stands behind the table."""
    found = text(
        "| model | size | params | backend | ngl | test | t/s |",
        "| ----- | ---: | -----: | ------- | --: | ---: | --: |",
        "ggml_vulkan: Found 1 Vulkan devices:",
        "| qwen35 27B Q8_0 | 26.00 GiB | 27.00 B | Vulkan | 99 | pp2048 @ d32768 | 812.30 ± 3.10 |",
        "| qwen35 27B Q8_0 | 26.00 GiB | 27.00 B | Vulkan | 99 | tg128 | 21.04 ± 0.02 |",
        "",
        "build: 31202f9df (10368)",
    ).requests
    names = ("label", "prompt_n", "predicted_n", "printed_tokens_per_second", "build")
    assert [figures(r, *names) for r in found] == [
        ("pp2048 @ d32768", 2048, None, 812.3, "b10368-31202f9df"),
        ("tg128", None, 128, 21.04, "b10368-31202f9df"),
    ]


def test_the_short_ending_of_mtp_bench_is_checked_against_its_rows():
    """`AGG` holds totals: one that differs from the rows is named."""
    found = text(
        "  code_python        pred= 192 draft= 153 acc= 139 rate=0.908 tok/s=21.6",
        "  AGG  accept=0.908 draft=153 acc=138 pred=192 wall=17.13s",
    )
    assert len(found.requests) == 1
    (hint,) = (h for h in found.hints if h.kind == "totals-differ")
    assert dict(hint.figures)["key"] == "total_draft_accepted"


def test_a_saved_speed_bench_run_gives_one_request_a_conversation():
    """Its 0 for `draft_n` means that nothing was drafted, if there were timings at all."""
    result = {
        "id": "q1", "category": "coding", "ok": True, "turns": 1, "latency_s": 2.1,
        "prompt_tokens": 20, "completion_tokens": 96, "total_tokens": 116,
        "finish_reason": "stop", "draft_n": 70, "draft_n_accepted": 40, "prompt_ms": 100.0,
        "predicted_ms": 2000.0, "prompt_per_second": 200.0, "predicted_per_second": 47.5,
        "error": None,
    }  # fmt: skip
    plain = result | {"id": "q2", "draft_n": 0, "draft_n_accepted": 0}
    untimed = plain | {"id": "q3", "predicted_ms": None, "predicted_per_second": None}
    failed = plain | {"id": "q4", "ok": False, "error": "HTTP 500"}
    run = {"config": {}, "summary": [], "results": [result, plain, untimed, failed]}
    found = text(*json.dumps(run, indent=2).splitlines())
    names = ("label", "draft_n", "draft_n_accepted", "speculation", "rate_divisor")
    assert [figures(r, *names) for r in found.requests] == [
        ("coding/q1", 70, 40, "drafted", "n-1"),
        ("coding/q2", None, None, "none", "n-1"),
        ("coding/q3", None, None, "unknown", None),
    ]
    assert "request-failed" in {h.kind for h in found.hints}


def test_the_last_timings_of_a_saved_stream_are_the_request():
    """With `timings_per_token` every chunk carries running counts."""
    chunk = {"id": "a", "timings": {"prompt_n": 5, "prompt_ms": 9.0, "predicted_n": 2,
             "predicted_ms": 10.0, "predicted_per_second": 100.0}}  # fmt: skip
    last = {"id": "a", "timings": chunk["timings"] | {"predicted_n": 9, "draft_n": 7,
            "draft_n_accepted": 4}}  # fmt: skip
    found = text(f"data: {json.dumps(chunk)}", "", f"data: {json.dumps(last)}", "data: [DONE]")
    (request,) = found.requests
    assert figures(request, "predicted_n", "draft_n", "draft_n_accepted") == (9, 7, 4)


def test_children_of_a_router_are_told_apart():
    """Slot and task are the same in both; the lines of one stand between those of the other."""
    first = [f"[42027] {line}" for line in bare(ONE, "A")]
    second = [f"[53409] {line}" for line in bare(TWO, "A")]
    woven = [line for pair in zip(first, second, strict=False) for line in pair]
    found = text(*woven, *first[len(second) :]).requests
    assert {figures(r, "predicted_n", "draft_n") for r in found} == {(96, 60), (64, None)}


def test_a_text_that_holds_no_form_is_not_recognised():
    """No form, no request, no hint: the command says so in one line."""
    found = text("dear diary,", "today was fast: 40 tokens per second")
    assert (found.forms, found.requests, found.hints) == ((), (), ())


@pytest.mark.parametrize("program", ["llama_perf_context_print", "llama_print_timings"])
def test_the_times_of_another_program_are_no_server_log(program):
    """They are of a whole run of it, not of requests."""
    found = text(
        f"{program}:        load time =     185.83 ms",
        f"{program}: prompt eval time =      31.21 ms /     5 tokens (    6.24 ms per token, "
        "  160.22 tokens per second)",
        f"{program}:        eval time =     573.72 ms /    31 runs   (   18.51 ms per token, "
        "   54.03 tokens per second)",
    )
    assert (found.forms, found.requests, found.hints) == ((), (), ())


def test_a_crash_by_memory_is_named():
    """The line of the allocation is quoted."""
    found = text(
        "slot launch_slot_: id  0 | task 0 | processing task",
        "CUDA error: out of memory",
    )
    assert {h.kind for h in found.hints} >= {"out-of-memory"}


@pytest.mark.parametrize("size", [700, 1500, 4000])
def test_a_long_log_read_in_pieces_gives_what_it_gives_at_once(monkeypatch, size):
    """Neither the pieces nor the short way for plain requests change a figure."""
    requests = [
        Truth(n % 3, n, 40 + n, 500.0, 96 + n, 2000.0, ((3, 2),) * (n % 5)) for n in range(60)
    ]
    lines = [f"0.00.006.965 I {line}\n" for t in requests for line in keyed(t, "B")]
    at_once = read(lines, "log").requests
    monkeypatch.setattr(chunks, "CHUNK", size)
    monkeypatch.setattr(reader, "SMALL", 100)
    _, events = stream(BytesIO("".join(lines).encode()))
    assert sorted((e for e in events if isinstance(e, Request)), key=lambda r: r.task or 0) == list(
        at_once
    )
    assert len(at_once) == len(requests)


def test_a_summary_is_of_totals_not_of_rates():
    """95 tokens in 2 s and 63 in 1 s are 158 in 3 s."""
    summary = Summary.of(text(*keyed(ONE, "B"), *keyed(TWO, "B")).requests)
    assert summary.tokens_per_second == pytest.approx(158 / 3)
    assert summary.acceptance_rate == pytest.approx(40 / 60)
    assert summary.spread == pytest.approx((63 - 47.5) / (158 / 3))
