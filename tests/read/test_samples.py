"""Every public sample is read as it must be: each field, unknown where it is unknown."""

from io import BytesIO
from pathlib import Path

import pytest

from speculoos.read import Reading, Summary, read

DATA = Path(__file__).parent.parent / "data" / "read"
NOTHING = {
    "slot": None, "task": None, "label": None, "prompt_n": None, "prompt_ms": None,
    "predicted_n": None, "predicted_ms": None, "printed_tokens_per_second": None,
    "rate_divisor": None, "draft_n": None, "draft_n_accepted": None, "speculation": "unknown",
    "mean_acceptance_length": None, "accepted_per_position": None, "n_max": None, "build": None,
}  # fmt: skip


def reading(start: str) -> Reading:
    (path,) = DATA.glob(f"{start}*")
    return read(BytesIO(path.read_bytes()), path.name)


def log(slot, task, prompt, predicted, rate, divisor, **more):
    return {
        "source": "server_log", "slot": slot, "task": task,
        "prompt_n": prompt[0], "prompt_ms": prompt[1],
        "predicted_n": predicted[0], "predicted_ms": predicted[1],
        "printed_tokens_per_second": rate, "rate_divisor": divisor, "speculation": "none",
    } | more  # fmt: skip


def drafted(accepted, draft_n, **more):
    return {"draft_n": draft_n, "draft_n_accepted": accepted, "speculation": "drafted"} | more


EXPECTED = {
    "01": [log(0, 0, (36, 586.65), (142, 13561.62), 10.47, "n", **drafted(28, 75))],
    "02": [log(0, 438, (4780, 29187.45), (4120, 172447.71), 23.89, "n",
               **drafted(3646, 7568, n_max=16))],
    "04": [log(0, 854, (96, 4063.52), (221, 31868.65), 6.93, "n", **drafted(149, 213))],
    "05": [log(0, 1, (32767, 27857.24), (256, 7167.21), 35.72, "n")],
    "06": [log(1, 0, (20, 300.11), (256, 2296.72), 111.46, "n",
               **drafted(167, 259, mean_acceptance_length=2.92, n_max=3,
                         accepted_per_position=[70, 55, 42]))],
    "08": [log(0, 181, (21, 838.17), (123, 3081.56), 39.91, "n",
               **drafted(82, 84, mean_acceptance_length=2.95, n_max=2)),
           log(0, 226, (420, 1610.75), (116, 2939.81), 39.46, "n", speculation="unknown")],
    "11": [],
    "14": [],
    "16": [{"source": "llama_bench", "label": "pp512", "prompt_n": 512, "prompt_ms": 72.13564,
            "printed_tokens_per_second": 7100.002165, "rate_divisor": "n", "speculation": "none",
            "build": "b5163-8cf427ff"},
           {"source": "llama_bench", "label": "tg128", "predicted_n": 128,
            "predicted_ms": 1076.76788, "printed_tokens_per_second": 118.881588,
            "rate_divisor": "n", "speculation": "none", "build": "b5163-8cf427ff"}],
    "17": [{"source": "timings", "prompt_n": 1, "prompt_ms": 228.522, "predicted_n": 200,
            "predicted_ms": 11082.606, "printed_tokens_per_second": 18.0462970532382,
            "rate_divisor": "n", **drafted(65, 347)}],
    "19": [log(0, 0, (43, 786.12), (96, 22187.78), 4.28, "n-1",
               **drafted(71, 71, mean_acceptance_length=3.96, n_max=3)),
           log(0, 26, (46, 2830.01), (10, 6515.99), 1.38, "n-1",
               **drafted(6, 9, mean_acceptance_length=3.0, n_max=3))],
    "21": [log(0, 0, (43, 5897.26), (96, 43379.18), 2.19, "n-1"),
           log(0, 97, (46, 4058.8), (10, 3573.53), 2.52, "n-1")],
    "22": [],
    "24": [{"source": "metrics", "prompt_n": 89, "prompt_ms": 560.526, "predicted_n": 106,
            "predicted_ms": 2332.78, **drafted(77, 80, mean_acceptance_length=1 + 77 / 27,
                                               accepted_per_position=[26, 26, 25])}],
}  # fmt: skip


@pytest.mark.parametrize("start", EXPECTED)
def test_a_sample_gives_its_requests_and_nothing_else(start):
    """Every key of every request equals the right reading; what is not shown is null."""
    assert [r.as_dict() for r in reading(start).requests] == [
        NOTHING | request for request in EXPECTED[start]
    ]


