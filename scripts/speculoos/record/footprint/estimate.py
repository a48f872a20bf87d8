"""What one model needs in memory, on a graphics card and beside it, before it is started."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from speculoos.record.footprint.cache import Room, cache_bytes, padded, state_bytes
from speculoos.record.footprint.ggml import CACHE_TYPES
from speculoos.record.footprint.header import TensorInfo
from speculoos.record.footprint.model import ROLLBACK, Block, Model
from speculoos.record.footprint.passes import Batch, compute_bytes

Place = Literal["card", "host"]

USERS_BY_DEFAULT = 4
"""llama-server's own choice where `--parallel` is not given; they share one cache."""
EVERYTHING = 10**6
NEWEST = 11434
"""Build that was read and compared last."""
_LAST_UNMIXED = 10434
"""Last build compared that reserves nothing for batches of tokens and embeddings together."""
_EARLY = 10068
"""Last build compared that loads an MTP head though nothing drafts with it, and whose qwen3next
shows the gate of its attention through a view."""
_HEAD_WITHOUT_GRAPH = frozenset({"glm4moe"})
"""Up to the last build compared before b11434 their head is in the file and in no graph."""
_ON_HOST = ("token_embd.", "per_layer_token_embd.", "token_types.", "position_embd.")
"""Read row by row, so llama.cpp leaves them in the machine's memory."""
_FLOAT, _HALF = 4, 2
_STEP = 256


@dataclass(frozen=True)
class Start:
    """How a server is to be started; the defaults are its own."""

    context: int
    parallel: int | None = None
    batch: int = 2048
    ubatch: int = 512
    key_type: str = "f16"
    value_type: str = "f16"
    n_max: int = 0
    """Draft tokens at most; 0 without speculation."""
    mtp: bool = False
    build: int = NEWEST
    gpu_layers: int = EVERYTHING
    cpu_moe: int = 0
    """Blocks, from the first, whose experts stay in the machine's memory."""
    kv_unified: bool | None = None
    """One cache that all users share; None: only where `parallel` is not given."""
    swa_full: bool = False
    flash_attn: bool = True

    @property
    def users(self) -> int:
        """Slots of the server."""
        return self.parallel or USERS_BY_DEFAULT

    @property
    def room(self) -> Room:
        """The cache of the model."""
        return Room(
            self.context,
            self.users,
            self.users == 1 or self.unified,
            min(self.ubatch, self.batch, self.context),
            CACHE_TYPES[self.key_type],
            CACHE_TYPES[self.value_type],
            self.swa_full,
        )

    @property
    def unified(self) -> bool:
        """Whether all users share one cache; where their number is left open, always."""
        return self.parallel is None or bool(self.kv_unified)

    @property
    def draft_room(self) -> Room:
        """The cache of a draft: as long, and F16 whatever `--cache-type-k` says."""
        f16 = CACHE_TYPES["f16"]
        return replace(self.room, key_type=f16, value_type=f16)


@dataclass(frozen=True)
class Needs:
    """Bytes of one context: of the model, or of what drafts for it."""

    weights: int = 0
    cache: int = 0
    states: int = 0
    compute: int = 0
    host_weights: int = 0
    host_cache: int = 0
    host_compute: int = 0

    @property
    def card(self) -> int:
        """Bytes on graphics cards."""
        return self.weights + self.cache + self.states + self.compute

    @property
    def host(self) -> int:
        """Bytes in the machine's memory."""
        return self.host_weights + self.host_cache + self.host_compute


@dataclass(frozen=True)
class Estimate:
    """The model, and what drafts for it."""

    model: Needs
    draft: Needs = Needs()
    snapshots: int = 0
    """Of the model's states: those that are kept only because something drafts."""

    @property
    def card(self) -> int:
        """Bytes on graphics cards."""
        return self.model.card + self.draft.card

    @property
    def host(self) -> int:
        """Bytes in the machine's memory."""
        return self.model.host + self.draft.host

    @property
    def speculation(self) -> int:
        """Bytes on graphics cards that would be free without speculation."""
        return self.draft.card + self.snapshots


def estimate(model: Model, start: Start, draft: Model | None = None) -> Estimate:
    """What `model` needs, started so; `draft` is a second file that drafts for it."""
    drafts = draft if draft is not None else model if start.mtp else None
    kept = start.n_max if model.architecture in ROLLBACK and start.n_max else 0
    trunk = _Side(model, start, start.room, head=False, kept=kept)
    needs = trunk.needs()
    snapshots = needs.states - needs.states // (1 + kept)
    if drafts is None:
        return Estimate(needs)
    head = start.mtp and bool(drafts.head_blocks)
    plain = replace(start, n_max=0)
    side = _Side(drafts, plain, start.draft_room, head=head, kept=0)
    return Estimate(needs, side.needs(own_file=draft is not None), snapshots)


