"""One pass of a model over a batch, as the server reserves memory for it when it starts."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from speculoos.record.footprint.allocator import Graph, Node, buffer_bytes
from speculoos.record.footprint.layers import F16, F32, I32, I64, Inputs, Layer
from speculoos.record.footprint.recurrent import Recurrent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from speculoos.record.footprint.model import Block, Model


@dataclass(frozen=True)
class Batch:
    """What a pass is reserved for."""

    tokens: int
    outputs: int
    """Tokens whose probabilities are computed."""
    users: int
    cells: int
    """Of the cache that sees everything, for one user."""
    window_cells: int
    quantised: tuple[bool, bool] = (False, False)
    """Whether keys and values are kept quantised."""
    mixed: bool = False
    """Whether the build takes tokens and embeddings in one batch, as b11434 does."""
    kept_states: int = 0
    """Recurrent states beside the last one, for a draft to go back to."""
    wide: tuple[bool, bool] = (False, False)
    """Whether keys and values are kept in F32, which flash attention reads as F16."""
    gate_viewed: bool = False
    """Whether the gate of the attention is a view, so that nothing is written over it."""
    flash_attn: bool = True
    streams: int = 1
    """Caches beside each other."""


def compute_bytes(model: "Model", batch: Batch, *, head: bool) -> int:
    """Bytes of the compute buffer of the model, or of its MTP head's own context.

    A rough figure where the model's blocks hold other tensors than those known here.
    """
    found = _Pass(model, batch)
    try:
        return buffer_bytes(found.head() if head else found.trunk())
    except KeyError:
        return rough_bytes(model, batch)


def is_known(model: "Model") -> bool:
    """Whether the operations of the model's blocks are known by their tensors."""
    try:
        _Pass(model, Batch(1, 1, 1, 1, 1)).trunk()
    except KeyError:
        return False
    return True


def rough_bytes(model: "Model", batch: Batch) -> int:
    """Hidden state twice, the widest layer three times, the mask, and the probabilities."""
    wide = max(model.number("feed_forward_length"), 2 * model.width, model.number("ssm.inner_size"))
    numbers = batch.tokens * (2 * model.width + 3 * wide) + model.vocabulary * batch.outputs
    return numbers * F32 + batch.cells * batch.tokens * F16


_KEEPS_ALL = frozenset({
    "bailingmoe3", "glm5-next", "hy_v3", "qwen35", "qwen35moe", "qwen3next", "qwen4exp", "step35",
})  # fmt: skip
"""Their last block is computed for every token: an MTP head may want all hidden states."""


_SECTIONS = 4
"""Positions of a token where it is turned in sections, as with pictures."""
_SIDE = 64
"""Of the smallest matrix that turns keys or values."""


