"""What the keys of a model say about each of its blocks, in llama.cpp's words.

The defaults are those of `llama-hparams.cpp` and `src/models/*.cpp` of b11434.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from speculoos.record.footprint.header import Header, TensorInfo

_WINDOW_PATTERN = {
    "afmoe": 4, "cohere2": 4, "cohere2moe": 4, "exaone-moe": 4, "exaone4": 4, "gemma2": 2,
    "gemma3": 6, "gemma3n": 5, "gpt-oss": 2, "laguna": 4, "llama4": 4, "mellum": 4, "olmo2": 4,
    "plamo3": 8, "smallthinker": 4,
}  # fmt: skip
"""One block in so many sees the whole context, where no key says which; the others a window."""
_DENSE_FIRST = frozenset({"cohere2moe", "laguna", "smallthinker"})
_BY_KEY_ONLY = frozenset({
    "dots3note", "gemma4", "gemma4-assistant", "granite-swa", "lfm2", "maple", "mimo2", "spark2-5",
    "step35",
})  # fmt: skip
_WINDOW = {"gemma2": 4096, "exaone4": 4096, "llama4": 8192}
"""Width of the window where no key gives it."""
_INTERVAL = frozenset({"qwen3next", "qwen35", "qwen35moe", "qwen4exp", "minimax-01"})
"""One block in `full_attention_interval` is not recurrent."""
_RECURRENT = frozenset({"mamba", "mamba2", "rwkv6", "rwkv6qwen2", "rwkv7", "arwkv7"})
_BOTH = frozenset({"falcon-h1"})
"""Every block holds a recurrent state and a cache of keys and values."""
_HYBRID = frozenset({
    "jamba", "plamo2", "granitehybrid", "lfm2", "lfm2moe", "nemotron_h", "nemotron_h_moe",
    "kimi-linear", "bailingmoe3", "kimi-k3", "glm5-next",
})  # fmt: skip
"""A block without heads of keys and values is recurrent."""
ROLLBACK = frozenset({
    "qwen35", "qwen35moe", "qwen4exp", "nemotron_h", "nemotron_h_moe", "lfm2", "lfm2moe",
    "bailingmoe3", "kimi-k3", "glm5-next", "deepseek4",
})  # fmt: skip
"""Keeps one recurrent state more for every token of a draft, to go back to."""
_THREE_TO_ONE = 4
_OWN_CACHE_3N = 20
"""Blocks of gemma3n that hold keys and values; the later ones read those."""


@dataclass(frozen=True)
class Block:
    """One block: its heads, and what it remembers of the text before."""

    index: int
    heads: int
    heads_kv: int
    key_length: int
    value_length: int
    window: bool
    """Whether it sees only the last `Model.window` tokens."""
    recurrent: bool
    caches: bool
    """Whether it holds keys and values of its own."""

    @property
    def key_row(self) -> int:
        """Numbers of a token's keys."""
        return self.key_length * self.heads_kv

    @property
    def value_row(self) -> int:
        """Numbers of a token's values."""
        return self.value_length * self.heads_kv


