"""Whether the keys of a model are such that its memory can be told at all."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from speculoos.record.footprint.header import Header

_MOST = {"block_count": 512, "expert_count": 1024}
"""`LLAMA_MAX_LAYERS` and `LLAMA_MAX_EXPERTS` of b11434, which no model may pass."""
_LARGEST = 2**32
_NEEDED = ("block_count", "embedding_length", "attention.head_count")
_READ = frozenset({
    *_NEEDED,
    "attention.head_count_kv", "attention.indexer.key_length", "attention.key_length",
    "attention.key_length_mla", "attention.key_length_swa", "attention.kv_lora_rank",
    "attention.q_lora_rank", "attention.recurrent_layers", "attention.shared_kv_layers",
    "attention.sliding_window", "attention.sliding_window_pattern", "attention.value_length",
    "attention.value_length_mla", "attention.value_length_swa", "context_length", "expert_count",
    "expert_used_count", "feed_forward_length", "full_attention_interval", "kda.head_dim",
    "nextn_predict_layers", "rope.dimension_count", "shortconv.l_cache", "ssm.conv_kernel",
    "ssm.group_count", "ssm.inner_size", "ssm.state_size", "ssm.time_step_rank",
    "token_shift_count", "vocab_size", "wkv.head_size",
})  # fmt: skip
_PER_BLOCK = ("attention.head_count", "attention.head_count_kv", "feed_forward_length")
_WITHOUT_HEADS = ("mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7", "arwkv7")


def key_problems(header: Header) -> Iterator[tuple[str, str]]:
    """Key and what is wrong with it, of every key that the needs are computed from."""
    for name in sorted(_READ):
        value = header.key(name)
        told = None if value is None else _wrong(value, _MOST.get(name, _LARGEST - 1))
        if told:
            yield f"{header.architecture}.{name}", told
    for name in _NEEDED:
        optional = name == "attention.head_count" and header.architecture in _WITHOUT_HEADS
        if header.key(name) in (None, 0) and not optional:
            yield f"{header.architecture}.{name}", "missing or 0, and nothing follows without it"
    if not header.tensors:
        yield "", "no tensors in it, as in a file of a vocabulary alone; name another file"
    head, blocks = header.key("nextn_predict_layers", 0), header.key("block_count", 0)
    if isinstance(head, int) and isinstance(blocks, int) and head > blocks:
        yield f"{header.architecture}.nextn_predict_layers", f"{head} of {blocks} blocks"
    yield from _short_arrays(header)


def _wrong(value: Any, most: int) -> str | None:
    values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    if not all(isinstance(each, int | float) and isfinite(each) for each in values):
        return f"{value!r:.60}, expected a number"
    if not all(0 <= each <= most for each in values):
        return f"{value!r:.60}, expected 0 to {most}"
    return None


def _short_arrays(header: Header) -> Iterator[tuple[str, str]]:
    blocks = header.key("block_count")
    for name in _PER_BLOCK:
        value = header.key(name)
        if isinstance(value, Sequence) and isinstance(blocks, int) and len(value) < blocks:
            yield f"{header.architecture}.{name}", f"{len(value)} numbers for {blocks} blocks"