class _Pass:
    def __init__(self, model: "Model", batch: Batch) -> None:
        self.model, self.batch, self.graph = model, batch, Graph()
        self.row = model.width * F32
        self.width = self.row * batch.tokens

    def trunk(self) -> Graph:
        graph, blocks = self.graph, self.model.blocks[: self.model.trunk_blocks]
        tokens = graph.input(self.batch.tokens * I32)
        graph.input(self.width)  # a batch may bring embeddings instead of tokens
        hidden = graph.op(self.width, tokens)
        if self.batch.mixed:
            self._mixed()
        if self.model.architecture.startswith("gemma"):
            hidden = graph.same(hidden)
        inputs = self._inputs(blocks)
        wanted = graph.input(self.batch.outputs * I32)
        for block in blocks:
            last = block is blocks[-1] and not self._keeps_all
            hidden = self._block(block, hidden, inputs, wanted if last else None)
        hidden = graph.same(graph.same(hidden))
        if self._keeps_all:
            hidden.output = True
            hidden = graph.op(self.row * self.batch.outputs, hidden, wanted)
        self._logits(hidden)
        return graph

    @property
    def _keeps_all(self) -> bool:
        return self.model.architecture in _KEEPS_ALL

    def _mixed(self) -> None:
        """Lay out the third way into a batch, tokens and embeddings together, though unused."""
        graph, batch = self.graph, self.batch
        tokens, rows = graph.input(batch.tokens * I32), graph.input(batch.tokens * I64)
        given = graph.input(self.width)
        found = graph.op(self.width, tokens)
        copied = graph.op(self.width, given)
        graph.set_rows(copied, found, rows)

    def head(self) -> Graph:
        graph, batch, block = self.graph, self.batch, self.model.blocks[-1]
        tokens, state = graph.input(batch.tokens * I32), graph.input(self.width)
        inputs = self._inputs([block])
        wanted = graph.input(batch.outputs * I32)
        chosen = graph.op(self.width, tokens)
        chosen = graph.same(graph.same(chosen))
        state = graph.same(graph.same(state))
        both = graph.op(2 * self.width, chosen, state)
        hidden = graph.op(self.width, both)
        hidden = self._block(block, hidden, inputs, None)
        rows = graph.op(self.row * batch.outputs, hidden, wanted)
        self._logits(graph.same(graph.same(rows)))
        return graph

    def _inputs(self, blocks: "Sequence[Block]") -> dict[bool, Inputs]:
        graph, batch = self.graph, self.batch
        each = _SECTIONS if self.model.header.key("rope.dimension_sections") else 1
        positions = graph.input(batch.tokens * each * I32)
        found = {}
        for window in sorted({block.window for block in blocks if block.caches}):
            cells = batch.window_cells if window else batch.cells
            rows = graph.input(batch.tokens * I64)
            value_rows = graph.input(batch.tokens * self._numbers_of_a_value * I64)
            mask = graph.input(cells * batch.tokens * (F16 if batch.flash_attn else F32))
            scores = 0 if batch.flash_attn else cells
            rotation = self._rotation([b for b in blocks if b.window == window])
            found[window] = Inputs(
                positions,
                rows,
                value_rows,
                mask,
                rotation,
                scores=scores,
                streams=batch.streams,
                copied=cells * batch.streams if batch.flash_attn else 0,
                wide=batch.wide,
                gate_viewed=batch.gate_viewed,
            )
        if any(block.recurrent for block in blocks):
            states = graph.input(batch.users * I32)
            empty = Inputs(positions, positions, positions, positions)
            found[False] = replace(found.get(False, empty), states=states)
        return found

    @property
    def _numbers_of_a_value(self) -> int:
        """Without flash attention values are kept turned, each number in a row of its own."""
        rows = (block.value_row for block in self.model.blocks)
        return 1 if self.batch.flash_attn else max(rows, default=1)

    def _rotation(self, blocks: "Sequence[Block]") -> tuple[Node | None, Node | None]:
        """Matrices that turn keys and values, each kind where it is kept quantised."""
        keys, values = self.batch.quantised
        own = [block for block in blocks if block.caches]
        lengths = {block.key_length for block in own}
        side = 0
        if keys and own and not own[0].key_length % _SIDE and len(lengths) == 1:
            side = own[0].key_length & -own[0].key_length
        turn_values = values and own and not own[0].value_length % _SIDE
        return self._matrix(side), self._matrix(_SIDE if turn_values else 0)

    def _matrix(self, side: int) -> Node | None:
        return self.graph.input(side * side * F32) if side else None

    def _block(
        self, block: "Block", hidden: Node, inputs: dict[bool, Inputs], wanted: Node | None
    ) -> Node:
        graph, batch = self.graph, self.batch
        layer = Layer(graph, self.model, block, batch.tokens)
        tokens, before = batch.tokens, hidden
        normed = layer.norm(hidden, "attn_norm")
        own = inputs.get(block.window) or next(iter(inputs.values()))
        if block.recurrent:
            mixed = Recurrent(layer, batch.users, batch.kept_states).mix(normed, own)
        else:
            mixed = layer.attention(normed, own)
        if wanted is not None:
            tokens = batch.outputs
            mixed, before = layer.reduced(mixed, before, rows=tokens, ids=wanted)
        if layer.has("ffn_norm.weight") or self.model.architecture == "olmo2":
            mixed = layer.norm(mixed, "post_attention_norm")
        middle = graph.same(mixed, before)
        normed = layer.norm(middle, "ffn_norm", "post_attention_norm")
        result = layer.norm(layer.feed_forward(normed, tokens), "post_ffw_norm")
        return graph.same(result, middle)

    def _logits(self, hidden: Node) -> None:
        hidden.output = True
        size = self.model.vocabulary * self.batch.outputs * F32
        self.graph.op(size, hidden).output = True
