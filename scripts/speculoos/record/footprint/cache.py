"""What a server keeps of the text: keys and values of every token, and recurrent states.

Sources: `llama-kv-cache.cpp`, `llama-kv-cache-iswa.cpp` and `llama-memory-recurrent.cpp` of b11434.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from speculoos.record.footprint.ggml import CACHE_TYPES, GgmlType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from speculoos.record.footprint.model import Block, Model

_STEP = 256
_STATE_BYTES = 4


def padded(tokens: int) -> int:
    """To the next multiple of 256, as llama.cpp rounds a context."""
    return -(-tokens // _STEP) * _STEP


@dataclass(frozen=True)
class Room:
    """How much text is kept: for how many users, and in which types."""

    context: int
    """Tokens of all users together, as `--ctx-size`."""
    users: int
    unified: bool
    """One cache that all users share, or one for each."""
    batch: int
    """Tokens of one pass at most, as `--ubatch-size`."""
    key_type: GgmlType = CACHE_TYPES["f16"]
    value_type: GgmlType = CACHE_TYPES["f16"]
    swa_full: bool = False
    """Whether blocks with a window keep everything all the same."""

    @property
    def cells(self) -> int:
        """Tokens for one user."""
        return padded(self.context if self.unified else padded(self.context) // self.users)

    @property
    def streams(self) -> int:
        """Caches beside each other."""
        return 1 if self.unified else self.users

    @property
    def total(self) -> int:
        """Tokens of all caches."""
        return self.cells * self.streams

    def window_cells(self, window: int) -> int:
        """Tokens for one user where a block sees no more than `window`."""
        if self.swa_full:
            return self.cells
        seen = window * (self.users if self.unified else 1) + self.batch
        return padded(min(self.cells, seen))


def cache_bytes(model: "Model", blocks: "Iterable[Block]", room: Room) -> int:
    """Bytes of the keys and values of these blocks."""
    return sum(_block_bytes(model, block, room) for block in blocks if block.caches)


def _block_bytes(model: "Model", block: "Block", room: Room) -> int:
    cells = room.window_cells(model.window) if block.window else room.cells
    row = room.key_type.bytes_of(block.key_row)
    if not model.compressed:
        row += room.value_type.bytes_of(block.value_row)
    if indexer := model.number("attention.indexer.key_length"):
        row += room.key_type.bytes_of(indexer) if block.index < model.trunk_blocks else 0
    return row * cells * room.streams


def state_bytes(model: "Model", blocks: "Iterable[Block]", users: int, kept: int) -> int:
    """Bytes of the recurrent states; `kept` more for every user, for a draft to go back to."""
    recurrent = sum(block.recurrent for block in blocks)
    return recurrent * model.state_numbers * _STATE_BYTES * users * (1 + kept)
