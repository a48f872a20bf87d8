"""The operations of a block, as llama.cpp's graphs have them, told by the tensors that it holds.

Source: `llama-graph.cpp` and `src/models/*.cpp` of b11434. A file says by its tensors' names which
of them it uses: fused or separate projections, norms before and after, experts, a compressed cache.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from speculoos.record.footprint.allocator import Graph, Node
from speculoos.record.footprint.model import Block, Model

F32, I32, I64, F16 = 4, 4, 8, 2


@dataclass(frozen=True)
class Inputs:
    """What every block reads besides its hidden state."""

    positions: Node
    rows: Node
    """Where the new keys go."""
    value_rows: Node
    mask: Node
    rotation: tuple[Node | None, Node | None] = (None, None)
    """Matrices that turn keys, and values, before they are quantised."""
    states: Node | None = None
    scores: int = 0
    """Cells whose scores are written down, without flash attention; 0 with it."""
    streams: int = 1
    copied: int = 0
    """Cells that flash attention reads, in all streams."""
    wide: tuple[bool, bool] = (False, False)
    gate_viewed: bool = False


class Layer:
    """Adds the operations of one block to a graph."""

    def __init__(self, graph: Graph, model: Model, block: Block, tokens: int) -> None:
        self.graph, self.model, self.block, self.tokens = graph, model, block, tokens

    def has(self, name: str) -> bool:
        """Whether the block holds such a tensor."""
        return f"blk.{self.block.index}.{name}" in self.model.tensors

    def rows(self, name: str) -> int:
        """Numbers that a product with this weight gives for each token."""
        return self.model.tensors[f"blk.{self.block.index}.{name}.weight"].shape[1]

    def floats(self, numbers: int, tokens: int | None = None) -> int:
        """Bytes of so many numbers for each token."""
        return numbers * (self.tokens if tokens is None else tokens) * F32

    def product(self, name: str, of: Node, tokens: int | None = None) -> Node:
        """`of` times a weight, with its bias."""
        node = self.graph.op(self.floats(self.rows(name), tokens), of)
        return self.graph.same(node) if self.has(f"{name}.bias") else node

    def norm(self, of: Node, *names: str) -> Node:
        """Normalised and weighted, where the block holds one of these weights."""
        found = next((name for name in names if self.has(f"{name}.weight")), None)
        if found is None:
            return of
        graph = self.graph
        if self.has(f"{found}.bias"):
            return graph.same(graph.same(graph.op(of.size, of)))
        return graph.same(graph.same(of))

    def reduced(self, *nodes: Node, rows: int, ids: Node) -> Iterable[Node]:
        """Only those rows that are asked for at the end."""
        for node in nodes:
            yield self.graph.op(node.size // self.tokens * rows, node, ids)

    # attention

    def attention(self, of: Node, inputs: Inputs) -> Node:
        """From the normalised hidden state to the product with the output weight."""
        if self.model.compressed and self.has("attn_kv_a_mqa.weight"):
            return self._compressed(of, inputs)
        graph = self.graph
        wide, query, key, value = self._projections(of, inputs)
        mixed = graph.view(self._mix(query, key, value, inputs))
        gate = self._gate(of, wide, mixed.size)
        if gate is not None:
            over = not inputs.gate_viewed
            mixed = graph.op(mixed.size, mixed, graph.same(gate), in_place=over)
        return self.product("attn_output", mixed)

    def _gate(self, of: Node, wide: Node, size: int) -> Node | None:
        if self.has("attn_gate.weight"):
            return self.product("attn_gate", of)
        if wide.size == 2 * size:
            return self.graph.op(size, self.graph.view(wide))
        return None

    def _projections(self, of: Node, inputs: Inputs) -> tuple[Node, Node, Node, Node]:
        graph = self.graph
        if self.has("attn_qkv.weight"):
            fused = self.product("attn_qkv", of)
            parts = [graph.view(fused) for _ in range(3)]
            query = self._turned(parts[0], "q", inputs)
            value = self._rotated(parts[2], inputs.rotation[1])
            return query, query, self._turned(parts[1], "k", inputs), value
        wide = self.product("attn_q", of)
        query = self._turned(graph.view(wide), "q", inputs)
        value = self._rotated(self._values(of), inputs.rotation[1])
        key = self._turned(graph.view(self.product("attn_k", of)), "k", inputs)
        return wide, query, key, value

    def _values(self, of: Node) -> Node:
        name = "attn_v" if self.has("attn_v.weight") else "attn_k"
        return self.graph.view(self.product(name, of))

    def _turned(self, part: Node, kind: str, inputs: Inputs) -> Node:
        heads = self.block.heads if kind == "q" else self.block.heads_kv
        size = self.floats(heads * self.block.key_length)
        if self.has(f"attn_{kind}_norm.weight"):
            part = self.graph.same(self.graph.op(size, part))
        turned = self.graph.op(size, part, inputs.positions, in_place=True)
        return self._rotated(turned, inputs.rotation[0])

    def _mix(self, query: Node, key: Node, value: Node, inputs: Inputs) -> Node:
        graph, block = self.graph, self.block
        if block.caches:
            graph.use(graph.view(key), inputs.rows)
            graph.use(graph.view(self._turned_value(value, inputs)), inputs.value_rows)
        shown = graph.view(graph.view(query))
        size = self.floats(block.heads * block.value_length)
        if inputs.scores:
            mixed = graph.op(size, graph.view(graph.op(size, self._scores(shown, inputs))))
        else:
            mixed = graph.op(size, shown, *self._narrowed(inputs), inputs.mask)
        return self._rotated(mixed, inputs.rotation[1])

    def _narrowed(self, inputs: Inputs) -> Iterable[Node]:
        """Copies in F16 of keys and values that are kept in F32."""
        rows = (self.block.key_row, self.block.value_row)
        for wide, row in zip(inputs.wide, rows, strict=True):
            if wide:
                yield self.graph.op(row * inputs.copied * F16)

    def _turned_value(self, value: Node, inputs: Inputs) -> Node:
        if inputs.scores and self.has("attn_qkv.weight"):
            return self.graph.op(self.floats(self.block.value_row), value)
        return value

    def _scores(self, query: Node, inputs: Inputs) -> Node:
        """One number for each head, token and cell, then their softmax in the same place."""
        size = self.floats(self.block.heads * inputs.scores)
        scores = self.graph.op(size, query)
        return self.graph.op(size, scores, inputs.mask, in_place=True)

    def _rotated(self, node: Node, matrix: Node | None) -> Node:
        """Turned once more, by a matrix, before it is quantised; as it is without one."""
        graph = self.graph
        if matrix is None:
            return node
        return graph.view(graph.op(node.size, graph.view(node), matrix))

    def _compressed(self, of: Node, inputs: Inputs) -> Node:
        """Keys and values as one row for all heads (MLA), the weights absorbed."""
        graph, block, model = self.graph, self.block, self.model
        rank = model.number("attention.kv_lora_rank")
        turn = model.number("rope.dimension_count")
        wide = of
        if self.has("attn_q_a.weight"):
            low = graph.same(graph.same(self.product("attn_q_a", of)))
            wide = self.product("attn_q_b", low)
        else:
            wide = self.product("attn_q", of)
        plain, turned = graph.view(wide), graph.view(wide)
        row = self.product("attn_kv_a_mqa", of)
        short, turned_key = graph.view(row), graph.view(row)
        turned = graph.op(self.floats(block.heads * turn), turned, inputs.positions)
        turned_key = graph.op(self.floats(turn), turned_key, inputs.positions)
        short = graph.same(graph.op(self.floats(rank), short))
        absorbed = graph.view(graph.op(self.floats(block.heads * rank), graph.view(plain)))
        query = graph.op(self.floats(block.heads * (rank + turn)), absorbed, turned)
        key = graph.op(self.floats(rank + turn), graph.view(short), turned_key)
        graph.use(graph.view(key), inputs.rows)
        shown = graph.view(graph.view(query))
        read = inputs.mask
        if inputs.scores:
            turned_values = graph.op(rank * inputs.scores * F16 * inputs.streams)
            read = self._scores(shown, inputs)
            shown = turned_values
        mixed = graph.op(self.floats(block.heads * rank), shown, read)
        values = model.number("attention.value_length_mla")
        out = graph.op(self.floats(block.heads * values), graph.view(mixed))
        out = graph.view(graph.op(out.size, graph.view(out)))
        return self.product("attn_output", out)

    # feed-forward

    def feed_forward(self, of: Node, tokens: int) -> Node:
        """From the normalised hidden state to the result, dense or with experts."""
        if not self.has("ffn_gate_inp.weight"):
            return self._dense(of, tokens, "")
        mixed = self._experts(of, tokens)
        if self.has("ffn_up_shexp.weight"):
            shared = self._dense(of, tokens, "_shexp")
            if self.has("ffn_gate_inp_shexp.weight"):
                gate = self.graph.same(self.graph.op(self.floats(1, tokens), of))
                shared = self.graph.same(shared, gate)
            mixed = self.graph.same(mixed, shared)
        return mixed

    def _dense(self, of: Node, tokens: int, suffix: str) -> Node:
        graph = self.graph
        if self.has(f"ffn_gate{suffix}.weight"):
            gate = self.product(f"ffn_gate{suffix}", of, tokens)
            up = self.product(f"ffn_up{suffix}", of, tokens)
            hidden = graph.op(up.size, gate, up)
        else:
            hidden = self.product(f"ffn_up{suffix}", of, tokens)
            down = self.model.tensors[f"blk.{self.block.index}.ffn_down{suffix}.weight"].shape[0]
            if down * 2 == self.rows(f"ffn_up{suffix}"):
                hidden = graph.op(hidden.size // 2, hidden)
            else:
                hidden = graph.same(hidden)
        return self.product(f"ffn_down{suffix}", hidden, tokens)

    def _experts(self, of: Node, tokens: int) -> Node:
        graph, used = self.graph, self.model.number("expert_used_count")
        probabilities = graph.same(self.product("ffn_gate_inp", of, tokens))
        chosen_by = probabilities
        if self.has("exp_probs_b.bias"):
            chosen_by = graph.same(probabilities)
        shown = graph.view(probabilities)
        chosen = graph.view(graph.op(probabilities.size, chosen_by))
        weights = graph.op(self.floats(used, tokens), shown, chosen)
        total = graph.same(graph.op(self.floats(1, tokens), graph.view(weights)))
        weights = graph.view(graph.op(weights.size, graph.view(weights), total))
        hidden = self._expert_hidden(graph.view(of), chosen, tokens * used)
        result = graph.op(self.floats(self.model.width, tokens * used), hidden, chosen)
        if self.has("ffn_down_exps.bias"):
            result = graph.same(result)
        return self._summed(graph.same(result, weights), used, tokens)

    def _expert_hidden(self, of: Node, chosen: Node, rows: int) -> Node:
        graph = self.graph
        if self.has("ffn_gate_up_exps.weight"):
            both = graph.op(self.floats(self.rows("ffn_gate_up_exps"), rows), of, chosen)
            gate, up = graph.view(both), graph.view(both)
            return graph.op(both.size // 2, gate, up)
        size = self.floats(self.rows("ffn_up_exps"), rows)
        parts = [graph.op(size, of, chosen) for _ in "gu"]
        if self.has("ffn_up_exps.bias"):
            parts = [graph.same(part) for part in parts]
        return graph.op(size, *parts)

    def _summed(self, result: Node, used: int, tokens: int) -> Node:
        graph, size = self.graph, self.floats(self.model.width, tokens)
        views = [graph.view(result) for _ in range(used)]
        total = graph.op(size, *views[:2])
        for view in views[2:]:
            total = graph.op(size, total, view, in_place=True)
        return total