class _Side:
    """One context of a server: that of the model, or that of its draft."""

    def __init__(self, model: Model, start: Start, room: Room, *, head: bool, kept: int) -> None:
        self.model, self.start, self.room, self.head, self.kept = model, start, room, head, kept
        count = model.trunk_blocks
        self.first_on_card = max(model.number("block_count") + 1 - start.gpu_layers, 0)
        self.blocks = model.blocks[count:] if head else model.blocks[:count]

    def needs(self, *, own_file: bool = True) -> Needs:
        on_card, on_host = self._weights(own_file=own_file)
        card_blocks = [b for b in self.blocks if b.index >= self.first_on_card]
        host_blocks = [b for b in self.blocks if b.index < self.first_on_card]
        compute = compute_bytes(self.model, self._batch(), head=self.head)
        has_card = self.start.gpu_layers > 0
        return Needs(
            weights=on_card,
            cache=cache_bytes(self.model, card_blocks, self.room),
            states=self._states(card_blocks),
            compute=compute if has_card else 0,
            host_weights=on_host,
            host_cache=cache_bytes(self.model, host_blocks, self.room) + self._states(host_blocks),
            host_compute=self._outputs() + (self._inputs() if has_card else compute),
        )

    def _weights(self, *, own_file: bool) -> tuple[int, int]:
        places: dict[Place, int] = {"card": 0, "host": 0}
        for tensor in self._tensors(own_file=own_file):
            places[self._place(tensor)] += tensor.size_bytes
        if own_file and "output.weight" not in self.model.tensors and self.start.gpu_layers:
            tied = self.model.tensors.get("token_embd.weight")
            places["card"] += tied.size_bytes if tied else 0  # once more
        return places["card"], places["host"]

    def _tensors(self, *, own_file: bool) -> Iterable[TensorInfo]:
        first, whole = self.model.trunk_blocks, self.head or self._loads_head
        for tensor in self.model.header.tensors:
            index = _block_of(tensor)
            in_head = index is not None and index >= first
            if in_head if self.head and not own_file else whole or not in_head:
                yield tensor

    @property
    def _loads_head(self) -> bool:
        old = self.start.build <= _EARLY
        return old and not self.start.mtp and self.model.architecture not in _HEAD_WITHOUT_GRAPH

    def _place(self, tensor: TensorInfo) -> Place:
        if tensor.name.startswith(_ON_HOST):
            return "host"
        index = _block_of(tensor)
        if index is None:
            index = self.model.number("block_count")
        expert = "_exps." in tensor.name and index < self.start.cpu_moe
        return "card" if index >= self.first_on_card and not expert else "host"

    def _states(self, blocks: Iterable[Block]) -> int:
        return state_bytes(self.model, blocks, self.start.users, self.kept)

    def _batch(self) -> Batch:
        users, room = self.start.users, self.room
        tokens = -(-min(room.batch, room.total) // users) * users
        return Batch(
            tokens=tokens,
            outputs=min(tokens, users * (1 + self.start.n_max)),
            users=users,
            cells=room.cells,
            window_cells=room.window_cells(self.model.window),
            quantised=(room.key_type.block > 1, room.value_type.block > 1),
            mixed=self.start.build > _LAST_UNMIXED,
            kept_states=self.kept,
            flash_attn=self.start.flash_attn,
            streams=room.streams,
            gate_viewed=self.start.build <= _EARLY and self.model.architecture == "qwen3next",
            wide=(room.key_type.name == "F32", room.value_type.name == "F32"),
        )

    def _outputs(self) -> int:
        return self.model.vocabulary * self.start.users * _FLOAT

    def _inputs(self) -> int:
        """What is prepared beside the card and copied there: embeddings and masks."""
        batch = self._batch()
        windows = {block.window for block in self.blocks if block.caches}
        cells = sum(batch.window_cells if window else batch.cells for window in windows)
        each = _HALF if batch.flash_attn else _FLOAT
        return batch.tokens * (self.model.width * _FLOAT * 2 + cells * each)


def lacks_head_graph(model: Model, build: int) -> bool:
    """Whether the build has no graph for the MTP head of this architecture."""
    return bool(
        model.head_blocks and build <= _LAST_UNMIXED and model.architecture in _HEAD_WITHOUT_GRAPH
    )


def _block_of(tensor: TensorInfo) -> int | None:
    parts = tensor.name.split(".")
    numbered = parts[0] == "blk" and len(parts) > 1 and parts[1].isdecimal()
    return int(parts[1]) if numbered else None


def largest_context(
    model: Model, start: Start, bytes_free: int, draft: Model | None = None
) -> int | None:
    """The longest context, in steps of 256, with which it fits; None where none does."""

    def over(steps: int) -> int:
        return estimate(model, replace(start, context=steps * _STEP), draft).card - bytes_free

    most = model.trained_context * (1 if start.room.unified else start.users)
    low, high = 1, max(padded(most) // _STEP, 1)
    under, above = over(low), over(high)
    if above <= 0:
        return high * _STEP
    if under > 0:
        return None
    halve = False
    while high - low > 1:  # `low` fits and `high` does not; between them it is nearly a line
        share = 0.5 if halve else -under / (above - under)
        middle = min(max(low + round(share * (high - low)), low + 1), high - 1)
        found = over(middle)
        low, under, high, above = (
            (middle, found, high, above) if found <= 0 else (low, under, middle, found)
        )
        halve = not halve
    return low * _STEP
