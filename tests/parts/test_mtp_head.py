"""The real model with its MTP head: the same weights, the same text, drafts that are accepted."""

from pathlib import Path

import gguf
import numpy as np
import pytest
from gguf import GGMLQuantizationType as Type
from hypothesis import given
from hypothesis import strategies as st

from parts.running_server import running
from speculoos.parts.models import smollm2
from speculoos.parts.mtp_head import merge, un_permuted
from speculoos.parts.servers import llama_server

PROMPTS = (
    "Write a Python function that checks whether a word is a palindrome.",
    "Explain how a rainbow forms, in simple words.",
)
LENGTH = 32
SAID = {
    "step35.block_count": 31,
    "step35.nextn_predict_layers": 1,
    "general.license": "apache-2.0",
    "tokenizer.ggml.pre": "smollm",
}


@pytest.fixture(scope="module")
def trunk(cache: Path) -> Path:
    return smollm2(cache)


@pytest.fixture(scope="module")
def quantised(trunk: Path, cache: Path) -> Path:
    return merge(trunk, cache / "smollm2-135m-mtp-q4_1.gguf", "Q4_1")


@pytest.fixture(scope="module")
def full(trunk: Path, cache: Path) -> Path:
    return merge(trunk, cache / "smollm2-135m-mtp-f32.gguf", "F32")


@pytest.fixture(scope="module")
def merged(quantised: Path) -> gguf.GGUFReader:
    return gguf.GGUFReader(quantised)


def tensors(reader: gguf.GGUFReader) -> dict[str, gguf.ReaderTensor]:
    return {tensor.name: tensor for tensor in reader.tensors}


def templated(prompt: str) -> str:
    return f"<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n"


@given(heads=st.integers(1, 9), half=st.integers(1, 8), columns=st.integers(1, 5))
def test_un_permuting_undoes_the_converter(heads: int, half: int, columns: int):
    """llama.cpp's converter pairs the halves of each head; NEOX rope wants the halves."""
    rows = np.arange(heads * half * 2 * columns).reshape(heads * half * 2, columns)
    paired = rows.reshape(heads, 2, half, columns).swapaxes(1, 2).reshape(rows.shape)
    assert np.array_equal(un_permuted(paired, heads), rows)


def test_raw_quantised_rows_are_un_permuted_like_numbers():
    """A row of blocks is moved as a whole, so its values move with it."""
    values = np.random.default_rng(0).standard_normal((64, 32)).astype(np.float32)
    raw = gguf.quantize(values, Type.Q4_1)
    assert np.array_equal(
        gguf.dequantize(un_permuted(raw, 4), Type.Q4_1),
        un_permuted(gguf.dequantize(raw, Type.Q4_1), 4),
    )


def test_the_quantised_trunk_keeps_its_very_rows(trunk: Path, merged: gguf.GGUFReader):
    """Same types, same bytes; the query's rows in another order."""
    before, after = tensors(gguf.GGUFReader(trunk)), tensors(merged)
    for name in ("token_embd.weight", "blk.7.ffn_down.weight", "blk.29.attn_norm.weight"):
        assert after[name].tensor_type == before[name].tensor_type
        assert np.array_equal(after[name].data, before[name].data)
    assert np.array_equal(after["output.weight"].data, before["token_embd.weight"].data)
    query = "blk.3.attn_q.weight"
    assert np.array_equal(after[query].data, un_permuted(np.array(before[query].data), 9))


def test_the_file_tells_of_its_head_and_its_origin(merged: gguf.GGUFReader):
    """One MTP block after the trunk's thirty, and the licence and tokenizer of the source."""
    said = {name: merged.fields[name].contents() for name in SAID}
    assert said == SAID
    assert "blk.30.nextn.eh_proj.weight" in {tensor.name for tensor in merged.tensors}


def test_a_file_that_is_there_is_not_written_again(trunk: Path, quantised: Path):
    """Its stamp says from which files and by which recipe it was made."""
    said: list[str] = []
    before = quantised.stat().st_mtime_ns
    merge(trunk, quantised, "Q4_1", said.append)
    assert quantised.stat().st_mtime_ns == before
    assert said == []


def test_merging_gives_the_same_bytes_and_mends_a_cut_file(
    trunk: Path, quantised: Path, tmp_path: Path
):
    """A file that was cut is written anew; nothing else is left beside it."""
    out = tmp_path / "again.gguf"
    out.write_bytes(b"GGUF")
    merge(trunk, out, "Q4_1")
    assert out.read_bytes() == quantised.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"again.gguf", "again.gguf.json"}


def test_drafting_changes_no_word_at_full_precision(full: Path, cache: Path):
    """Greedy text with the head equals greedy text without it, and a share of drafts is right."""
    server = llama_server(cache).path
    with running(server, full, "-c", "512") as plain:
        texts = [plain.complete(templated(p), LENGTH)["content"] for p in PROMPTS]
    drafting = ("-c", "512", "--spec-type", "draft-mtp", "--spec-draft-n-max", "2")
    with running(server, full, *drafting) as server_with_head:
        answers = [server_with_head.complete(templated(p), LENGTH) for p in PROMPTS]
    assert [answer["content"] for answer in answers] == texts
    assert "def is_palindrome(word):" in texts[0]
    drafted = sum(answer["timings"]["draft_n"] for answer in answers)
    accepted = sum(answer["timings"]["draft_n_accepted"] for answer in answers)
    assert 0.15 < accepted / drafted < 0.7


def test_the_merged_files_are_the_shipped_model(
    trunk: Path, quantised: Path, full: Path, cache: Path
):
    """The likeliest next tokens agree to within the rounding of quantised activations.

    Two builds with the very same file differ as much; a wrong rope or norm differs by several.
    """
    server = llama_server(cache).path
    shipped, *merged = (next_tokens(server, model) for model in (trunk, quantised, full))
    for other in merged:
        for token in sorted(shipped, key=shipped.get)[-5:]:
            assert other[token] == pytest.approx(shipped[token], abs=0.8)


def next_tokens(server: Path, model: Path) -> dict[int, float]:
    """Log-probabilities of the 200 likeliest first tokens of an answer."""
    with running(server, model, "-c", "512") as started:
        answer = started.complete(templated(PROMPTS[1]), 1, n_probs=200)
    top = answer["completion_probabilities"][0]["top_logprobs"]
    return {token["id"]: token["logprob"] for token in top}


def test_the_quantised_trunk_drafts(quantised: Path, cache: Path):
    """Its head was trained on the text of this very trunk, in F32."""
    drafting = ("-c", "512", "--spec-type", "draft-mtp", "--spec-draft-n-max", "1")
    with running(llama_server(cache).path, quantised, *drafting) as server:
        timings = server.complete(templated(PROMPTS[0]), LENGTH)["timings"]
    assert timings["draft_n_accepted"] / timings["draft_n"] > 0.15
