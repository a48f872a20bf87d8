"""How llama.cpp lays the tensors of one pass into a compute buffer, replayed.

A tensor lives from the operation that makes it to the last one that reads it; a free place is
used again, the smallest that is large enough. Source: `ggml-alloc.c` of b11434.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    """A tensor of the graph: an input, the result of an operation, or a view of another one."""

    size: int
    sources: tuple["Node", ...] = ()
    root: "Node | None" = None
    """What a view shows."""
    in_place: bool = False
    """Whether the operation may write over what it reads."""
    output: bool = False
    children: int = field(default=0, init=False)
    views: int = field(default=0, init=False)
    at: int | None = field(default=None, init=False)


class Graph:
    """Inputs, and operations in the order in which they are computed; sizes in bytes."""

    def __init__(self) -> None:
        self.inputs: list[Node] = []
        self.nodes: list[Node] = []

    def input(self, size: int) -> Node:
        """What is written before the pass begins."""
        self.inputs.append(Node(size))
        return self.inputs[-1]

    def op(self, size: int, *sources: Node, in_place: bool = False) -> Node:
        """The result of an operation."""
        return self._add(Node(size, sources, in_place=in_place))

    def same(self, *sources: Node) -> Node:
        """An operation that may write its result over the first source that nothing else reads."""
        return self.op(max(source.size for source in sources), *sources, in_place=True)

    def view(self, of: Node) -> Node:
        """The same numbers in another shape."""
        return self._add(Node(of.size, (of,), root=of.root or of))

    def set_rows(self, into: Node, *sources: Node) -> Node:
        """Write rows into `into`: the result is a view of it."""
        return self._add(Node(into.size, (*sources, into), root=into.root or into))

    def use(self, *sources: Node) -> None:
        """Write something into memory outside of the buffer, as the cache is."""
        self._add(Node(0, sources))

    def _add(self, node: Node) -> Node:
        self.nodes.append(node)
        return node


def buffer_bytes(graph: Graph, alignment: int = 32) -> int:
    """Bytes of the buffer that the pass needs; the alignment is that of CPU memory."""
    place = _Places(alignment)
    for node in graph.inputs:
        node.at = place.take(node.size)
    for node in graph.nodes:
        if node.root is not None:
            node.root.views += 1
        for source in node.sources:
            source.children += 1
    for node in graph.nodes:
        _allocate(node, place)
        for source in node.sources:
            source.children -= 1
            _free_unused(source, place)
    return place.end


def _allocate(node: Node, place: "_Places") -> None:
    if node.root is not None or not node.size:
        return
    parent = next(_reusable(node), None) if node.in_place else None
    if parent is None:
        node.at = place.take(node.size)
    else:
        node.at, parent.at = parent.at, None


def _reusable(node: Node) -> Iterator[Node]:
    for parent in node.sources:
        owned = parent.root is None and parent.at is not None and not parent.output
        if owned and parent.size == node.size and (parent.children, parent.views) == (1, 0):
            yield parent


def _free_unused(node: Node, place: "_Places") -> None:
    if node.children or node.views:
        return
    owner = node
    if node.root is not None:
        owner = node.root
        owner.views -= 1
    if not owner.views and not owner.children and owner.at is not None and not owner.output:
        place.give(owner.at, owner.size)
        owner.at = None


class _Places:
    """Free places below the end of the buffer, by address; behind the last one it may grow."""

    def __init__(self, alignment: int) -> None:
        self.alignment = alignment
        self.free: list[tuple[int, int]] = []
        self.tail, self.end = 0, 0

    def take(self, size: int) -> int:
        size = self._aligned(size)
        fitting = [place for place in self.free if place[1] >= size]
        if fitting:
            at, room = min(fitting, key=lambda place: (place[1], -place[0]))
            self.free.remove((at, room))
            if room > size:
                self._insert(at + size, room - size)
            return at
        at = self.tail
        self.tail += size
        self.end = max(self.end, self.tail)
        return at

    def give(self, at: int, size: int) -> None:
        self._insert(at, self._aligned(size))

    def _insert(self, at: int, size: int) -> None:
        merged: list[tuple[int, int]] = []
        for start, room in sorted([*self.free, (at, size)]):
            if merged and sum(merged[-1]) == start:
                merged[-1] = (merged[-1][0], merged[-1][1] + room)
            else:
                merged.append((start, room))
        if merged and sum(merged[-1]) == self.tail:
            self.tail = merged.pop()[0]
        self.free = merged

    def _aligned(self, size: int) -> int:
        return -(-size // self.alignment) * self.alignment
