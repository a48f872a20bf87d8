"""Small GGUF files of many architectures: the shapes of their kind, and zeros for weights."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

from speculoos.parts.tiny_gguf import VOCABULARY, add_tokenizer
from speculoos.record.footprint.ggml import TYPES
from speculoos.record.footprint.shapes import imagined

BLOCKS = 4


@dataclass(frozen=True)
class Kind:
    """What sets a small model apart from the others."""

    keys: dict[str, Any]
    head: bool = False
    tied: bool = False


def write(name: str, path: Path, matrices: Type = Type.F32, **changes: Any) -> Path:
    """Write the model `name`, its large matrices in the type `matrices`; `changes` to its keys."""
    kind, architecture = KINDS[name], name.split("/", 1)[0]
    keys = _COMMON | kind.keys | ({"nextn_predict_layers": 1} if kind.head else {})
    keys |= {"block_count": BLOCKS + kind.head} | changes
    model = imagined(architecture, keys, TYPES[0], vocabulary=VOCABULARY, tied=kind.tied)
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in keys.items():
        _add(writer, f"{architecture}.{key}", value)
    add_tokenizer(writer)
    for tensor in model.header.tensors:
        _add_zeros(writer, tensor.name, tensor.shape, matrices)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    adders = {bool: writer.add_bool, int: writer.add_uint32, float: writer.add_float32}
    adders.get(type(value), writer.add_array)(key, value)


def _add_zeros(writer: Any, name: str, shape: tuple[int, ...], matrices: Type) -> None:
    rows = tuple(reversed(shape))
    large = len(shape) > 1 and shape[0] % 256 == 0 and "gate_inp" not in name
    if not large or matrices == Type.F32:
        writer.add_tensor(name, np.zeros(rows, np.float32))
    else:
        packed = gguf.quant_shape_to_byte_shape(rows, matrices)
        writer.add_tensor(name, np.zeros(packed, np.uint8), raw_dtype=matrices)


_COMMON = {
    "context_length": 65536,
    "embedding_length": 256,
    "feed_forward_length": 512,
    "attention.head_count": 4,
    "attention.head_count_kv": 2,
    "attention.key_length": 64,
    "attention.value_length": 64,
    "attention.layer_norm_rms_epsilon": 1e-6,
    "rope.dimension_count": 64,
    "rope.freq_base": 10000.0,
}
_MOE = {
    "expert_count": 8,
    "expert_used_count": 2,
    "expert_feed_forward_length": 256,
    "expert_shared_count": 1,
    "expert_shared_feed_forward_length": 256,
    "leading_dense_block_count": 1,
}
_DELTA = {
    "ssm.conv_kernel": 4,
    "ssm.inner_size": 256,
    "ssm.state_size": 64,
    "ssm.time_step_rank": 4,
    "ssm.group_count": 2,
    "full_attention_interval": 2,
}
_SECTIONS = {"rope.dimension_sections": [32, 0, 0, 0]}
_WINDOW = {"attention.sliding_window": 1024}
_MLA = {
    "attention.head_count_kv": 1,
    "attention.key_length": 96,
    "attention.value_length": 64,
    "attention.key_length_mla": 64,
    "attention.value_length_mla": 32,
    "attention.q_lora_rank": 64,
    "attention.kv_lora_rank": 64,
    "rope.dimension_count": 32,
}
KINDS = {
    "llama": Kind({}),
    "llama/moe": Kind({"expert_count": 8, "expert_used_count": 2}),
    "mistral3": Kind({}),
    "qwen2": Kind({}, tied=True),
    "qwen3": Kind({}, tied=True),
    "qwen3moe": Kind(_MOE),
    "gemma2": Kind(_WINDOW, tied=True),
    "gemma3": Kind(_WINDOW, tied=True),
    "phi3": Kind(_WINDOW),
    "gpt-oss": Kind(_WINDOW | _MOE),
    "deepseek2": Kind(_MLA | _MOE),
    "glm4moe": Kind(_MOE, head=True),
    "qwen3next": Kind(_DELTA | _MOE),
    "qwen35": Kind(_DELTA | _SECTIONS, head=True),
    "qwen35moe": Kind(_DELTA | _SECTIONS | _MOE, head=True),
}
"""By architecture; what follows a stroke is a variant."""
