"""The tensors of a model, written down from its keys alone, where no file is at hand.

Names and shapes are those that `src/models/*.cpp` of b11434 ask for.
"""

from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import Any

from speculoos.record.footprint.ggml import TYPES, GgmlType
from speculoos.record.footprint.header import Header, TensorInfo
from speculoos.record.footprint.model import Block, Model

Shapes = Iterator[tuple[str, tuple[int, ...]]]
_F32 = TYPES[0]


def imagined(
    architecture: str,
    keys: Mapping[str, Any],
    weight_type: GgmlType,
    *,
    vocabulary: int,
    tied: bool,
) -> Model:
    """A model of these keys, its matrices in one type; `tied`: it has no output matrix."""
    named = {f"{architecture}.{name}": value for name, value in keys.items()}
    named |= {"general.architecture": architecture, "tokenizer.ggml.tokens": range(vocabulary)}
    bare = Model(Header(named, (), 0))
    found = tuple(
        TensorInfo(name, shape, weight_type if _quantised(name, shape) else _F32, 0)
        for name, shape in shapes(bare, tied=tied)
    )
    return Model(Header(named, found, sum(tensor.size_bytes for tensor in found)))


def _quantised(name: str, shape: tuple[int, ...]) -> bool:
    """Whether llama-quantize takes it on: matrices, but not convolutions and routers."""
    return len(shape) > 1 and not name.endswith(("ssm_conv1d.weight", "ffn_gate_inp.weight"))


def parameters(model: Model) -> int:
    """Numbers in all tensors."""
    return sum(prod(tensor.shape) for tensor in model.header.tensors)


def shapes(model: Model, *, tied: bool) -> Shapes:
    """Every tensor: embedding, output, the blocks, and what an MTP head has besides."""
    yield "token_embd.weight", (model.width, model.vocabulary)
    yield "output_norm.weight", (model.width,)
    if not tied:
        yield "output.weight", (model.width, model.vocabulary)
    for block in model.blocks:
        for name, shape in _BLOCKS[model.architecture](model, block):
            yield f"blk.{block.index}.{name}", shape
        if block.index >= model.trunk_blocks:
            yield f"blk.{block.index}.nextn.eh_proj.weight", (2 * model.width, model.width)
            for name in ("enorm", "hnorm", "shared_head_norm"):
                yield f"blk.{block.index}.nextn.{name}.weight", (model.width,)


def _norms(width: int, *names: str) -> Shapes:
    for name in names:
        yield f"{name}.weight", (width,)


def _attention(
    model: Model, block: Block, *, bias: bool = False, norms: bool = False, wide: int = 1
) -> Shapes:
    yield from _norms(model.width, "attn_norm")
    queries = wide * block.heads * block.key_length
    for name, rows in (("q", queries), ("k", block.key_row), ("v", block.value_row)):
        yield f"attn_{name}.weight", (model.width, rows)
        if bias:
            yield f"attn_{name}.bias", (rows,)
    yield "attn_output.weight", (block.heads * block.value_length, model.width)
    if norms:
        yield from _norms(block.key_length, "attn_q_norm", "attn_k_norm")


def _feed(model: Model, suffix: str = "", width: int = 0) -> Shapes:
    width = width or model.number("feed_forward_length")
    yield f"ffn_gate{suffix}.weight", (model.width, width)
    yield f"ffn_up{suffix}.weight", (model.width, width)
    yield f"ffn_down{suffix}.weight", (width, model.width)


def _experts(
    model: Model, *, shared: bool = False, gated: bool = False, biased: bool = False
) -> Shapes:
    count, width = model.number("expert_count"), model.width
    inner = model.number("expert_feed_forward_length") or model.number("feed_forward_length")
    yield "ffn_gate_inp.weight", (width, count)
    yield "ffn_gate_exps.weight", (width, inner, count)
    yield "ffn_up_exps.weight", (width, inner, count)
    yield "ffn_down_exps.weight", (inner, width, count)
    if biased:
        yield "exp_probs_b.bias", (count,)
    if shared:
        many = model.number("expert_shared_count", 1) * inner
        yield from _feed(model, "_shexp", model.number("expert_shared_feed_forward_length") or many)
    if gated:
        yield "ffn_gate_inp_shexp.weight", (width,)


def _plain(model: Model, block: Block, *, bias: bool = False, norms: bool = False) -> Shapes:
    yield from _attention(model, block, bias=bias, norms=norms)
    yield from _norms(model.width, "ffn_norm")
    if model.number("expert_count"):
        yield from _experts(model)
    else:
        yield from _feed(model)


def _biased(model: Model, block: Block) -> Shapes:
    yield from _plain(model, block, bias=True)


def _normed(model: Model, block: Block) -> Shapes:
    yield from _plain(model, block, norms=True)


def _gemma2(model: Model, block: Block) -> Shapes:
    yield from _plain(model, block)
    yield from _norms(model.width, "post_attention_norm", "post_ffw_norm")