@dataclass(frozen=True)
class Model:
    """A model's header, read as llama.cpp reads it."""

    header: Header

    def number(self, name: str, default: int = 0) -> int:
        """An architecture's key as a number; of an array, its greatest."""
        value = self.header.key(name)
        if isinstance(value, Sequence) and not isinstance(value, str):
            value = max(value, default=0)
        return int(value) if value is not None else default

    def real(self, name: str, default: float = 0.0) -> float:
        """An architecture's key as a number with decimals."""
        value = self.header.key(name)
        return float(value) if value is not None else default

    @property
    def architecture(self) -> str:
        """As llama.cpp names it."""
        return self.header.architecture

    @cached_property
    def width(self) -> int:
        """Of the hidden state."""
        return self.number("embedding_length")

    @cached_property
    def head_blocks(self) -> int:
        """MTP blocks, at the end of all blocks."""
        return self.number("nextn_predict_layers")

    @cached_property
    def trunk_blocks(self) -> int:
        """Blocks before the MTP head."""
        return self.number("block_count") - self.head_blocks

    @cached_property
    def trained_context(self) -> int:
        """Tokens of the longest text it was trained on."""
        return self.number("context_length")

    @cached_property
    def vocabulary(self) -> int:
        """Tokens it knows."""
        listed = self.header.keys.get("tokenizer.ggml.tokens", ())
        return len(listed) or self.number("vocab_size")

    @cached_property
    def window(self) -> int:
        """Tokens that a block with a window sees; 0 where none has one."""
        return self.number("attention.sliding_window", _WINDOW.get(self.architecture, 0))

    @cached_property
    def compressed(self) -> bool:
        """Whether keys and values are kept as one compressed row (MLA)."""
        return bool(self.number("attention.key_length_mla"))

    @cached_property
    def tensors(self) -> Mapping[str, TensorInfo]:
        """By name."""
        return {tensor.name: tensor for tensor in self.header.tensors}

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The trunk's blocks, then the head's."""
        return tuple(self._block(index) for index in range(self.number("block_count")))

    def _block(self, index: int) -> Block:
        heads = self._each("attention.head_count", index, 0)
        suffix = "_swa" if self._has_window(index) else ""
        plain = self.width // heads if heads else 0
        key, value = (
            self.number(f"attention.{kind}_length{suffix}")
            or self.number(f"attention.{kind}_length", plain)
            for kind in ("key", "value")
        )
        recurrent = self._is_recurrent(index)
        return Block(
            index,
            heads,
            self._each("attention.head_count_kv", index, heads),
            key_length=key,
            value_length=value,
            window=self._has_window(index),
            recurrent=recurrent,
            caches=self._caches(index, recurrent=recurrent),
        )

    def _each(self, name: str, index: int, default: int) -> int:
        value: Any = self.header.key(name, default)
        if isinstance(value, Sequence):
            return int(value[index]) if index < len(value) else default
        return int(value)

    def _has_window(self, index: int) -> bool:
        architecture = self.architecture
        pattern: Any = self.header.key("attention.sliding_window_pattern")
        known = architecture in _WINDOW_PATTERN or architecture in _BY_KEY_ONLY
        if not known or not self.window:
            return False
        if isinstance(pattern, Sequence):
            return index < len(pattern) and bool(pattern[index])
        every = int(pattern or _WINDOW_PATTERN.get(architecture, 0))
        full = 0 if architecture in _DENSE_FIRST else every - 1
        return index < self.trunk_blocks and (every == 0 or index % every != full)

    def _is_recurrent(self, index: int) -> bool:
        if index >= self.trunk_blocks:
            return False
        listed: Any = self.header.key("attention.recurrent_layers")
        if isinstance(listed, Sequence):
            return bool(listed[index])
        if self.architecture in _INTERVAL:
            return (index + 1) % self.number("full_attention_interval", _THREE_TO_ONE) != 0
        if self.architecture in _RECURRENT | _BOTH:
            return True
        return self.architecture in _HYBRID and self._each("attention.head_count_kv", index, 0) == 0

    def _caches(self, index: int, *, recurrent: bool) -> bool:
        if self.architecture in _RECURRENT:
            return False
        shared = self.number("attention.shared_kv_layers")
        own = (
            _OWN_CACHE_3N if self.architecture == "gemma3n" else self.number("block_count") - shared
        )
        if index >= own:
            return False
        if recurrent and self.architecture not in _BOTH:
            return False
        if self.architecture.startswith("nemotron_h") and index < self.trunk_blocks:
            return self._each("feed_forward_length", index, 0) == 0
        return True

    @cached_property
    def state_numbers(self) -> int:
        """Numbers that a recurrent block keeps for one user: of the convolution, and its state.

        llama.cpp: `n_embd_r` and `n_embd_s` in llama-hparams.cpp.
        """
        number, width = self.number, self.width
        if wkv := number("wkv.head_size"):
            return number("token_shift_count", 2) * width + width * wkv
        if short := number("shortconv.l_cache"):
            return width * (short - 1)
        heads = self._each("attention.head_count", 0, 0)
        kernel = number("ssm.conv_kernel")
        if kda := number("kda.head_dim"):
            return 3 * (kernel - 1 if kernel else 3) * heads * kda + kda * kda * heads
        inner, state = number("ssm.inner_size"), number("ssm.state_size")
        channels = inner + 2 * number("ssm.group_count") * state
        return max(kernel - 1, 0) * channels + state * inner
