"""The operations of a block that keeps a state instead of keys and values.

Source: `delta-net-base.cpp` and `qwen35.cpp` of b11434; other recurrent blocks are taken as alike.
"""

from speculoos.record.footprint.allocator import Node
from speculoos.record.footprint.layers import F32, Inputs, Layer


class Recurrent:
    """A gated delta net: convolution over the last tokens, then one step of the state for each."""

    def __init__(self, layer: Layer, users: int, kept: int) -> None:
        self.layer, self.users, self.kept = layer, users, kept
        number = layer.model.number
        self.inner, self.state = number("ssm.inner_size"), number("ssm.state_size")
        self.groups, self.kernel = number("ssm.group_count"), number("ssm.conv_kernel")
        self.heads = number("ssm.time_step_rank")
        self.channels = self.inner + 2 * self.groups * self.state

    def mix(self, of: Node, inputs: Inputs) -> Node:
        """From the normalised hidden state to the product with the output weight."""
        layer, graph = self.layer, self.layer.graph
        memory = self._states(inputs, self.channels * (self.kernel - 1))
        mixed = layer.product("attn_qkv", of)
        joined = graph.op(
            (self.kernel - 1 + layer.tokens) * self.channels * F32,
            graph.view(memory),
            graph.view(graph.view(mixed)),
        )
        for _ in range(1 + self.kept):
            graph.use(graph.view(joined))
        state = self._states(inputs, self.state * self.inner)
        convolved = graph.same(graph.op(layer.floats(self.channels), joined))
        query, key = (self._normed(graph.view(convolved)) for _ in "qk")
        value = graph.view(convolved)
        decay, beta = self._gate(of), self._gate(of)
        steps = layer.floats(self.inner) + self._kept_bytes()
        stepped = graph.op(steps, query, key, value, decay, beta, graph.view(state))
        out = graph.view(stepped)
        graph.use(graph.view(stepped))
        normed = graph.same(graph.op(layer.floats(self.inner), out))
        gate = graph.op(layer.floats(self.inner), graph.view(layer.product("attn_gate", of)))
        return graph.view(layer.product("ssm_out", graph.view(graph.same(normed, gate))))

    def _normed(self, view: Node) -> Node:
        graph, size = self.layer.graph, self.layer.floats(self.groups * self.state)
        normed = graph.same(graph.op(size, view))
        if self.layer.has("ssm_ba.weight") and self.groups != self.heads:
            repeated = self.layer.floats(self.heads * self.state)
            return graph.view(graph.op(repeated, graph.view(normed)))
        return normed

    def _gate(self, of: Node) -> Node:
        graph = self.layer.graph
        size = self.layer.floats(self.heads)
        return graph.view(graph.same(graph.op(size, graph.view(graph.op(size, of)))))

    def _states(self, inputs: Inputs, numbers: int) -> Node:
        graph = self.layer.graph
        gathered = graph.op(numbers * self.users * F32, *([inputs.states] if inputs.states else []))
        return graph.view(gathered)

    def _kept_bytes(self) -> int:
        return (1 + self.kept) * self.state * self.inner * self.users * F32
