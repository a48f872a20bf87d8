"""The keys and tensors of the tiny model, as llama.cpp reads them."""

from collections.abc import Iterator
from math import log
from pathlib import Path

import gguf
import numpy as np
from numpy.typing import NDArray

from speculoos.parts.tiny_model import CLASSES, CYCLE, STEPS, STRAY, TinyModel, class_of

Matrix = NDArray[np.float32]

WIDTH = 64
"""Of the hidden state: the classes, then the markers 0 to STEPS."""
FEED_FORWARD = 32
TRUNK = 2
"""Blocks before the MTP block; with a single one the servers refuse to load."""
STATE = 32
"""Width of the state of qwen35's recurrent block."""
CONTEXT = 4096
FIRST_WRONG = 0x80
"""Bytes that no ASCII text holds stand for the wrong guesses, one for each class."""
MERGED = (0x00, 0x01)
"""The tokenizer must hold one merge: of two bytes that no text holds."""
END = "<|endoftext|>"
VOCABULARY = 256 + 1 + 1
"""Bytes, merge, end of text."""

NEXT, NOT_QUITE, NUDGE = 4.0, 3.0, 2.0
"""Weights in `output`: of the next letter; of the wrong guess; what a wrong (class, step) adds.
NOT_QUITE + NUDGE > NEXT > NOT_QUITE and NEXT > NUDGE, with a margin that no rounding fills."""

CHAT_TEMPLATE = (
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant:{% endif %}"
)


