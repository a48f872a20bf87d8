"""An EAGLE-3 head for the tiny model, made tensor by tensor: every guess of it is right.

It is given what the tiny model reads of a token, its class; its feed-forward moves the class on by
one, `output` says the letter behind that one, and what it moved is what its next step is given.
"""

from pathlib import Path

import gguf
import numpy as np

from speculoos.parts.tiny_gguf import CONTEXT, VOCABULARY, WIDTH, Matrix, add_tokenizer
from speculoos.parts.tiny_model import CLASSES, CYCLE

READ_LAYERS = (0, 1, 1)
"""Of the target, by their inputs: exactly three. b10068 stops where the last is the output."""
NORMED = float(np.sqrt(WIDTH))
"""What a norm makes of the 1 in a vector of a single one."""
OPENED = NORMED * NORMED / (1 + np.exp(-NORMED))
"""What the gated product of the feed-forward makes of it."""


def write_eagle3(path: Path) -> Path:
    """Write the head as GGUF, F32, about 340 kB."""
    writer = gguf.GGUFWriter(path, "eagle3")
    _add_keys(writer)
    add_tokenizer(writer)
    for name, tensor in _tensors().items():
        writer.add_tensor(name, tensor.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_keys(writer: gguf.GGUFWriter) -> None:
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(CLASSES)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(WIDTH)
    writer.add_array("eagle3.target_layers", READ_LAYERS)
    writer.add_uint32("eagle3.target_hidden_size", WIDTH)


def _tensors() -> dict[str, Matrix]:
    norms = ("blk.0.attn_norm", "blk.0.attn_norm_2", "blk.0.ffn_norm", "output_norm")
    inputs = ("attn_q", "attn_k", "attn_v")
    classes = np.eye(CLASSES, WIDTH)
    return {
        "token_embd.weight": np.zeros((VOCABULARY, WIDTH)),
        "output.weight": _letters(),
        "fc.weight": np.eye(WIDTH, len(READ_LAYERS) * WIDTH)
        * (np.arange(WIDTH) < CLASSES)[:, None],
        **{f"{name}.weight": np.ones(WIDTH) for name in norms},
        **{f"blk.0.{name}.weight": np.zeros((WIDTH, 2 * WIDTH)) for name in inputs},
        "blk.0.attn_output.weight": np.zeros((WIDTH, WIDTH)),
        "blk.0.ffn_gate.weight": classes,
        "blk.0.ffn_up.weight": classes,
        "blk.0.ffn_down.weight": (_next(classes) - classes).T / OPENED,
    }


def _next(classes: Matrix) -> Matrix:
    """Give each class's row to the class before it."""
    return np.roll(classes, -1, axis=0)


def _letters() -> Matrix:
    """From a class to the letter behind it."""
    matrix = np.zeros((VOCABULARY, WIDTH))
    for letter in range(CLASSES):
        matrix[ord(CYCLE[(letter + 1) % CLASSES]), letter] = 1
    return matrix
