"""What a log says beside its requests: each fault becomes a hint that leads to its pitfall."""

import re
from io import BytesIO
from pathlib import Path

import pytest

from speculoos.read import chunks, read
from speculoos.read.request import MESSAGES

DOCS = Path(__file__).parents[2] / "docs"
LINES = {
    "crash": [
        "/path/ggml.c:3187: GGML_ASSERT(nei0 * nei1 <= 3) failed",
        "terminate called after throwing an instance of 'std::runtime_error'",
        "systemd[1]: llama.service: Main process exited, code=dumped, status=6/ABRT",
        "CUDA error: an illegal memory access was encountered",
    ],
    "n-max-zero": ["/path/c.cpp:1: GGML_ASSERT(n_outputs_max <= cparams.n_outputs_max) failed"],
    "n-max-too-large": ["/path/c.cpp:1: GGML_ASSERT(n_ubatch > n_keep_tail) failed"],
    "broken-releases": [
        "/p.cpp:1: GGML_ASSERT(hparams.n_layer_nextn < hparams.n_layer_all) failed"
    ],
    "split-mode-tensor": ["/p/ggml-backend-meta.cpp:9: GGML_ASSERT(split_state.ne[j] == 1) failed"],
    "killed": [
        "kernel: Out of memory: Killed process 712 (llama-server) total-vm:99kB",
        "llama-1 exited with code 137",
    ],
    "illegal-instruction": ["Illegal instruction (core dumped)"],
    "out-of-memory": [
        "ggml_backend_cuda_buffer_type_alloc_buffer: cudaMalloc failed: out of memory",
        "ggml_vulkan: Device memory allocation failed: ErrorOutOfDeviceMemory",
    ],
    "no-head": ["context type MTP requested but model doesn't contain MTP layers"],
    "draft-mismatch": ["the target and draft vocabs are not compatible"],
    "broken-draft-model": ["srv load_model: failed to load draft model, '/m.gguf'"],
    "broken-model": ["llama_model_load: data is not within the file bounds, model is corrupted"],
    "port-taken": ["couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080"],
    "context-too-small": ["request (2400 tokens) exceeds the available context size (256 tokens)"],
    "unknown-spec-type": ['argument "--spec-type": unknown speculative type: mtp'],
    "invalid-argument": ["error: invalid argument: --no-such-flag"],
    "removed-flags": [
        'error while handling argument "--draft-max": the argument has been removed. use --spec-x'
    ],
    "no-model": ["srv  llama_server: starting server in router mode"],
}
CASES = [(kind, line) for kind, lines in LINES.items() for line in lines]
NOISE = "0.00.006.965 I slot update_slots: id  0 | task 7 | prompt processing progress, n = 14\n"


@pytest.mark.parametrize(("kind", "line"), CASES)
def test_a_line_of_a_fault_gives_its_hint(kind, line):
    """The sentence is whole, and quotes the line or the flag."""
    hints = {hint.kind: hint for hint in read([f"srv  llama_server: start\n{line}"], "log").hints}
    assert kind in hints
    assert "?" not in hints[kind].message


@pytest.mark.parametrize("kind", sorted(LINES.keys() - {"no-model"}))
def test_a_fault_is_seen_in_the_middle_of_a_long_log(monkeypatch, kind):
    """A server may die far from its start, and nothing may start it again."""
    monkeypatch.setattr(chunks, "CHUNK", 1 << 14)
    monkeypatch.setattr(chunks, "END", 1 << 11)
    text = NOISE * 2000 + f"0.00.006.965 E {LINES[kind][0]}\n" + NOISE * 2000
    found = {h.kind: h for h in read(BytesIO(text.encode()), "log").hints}
    assert found[kind].line_number == 2001


@pytest.mark.parametrize("kind", sorted(MESSAGES))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_hint_leads_to_a_pitfall(kind, language):
    """Its name is an anchor of the page, in both languages."""
    page = (DOCS / language / "pitfalls.md").read_text(encoding="utf-8")
    assert re.search(rf"\{{#{kind}\}}|id=\"{kind}\"", page)


def test_a_fault_that_is_said_in_many_lines_is_one_hint():
    """A missing file is named by every layer of the server."""
    lines = [
        "failed to open GGUF file 'm.gguf'\n",
        "failed to load model\n",
        "failed to load model 2",
    ]
    (hint,) = read([f"srv llama_server: {line}" for line in lines], "log").hints
    assert (hint.kind, hint.line_number) == ("broken-model", 1)


def test_a_drafting_server_that_drafts_nothing_is_told_from_one_that_is_off():
    """The type is set up, the requests have no draft line: n_min or p_min forbids it."""
    lines = (Path(__file__).parents[1] / "data" / "read" / "31_b11434_lv4_n5.log").read_text()
    without = [line for line in lines.splitlines() if "draft acceptance" not in line]
    without = [line for line in without if "acc per pos" not in line]
    assert "nothing-drafted" in {h.kind for h in read(without, "log").hints}
