"""SmolLM2-135M-Instruct with the MTP head that was trained for this project, as one GGUF file.

llama.cpp drafts with an MTP block only in architectures that know one.
`step35` is the one that computes exactly a llama where its extras are left out, and that has an
MTP graph in every pinned build.
"""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type
from numpy.typing import NDArray

from speculoos.parts.pypi import Report, silent
from speculoos.record.store import sha256_of

ARCHITECTURE = "step35"
HEAD = "smollm2-135m-mtp-head-q8_0.gguf"
RECIPE = 1
"""To be raised with any change of what is written, so that files of before are written anew."""

Trunk = Literal["F32", "F16", "Q4_1"]
Values = NDArray[Any]


TYPES: dict[Trunk, tuple[Type | None, gguf.LlamaFileType]] = {
    "F32": (Type.F32, gguf.LlamaFileType.ALL_F32),
    "F16": (Type.F16, gguf.LlamaFileType.MOSTLY_F16),
    "Q4_1": (None, gguf.LlamaFileType.MOSTLY_Q4_1),
}
"""Type of the trunk's matrices, where None keeps that of the source, and the file's type."""
DRAFT_OUTPUT = Type.Q4_0
"""Of a second output matrix that only draft steps read.
With it a draft step reads 16 MB instead of 113 (F32). On a Zen 4 with b10068, F32, one thread and
n_max 3 it took the tokens per second of processor time from 0.54 to 0.70 of the baseline."""


@dataclass(frozen=True)
class Tensor:
    """One tensor to be written: its values are only read, and converted, when their turn comes."""

    name: str
    type: Type
    shape: tuple[int, ...]
    """Rows first."""
    values: Callable[[], Values]
    """Raw rows where the type is quantised."""


def merge(trunk: Path, out: Path, dtype: Trunk, report: Report = silent) -> Path:
    """Write `trunk` and the head to `out`, with the trunk's weights in `dtype`.

    F32 and F16 hold the values that the quantised trunk stands for; Q4_1 keeps its very rows.
    The head stays as it is shipped: every merged file needs a server that computes quantised
    weights on this processor.
    Does nothing where `out` is already what would be written.
    """
    with resources.as_file(resources.files("speculoos.parts") / "data" / HEAD) as head:
        recipe = _recipe(trunk, head, dtype)
        if not _is_done(out, recipe):
            report(f"Joining {trunk.name} and its MTP head, {dtype}")
            out.parent.mkdir(parents=True, exist_ok=True)
            _write(trunk, head, out, dtype)
            _stamp(out).write_text(json.dumps({"recipe": recipe, "size": out.stat().st_size}))
    return out


def _recipe(trunk: Path, head: Path, dtype: Trunk) -> str:
    parts = (RECIPE, ARCHITECTURE, sha256_of(trunk), sha256_of(head), dtype, DRAFT_OUTPUT.name)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _stamp(out: Path) -> Path:
    return out.with_name(out.name + ".json")


def _is_done(out: Path, recipe: str) -> bool:
    try:
        stamp = json.loads(_stamp(out).read_text())
        return bool(stamp == {"recipe": recipe, "size": out.stat().st_size})
    except (FileNotFoundError, ValueError):
        return False


def _write(trunk: Path, head: Path, out: Path, dtype: Trunk) -> None:
    source, block = gguf.GGUFReader(trunk), gguf.GGUFReader(head)
    matrices, file_type = TYPES[dtype]
    tensors = [*_trunk_tensors(source, matrices), *_head_tensors(source, block)]
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as work:
        unfinished = Path(work) / out.name
        writer = gguf.GGUFWriter(unfinished, ARCHITECTURE)
        _copy_keys(source, writer)
        writer.add_file_type(file_type)
        _add_keys(source, writer)
        _write_tensors(writer, tensors)
        unfinished.rename(out)