def test_mtp_bench_gives_one_request_a_row_and_the_n_max_of_its_command():
    """Two blocks of nine: the first drafted nothing, the second with n_max 3."""
    requests = reading("12").requests
    off, on = Summary.of(requests[:9]), Summary.of(requests[9:])
    assert (off.predicted_n, off.draft_n, off.speculation["none"]) == (1404, 0, 9)
    assert (on.predicted_n, on.draft_n, on.draft_n_accepted) == (1406, 1319, 952)
    assert on.acceptance_rate == pytest.approx(0.7218, abs=5e-5)
    assert [r.n_max for r in requests] == [None] * 9 + [3] * 9
    assert requests[12].as_dict() == NOTHING | {
        "source": "mtp_bench", "label": "summarize", "predicted_n": 55,
        "printed_tokens_per_second": 17.9, "n_max": 3, **drafted(37, 51),
    }  # fmt: skip


def test_mtp_bench_says_where_its_figures_differ_from_the_counts():
    """0.726 is printed where 37 of 51 is 0.7255; rates are averaged; wall time holds prompts."""
    hints = reading("12").hints
    rounded = [dict(h.figures) for h in hints if h.kind == "rounded-rate"]
    assert {"label": "summarize", "printed": 0.726, "computed": 37 / 51} in rounded
    means = [dict(h.figures) for h in hints if h.kind == "mean-of-rates"]
    assert [round(m["printed"], 2) for m in means] == [7.19, 17.56]
    assert round(means[1]["computed"], 2) == 17.78
    wall = [dict(h.figures) for h in hints if h.kind == "prompt-in-wall-time"]
    assert [round(w["computed"], 1) for w in wall] == [7.0, 16.8]


def test_each_removed_flag_is_named_with_its_form_today():
    """The form depends on the command: a draft model and ngram-mod have flags of their own."""
    changes = [dict(h.figures) for h in reading("14").hints if h.kind == "removed-flags"]
    assert [(c["flag"], c["today"]) for c in changes] == [
        ("--draft-max 16", "--spec-draft-n-max 16"),
        ("--draft-min 5", "--spec-draft-n-min 5"),
        ("--spec-ngram-size-n 24", "--spec-ngram-mod-n-match 24"),
        ("--draft-min 48", "--spec-ngram-mod-n-min 48"),
        ("--draft-max 64", "--spec-ngram-mod-n-max 64"),
        ("--spec-type mtp", "--spec-type draft-mtp"),
        ("--spec-type draft", "--spec-type draft-simple"),
        ("--draft-n-max 5", "--spec-draft-n-max 5"),
        ("--draft-model draft.gguf", "--spec-draft-model draft.gguf"),
    ]
    off = [h.line_number for h in reading("14").hints if h.kind == "silently-off"]
    assert off == [2, 17]


def test_a_loaded_draft_model_that_never_drafts_is_called_off_not_zero_percent():
    """The hint names the line that loads the draft model."""
    (hint,) = reading("21").hints
    assert (hint.kind, hint.line_number) == ("silently-off", 9)
    assert Summary.of(reading("21").requests).acceptance_rate is None


def test_a_crash_is_named_with_its_assertion_and_its_pitfall():
    """No number is given; the assertion is the one of n_max 0."""
    hints = {h.kind: h for h in reading("22").hints}
    assert set(hints) == {"crash", "n-max-zero"}
    assert hints["crash"].line_number == 15
    assert "GGML_ASSERT(n_outputs_max <= cparams.n_outputs_max)" in hints["crash"].message


def test_progress_lines_alone_are_no_result():
    """The reading says why it is empty."""
    assert [h.kind for h in reading("11").hints] == ["progress-only"]


def test_memory_that_is_printed_several_times_is_found_once():
    """92 + 45 + 16 MiB: the object is printed three times."""
    memory = [(f.detail, f.value) for f in reading("19").findings if f.name == "memory_mib"]
    assert memory == [("model Host", 92), ("context Host", 45), ("compute Host", 16)]


def test_a_window_gauge_of_metrics_is_named_and_not_used():
    """44.58 is what the last window gave, not the average."""
    (hint,) = reading("24").hints
    assert (hint.kind, dict(hint.figures)["printed"]) == ("window-gauge", 44.5821)


@pytest.mark.parametrize("path", sorted(DATA.iterdir()), ids=lambda p: p.name)
def test_every_hint_has_its_sentence(path):
    """No figure of a sentence is missing."""
    for hint in read(BytesIO(path.read_bytes()), path.name).hints:
        assert "?" not in hint.message