def write_gguf(model: TinyModel, path: Path) -> None:
    """Write keys, tokenizer and tensors of `model` to `path`."""
    writer = gguf.GGUFWriter(path, model.architecture)
    _add_keys(writer, model)
    add_tokenizer(writer)
    for name, tensor in tensors(model):
        writer.add_tensor(name, np.ascontiguousarray(tensor, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_keys(writer: gguf.GGUFWriter, model: TinyModel) -> None:
    writer.add_name(f"tiny {model.architecture} with an MTP head")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(TRUNK + model.head)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(1)
    writer.add_head_count_kv(1)
    writer.add_key_length(WIDTH)
    writer.add_value_length(WIDTH)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10000.0)
    if model.head:
        writer.add_nextn_predict_layers(1)
    _ADD_KEYS[model.architecture](writer, TRUNK + model.head)


def _add_sliding_keys(writer: gguf.GGUFWriter, blocks: int) -> None:
    writer.add_rope_dimension_count(WIDTH)
    writer.add_expert_feed_forward_length(FEED_FORWARD)  # no experts, but the loader insists
    writer.add_sliding_window(CONTEXT)
    # both kinds of block must exist
    writer.add_sliding_window_pattern([False] + [True] * (blocks - 1))


def _add_qwen35_keys(writer: gguf.GGUFWriter, _: int) -> None:
    writer.add_rope_dimension_count(WIDTH)
    writer.add_rope_dimension_sections([WIDTH // 2, 0, 0, 0])
    writer.add_ssm_conv_kernel(4)
    writer.add_ssm_inner_size(STATE)
    writer.add_ssm_state_size(STATE)
    writer.add_ssm_time_step_rank(1)
    writer.add_ssm_group_count(1)
    writer.add_full_attention_interval(TRUNK)  # block 0 is recurrent, block 1 is not


_ADD_KEYS = {
    "mimo2": _add_sliding_keys,
    "qwen35": _add_qwen35_keys,
    "step35": _add_sliding_keys,
}


def add_tokenizer(writer: gguf.GGUFWriter) -> None:
    """Add GPT-2's scheme without its merges: a token's number is its byte's value."""
    letters = _byte_letters()
    first, second = (letters[byte] for byte in MERGED)
    end = VOCABULARY - 1
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([*letters, first + second, END])
    writer.add_token_types([gguf.TokenType.NORMAL] * end + [gguf.TokenType.CONTROL])
    writer.add_token_merges([f"{first} {second}"])
    writer.add_bos_token_id(end)
    writer.add_eos_token_id(end)
    writer.add_eot_token_id(end)
    writer.add_add_bos_token(value=False)
    writer.add_chat_template(CHAT_TEMPLATE)


def _byte_letters() -> list[str]:
    """Write each byte as a letter: itself if visible, else one from 256 on (GPT-2's rule)."""
    seen = {*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(0xAE, 0x100)}
    hidden = iter(range(256, 512))
    return [chr(byte) if byte in seen else chr(next(hidden)) for byte in range(256)]


def tensors(model: TinyModel) -> Iterator[tuple[str, Matrix]]:
    """Names and values (rows first) of all tensors, in llama.cpp's order."""
    block = _BLOCKS[model.architecture]
    yield "token_embd.weight", _embedding()
    yield "output_norm.weight", np.ones(WIDTH, np.float32)
    yield "output.weight", _output(model)
    for index in range(0 if model.trunk else TRUNK, TRUNK + model.head):
        for name, tensor in block(index):
            yield f"blk.{index}.{name}", tensor
    if model.head:
        for name, tensor in _mtp_tensors():
            yield f"blk.{TRUNK}.nextn.{name}", tensor


def _embedding() -> Matrix:
    """Hold a 1 for the token's class and a 1 for marker 0."""
    matrix = np.zeros((VOCABULARY, WIDTH), np.float32)
    for token in range(VOCABULARY):
        matrix[token, class_of(token)] = 1
    matrix[:, CLASSES] = 1
    return matrix


def _output(model: TinyModel) -> Matrix:
    """From a class and a marker to the next letter, or to the class's own wrong guess."""
    matrix = np.zeros((VOCABULARY, WIDTH), np.float32)
    for letter in range(CLASSES):
        matrix[ord(CYCLE[(letter + 1) % CLASSES]), letter] = NEXT
    for letter, step in model.acceptance.wrong:
        matrix[FIRST_WRONG + letter, letter] = NOT_QUITE
        matrix[FIRST_WRONG + letter, CLASSES + step] = NUDGE
    if model.chance is not None:
        odds = model.chance / (1 - model.chance)
        matrix[ord(STRAY), CLASSES] = NEXT - log(odds) / _normed()
    return matrix


def _normed() -> float:
    """Give what the norm before `output` makes of a 1 in a vector of two ones."""
    return float(np.sqrt(WIDTH / 2))


def _mtp_tensors() -> Iterator[tuple[str, Matrix]]:
    """Take the class from the token's half of the input, the next marker from the state's half."""
    matrix = np.zeros((WIDTH, 2 * WIDTH), np.float32)
    for letter in range(CLASSES):
        matrix[letter, letter] = 1
    for marker in range(STEPS + 1):
        matrix[CLASSES + min(marker + 1, STEPS), WIDTH + CLASSES + marker] = 1
    yield "eh_proj.weight", matrix
    yield "enorm.weight", np.ones(WIDTH, np.float32)
    yield "hnorm.weight", np.ones(WIDTH, np.float32)


def _mimo2_block(_: int) -> Iterator[tuple[str, Matrix]]:
    yield "attn_norm.weight", np.ones(WIDTH, np.float32)
    yield "attn_qkv.weight", _zeros(3 * WIDTH, WIDTH)
    yield "attn_output.weight", _zeros(WIDTH, WIDTH)
    yield "ffn_norm.weight", np.ones(WIDTH, np.float32)
    yield from _feed_forward()


def _step35_block(_: int) -> Iterator[tuple[str, Matrix]]:
    yield "attn_norm.weight", np.ones(WIDTH, np.float32)
    yield from _attention(queries=WIDTH)
    yield "ffn_norm.weight", np.ones(WIDTH, np.float32)
    yield from _feed_forward()


def _qwen35_block(index: int) -> Iterator[tuple[str, Matrix]]:
    yield "attn_norm.weight", np.ones(WIDTH, np.float32)
    yield "post_attention_norm.weight", np.ones(WIDTH, np.float32)
    yield from _recurrent() if index == 0 else _gated_attention()
    yield from _feed_forward()


def _gated_attention() -> Iterator[tuple[str, Matrix]]:
    yield from _attention(queries=2 * WIDTH)  # with their gate
    yield "attn_q_norm.weight", np.ones(WIDTH, np.float32)
    yield "attn_k_norm.weight", np.ones(WIDTH, np.float32)


def _attention(queries: int) -> Iterator[tuple[str, Matrix]]:
    yield "attn_q.weight", _zeros(queries, WIDTH)
    yield "attn_k.weight", _zeros(WIDTH, WIDTH)
    yield "attn_v.weight", _zeros(WIDTH, WIDTH)
    yield "attn_output.weight", _zeros(WIDTH, WIDTH)


def _recurrent() -> Iterator[tuple[str, Matrix]]:
    yield "attn_qkv.weight", _zeros(3 * STATE, WIDTH)
    yield "attn_gate.weight", _zeros(STATE, WIDTH)
    yield "ssm_conv1d.weight", _zeros(3 * STATE, 4)
    yield "ssm_dt.bias", _zeros(1)
    yield "ssm_a", -np.ones(1, np.float32)
    yield "ssm_beta.weight", _zeros(1, WIDTH)
    yield "ssm_alpha.weight", _zeros(1, WIDTH)
    yield "ssm_norm.weight", np.ones(STATE, np.float32)
    yield "ssm_out.weight", _zeros(WIDTH, STATE)


def _feed_forward() -> Iterator[tuple[str, Matrix]]:
    yield "ffn_gate.weight", _zeros(FEED_FORWARD, WIDTH)
    yield "ffn_up.weight", _zeros(FEED_FORWARD, WIDTH)
    yield "ffn_down.weight", _zeros(WIDTH, FEED_FORWARD)


def _zeros(*shape: int) -> Matrix:
    return np.zeros(shape, np.float32)


_BLOCKS = {"mimo2": _mimo2_block, "qwen35": _qwen35_block, "step35": _step35_block}