def _write_tensors(writer: gguf.GGUFWriter, tensors: list[Tensor]) -> None:
    """Write header and tensors, one at a time, so that no more than one is held in memory."""
    for tensor in tensors:
        size = gguf.quant_shape_to_byte_shape(tensor.shape, tensor.type)
        writer.add_tensor_info(
            tensor.name, tensor.shape, np.dtype(np.float32), int(np.prod(size)), tensor.type
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in tensors:
        writer.write_tensor_data(tensor.values())
    writer.close()


def _copy_keys(source: gguf.GGUFReader, writer: gguf.GGUFWriter) -> None:
    """Copy what says where the model comes from, and its tokenizer."""
    for key, field in source.fields.items():
        if key.startswith(("general.", "tokenizer.")) and key not in _OWN_KEYS:
            inner = field.types[-1] if len(field.types) > 1 else None
            writer.add_key_value(key, field.contents(), field.types[0], sub_type=inner)
    writer.add_name("SmolLM2 135M Instruct with an MTP head")


_OWN_KEYS = {"general.architecture", "general.name", "general.file_type"}


def _add_keys(source: gguf.GGUFReader, writer: gguf.GGUFWriter) -> None:
    """Say a llama in the words of `step35`: one more block, and a window that hides nothing."""
    context, blocks = _key(source, "context_length"), _key(source, "block_count")
    heads, width = _key(source, "attention.head_count"), _key(source, "embedding_length")
    writer.add_context_length(context)
    writer.add_block_count(blocks + 1)
    writer.add_nextn_predict_layers(1)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(_key(source, "feed_forward_length"))
    writer.add_expert_feed_forward_length(_key(source, "feed_forward_length"))  # insisted on
    writer.add_head_count(heads)
    writer.add_head_count_kv(_key(source, "attention.head_count_kv"))
    writer.add_key_length(width // heads)
    writer.add_value_length(width // heads)
    writer.add_layer_norm_rms_eps(_key(source, "attention.layer_norm_rms_epsilon"))
    writer.add_sliding_window(context)
    writer.add_sliding_window_pattern([False] + [True] * blocks)  # both kinds must exist
    writer.add_rope_freq_base(_key(source, "rope.freq_base"))
    writer.add_rope_freq_base_swa(_key(source, "rope.freq_base"))
    # step35 turns only half of the dimensions in the blocks without a window
    writer.add_rope_dimension_count(2 * width // heads)
    writer.add_rope_dimension_count_swa(width // heads)


def _key(source: gguf.GGUFReader, name: str) -> Any:
    return source.fields[f"llama.{name}"].contents()


def _trunk_tensors(source: gguf.GGUFReader, matrices: Type | None) -> Iterator[Tensor]:
    """All of the trunk, and its embedding once more as the output that it is tied to."""
    heads = {
        "attn_q": _key(source, "attention.head_count"),
        "attn_k": _key(source, "attention.head_count_kv"),
    }
    for tensor in source.tensors:
        kind = tensor.name.split(".")[-2]
        yield _converted(tensor, tensor.name, matrices, heads.get(kind))
        if tensor.name == "token_embd.weight":
            yield _converted(tensor, "output.weight", matrices)


def _head_tensors(source: gguf.GGUFReader, head: gguf.GGUFReader) -> Iterator[Tensor]:
    block = f"blk.{_key(source, 'block_count')}"
    for tensor in head.tensors:
        yield _converted(tensor, f"{block}.{_HEAD_NAMES[tensor.name]}.weight")
    embedding = next(t for t in source.tensors if t.name == "token_embd.weight")
    yield _converted(embedding, f"{block}.nextn.shared_head_head.weight", DRAFT_OUTPUT)


_HEAD_NAMES = {
    "enorm": "nextn.enorm",
    "hnorm": "nextn.hnorm",
    "eh_proj": "nextn.eh_proj",
    "head_norm": "nextn.shared_head_norm",
    "attn_norm": "attn_norm",
    "ffn_norm": "ffn_norm",
    "wq": "attn_q",
    "wk": "attn_k",
    "wv": "attn_v",
    "wo": "attn_output",
    "gate": "ffn_gate",
    "up": "ffn_up",
    "down": "ffn_down",
}


def _converted(
    tensor: gguf.ReaderTensor, name: str, to: Type | None = None, heads: int | None = None
) -> Tensor:
    """Take `tensor` as `name`, matrices in the type `to`; `heads` un-permutes their rows."""
    is_matrix = len(tensor.shape) > 1
    target = to if is_matrix and to is not None else tensor.tensor_type

    def values() -> Values:
        rows = np.asarray(tensor.data)
        if target != tensor.tensor_type:
            rows = gguf.quantize(gguf.dequantize(rows, tensor.tensor_type), target)
        return un_permuted(rows, heads) if heads else rows

    shape = tuple(int(n) for n in reversed(tensor.shape))
    return Tensor(name, Type(target), shape, values)


def un_permuted(rows: Values, heads: int) -> Values:
    """Order the rows of a query or key matrix as NEOX rope wants them: halves, not pairs.

    A row is not looked into, so that raw quantised rows are as good as numbers.
    llama.cpp's converter orders them in pairs for the architecture llama.
    """
    half = rows.shape[0] // heads // 2
    return rows.reshape(heads, half, 2, -1).swapaxes(1, 2).reshape(rows.shape)