def _gemma3(model: Model, block: Block) -> Shapes:
    yield from _plain(model, block, norms=True)
    yield from _norms(model.width, "post_attention_norm", "post_ffw_norm")


def _fused(model: Model, block: Block) -> Shapes:
    feed = model.number("feed_forward_length")
    yield from _norms(model.width, "attn_norm", "ffn_norm")
    rows = block.heads * block.key_length + block.key_row + block.value_row
    yield "attn_qkv.weight", (model.width, rows)
    yield "attn_output.weight", (model.width, model.width)
    yield "ffn_up.weight", (model.width, 2 * feed)
    yield "ffn_down.weight", (feed, model.width)


def _dense_lead(model: Model, block: Block) -> Shapes:
    if block.index < model.number("leading_dense_block_count"):
        yield from _feed(model)
    else:
        yield from _experts(model, shared=True, biased=True)


def _glm4moe(model: Model, block: Block) -> Shapes:
    yield from _attention(model, block, bias=True, norms=bool(model.number("use_qk_norm", 1)))
    yield from _norms(model.width, "post_attention_norm")
    yield from _dense_lead(model, block)


def _deepseek2(model: Model, block: Block) -> Shapes:
    rank, low = model.number("attention.kv_lora_rank"), model.number("attention.q_lora_rank")
    turn, value = model.number("rope.dimension_count"), model.number("attention.value_length_mla")
    key, heads, width = model.number("attention.key_length_mla"), block.heads, model.width
    yield from _norms(width, "attn_norm", "ffn_norm")
    yield from _norms(rank, "attn_kv_a_norm")
    if low:
        yield from _norms(low, "attn_q_a_norm")
        yield "attn_q_a.weight", (width, low)
        yield "attn_q_b.weight", (low, heads * key)
    else:
        yield "attn_q.weight", (width, heads * key)
    yield "attn_kv_a_mqa.weight", (width, rank + turn)
    yield "attn_k_b.weight", (key - turn, rank, heads)
    yield "attn_v_b.weight", (rank, value, heads)
    yield "attn_output.weight", (heads * value, width)
    yield from _dense_lead(model, block)


def _delta(model: Model, block: Block, *, split: bool = True) -> Shapes:
    width, heads = model.width, model.number("ssm.time_step_rank")
    inner, state = model.number("ssm.inner_size"), model.number("ssm.state_size")
    channels = inner + 2 * model.number("ssm.group_count") * state
    if not block.recurrent:
        yield from _attention(model, block, norms=True, wide=2)
    else:
        yield from _norms(width, "attn_norm")
        yield "attn_qkv.weight", (width, channels)
        yield "attn_gate.weight", (width, inner)
        yield "ssm_conv1d.weight", (model.number("ssm.conv_kernel"), channels)
        yield "ssm_dt.bias", (heads,)
        yield "ssm_a", (heads,)
        for name in ("ssm_beta", "ssm_alpha") if split else ():
            yield f"{name}.weight", (width, heads)
        if not split:
            yield "ssm_ba.weight", (width, 2 * heads)
        yield "ssm_norm.weight", (state,)
        yield "ssm_out.weight", (inner, width)
    yield from _norms(width, "post_attention_norm")


def _qwen35(model: Model, block: Block) -> Shapes:
    yield from _delta(model, block)
    yield from _feed(model)


def _qwen35moe(model: Model, block: Block) -> Shapes:
    yield from _delta(model, block)
    yield from _experts(model, shared=True, gated=True)


def _qwen3next(model: Model, block: Block) -> Shapes:
    yield from _delta(model, block, split=False)
    yield from _experts(model, shared=True, gated=True)


def _gpt_oss(model: Model, block: Block) -> Shapes:
    count, inner = model.number("expert_count"), model.number("expert_feed_forward_length")
    yield from _attention(model, block, bias=True)
    yield "attn_output.bias", (model.width,)
    yield from _norms(model.width, "post_attention_norm")
    yield "attn_sinks.weight", (block.heads,)
    yield from _experts(model)
    yield "ffn_gate_inp.bias", (count,)
    yield "ffn_gate_exps.bias", (inner, count)
    yield "ffn_up_exps.bias", (inner, count)
    yield "ffn_down_exps.bias", (model.width, count)


_BLOCKS: dict[str, Callable[[Model, Block], Shapes]] = {
    "deepseek2": _deepseek2,
    "gemma2": _gemma2,
    "gemma3": _gemma3,
    "glm4moe": _glm4moe,
    "gpt-oss": _gpt_oss,
    "llama": _plain,
    "mistral3": _plain,
    "phi3": _fused,
    "qwen2": _biased,
    "qwen3": _normed,
    "qwen35": _qwen35,
    "qwen35moe": _qwen35moe,
    "qwen3moe": _normed,
    "qwen3next": _qwen3next,
}
ARCHITECTURES = tuple(_BLOCKS)
"""Those that can be written down, and that were compared with the logs of real servers."""
