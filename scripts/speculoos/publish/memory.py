"""What models need in memory: expected beside logged, and what fits into which card."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from speculoos.publish.tables import Table, labelled, made_table
from speculoos.publish.text import ABSENT, Language, number, percent
from speculoos.publish.words import label
from speculoos.record.footprint import Estimate, Model, Start, estimate, largest_context
from speculoos.record.footprint.ggml import TYPES, GgmlType
from speculoos.record.footprint.shapes import imagined
from speculoos.record.types.memory import LoggedMemory, LoggedStart, PublicModel, PublicModels

GIB, MIB = 2**30, 2**20
SHOWN_CONTEXT = 32768
N_MAX = 3
CACHE, COMPUTE = ("cache", "draft_cache"), ("compute", "draft_compute")
BITS = ("Q4_K", "Q5_K", "Q6_K", "Q8_0")
"""Types whose weights are shown beside each other."""
_COLUMNS = (
    ("weights_logged", ("weights",)),
    ("kv_cache", CACHE),
    ("compute_buffers", COMPUTE),
    ("all_buffers", ("cache", "draft_cache", "compute", "draft_compute", "output")),
)
_LEAST_MIB = 0.5
"""The log rounds to hundredths of a MiB: below this a deviation is mostly rounding."""


@dataclass(frozen=True)
class Memory:
    """Both files."""

    logged: LoggedMemory
    public: PublicModels


def logged_table(memory: Memory, language: Language) -> Table:
    """The largest deviation of each kind of buffer, by model, over all builds and settings."""
    heads = ("model", "build", "starts", *(name for name, _ in _COLUMNS))
    starts = sorted(memory.logged.starts, key=lambda start: start.model)
    rows = [
        _logged_row(name, tuple(found), language)
        for name, found in groupby(starts, key=lambda start: start.model)
    ]
    return labelled("memory_logged", heads, rows, language)


def _logged_row(name: str, starts: Sequence[LoggedStart], language: Language) -> list[str]:
    builds = ", ".join(sorted({start.build for start in starts}))
    worst = (_worst(starts, names, language) for _, names in _COLUMNS)
    return [name, builds, str(len(starts)), *worst]


def _worst(starts: Sequence[LoggedStart], names: Sequence[str], language: Language) -> str:
    """Of all starts; weights that were repacked are in the log twice and cannot be compared."""
    found = [s for s in starts if "weights" not in names or "repacked" not in s.logged]
    return _signed(max((_off(s, names) for s in found), key=abs), language) if found else ABSENT


def _off(start: LoggedStart, names: Iterable[str]) -> float:
    logged = sum(start.logged.get(name, 0) for name in names)
    predicted = sum(start.predicted.get(name, 0) for name in names)
    return (predicted - logged) / logged if logged >= _LEAST_MIB else 0.0


def _signed(share: float, language: Language) -> str:
    sign = "+" if share > 0 else "\N{MINUS SIGN}"
    return f"{sign if abs(share) >= 0.0005 else ''}{percent(abs(share), language, 1)}"  # noqa: PLR2004 - what one decimal shows


def dots(memory: Memory, names: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """Logged and expected MiB of these buffers together, for every start that has them."""
    sums = (
        tuple(sum(sizes.get(name, 0) for name in names) for sizes in (s.logged, s.predicted))
        for s in memory.logged.starts
    )
    return tuple((logged, expected) for logged, expected in sums if logged >= _LEAST_MIB)


def needs_table(memory: Memory, language: Language) -> Table:
    """Weights, cache, buffers and MTP's share of every model, with one context."""
    heads = (
        "model", "together", "weights", "kv_cache", "compute_buffers", "mtp_share", "beside",
    )  # fmt: skip
    rows = [_needs_row(model, language) for model in memory.public.models]
    return labelled("memory_needs", heads, rows, language)


def _needs_row(public: PublicModel, language: Language) -> list[str]:
    found = needs(public, SHOWN_CONTEXT, N_MAX)
    model = found.model
    kept = model.cache + model.states - found.snapshots
    speculation = number(found.speculation / GIB, language) if found.speculation else ABSENT
    return [
        f"{public.name}, {public.type}",
        number(found.card / GIB, language),
        number(model.weights / GIB, language),
        number(kept / GIB, language),
        number(model.compute / GIB, language),
        speculation,
        number(found.host / GIB, language),
    ]


def bits_table(memory: Memory, language: Language) -> Table:
    """Bytes of all weights, by type; a type that does not divide the rows gives none."""
    types = [each for name in BITS for each in TYPES.values() if each.name == name]
    heads = [label("model", language)]
    for each in types:
        bits = number(8 * each.size_bytes / each.block, language, 1)
        heads.append(f"{each.name}, {bits} {label('bits', language)}")
    rows = [
        [public.name, *(_weights(public, each, language) for each in types)]
        for public in memory.public.models
    ]
    return made_table(label("memory_bits", language), heads, rows)


def _weights(public: PublicModel, kind: GgmlType, language: Language) -> str:
    model = as_model(public, kind)
    matrices = [each for each in model.header.tensors if each.type is kind]
    if any(each.shape[0] % kind.block for each in matrices):
        return ABSENT
    return number(model.header.size_bytes / GIB, language, 1)


def shares_table(memory: Memory, language: Language) -> Table:
    """What a head takes: what others saw, then what the formula says of models with a head."""
    rows = [
        [
            f"{each.machine} ({label('memory_reported', language)})",
            str(each.n_max),
            number(each.mib, language, 0),
            ABSENT if each.more_mib is None else number(each.more_mib, language, 0),
        ]
        for each in memory.public.reported
    ]
    rows += [_share_row(model, language) for model in memory.public.models if _has_head(model)]
    heads = ("model", "n_max", "mtp_share_mib", "further_token_mib")
    return labelled("memory_shares", heads, rows, language)


def _has_head(public: PublicModel) -> bool:
    return bool(public.keys.get("nextn_predict_layers"))


def _share_row(public: PublicModel, language: Language) -> list[str]:
    one, two = (needs(public, SHOWN_CONTEXT, n_max).speculation / MIB for n_max in (1, 2))
    name = f"{public.name}, {public.type} ({label('memory_computed', language)})"
    return [name, "1", number(one, language, 0), number(two - one, language, 0)]


def cards_table(memory: Memory, language: Language) -> Table:
    """The longest context, in thousands of tokens, by card; with the head where there is one."""
    cards = memory.public.cards_gib
    rows = [
        [f"{public.name}, {public.type}", *(_longest(memory, public, card) for card in cards)]
        for public in memory.public.models
    ]
    unit = "Gio" if language == "fr" else "GiB"
    heads = [label("model", language), *(f"{card} {unit}" for card in cards)]
    return made_table(label("memory_cards", language), heads, rows)


def _longest(memory: Memory, public: PublicModel, card: int) -> str:
    found = longest(public.model_dump_json(), card - memory.public.keep_free_gib)
    return ABSENT if found is None else f"{found // 1024}k"


@cache
def longest(public: str, room_gib: float) -> int | None:
    """The longest context of a model, given as JSON, in so much memory."""
    known = PublicModel.model_validate_json(public)
    model = as_model(known)
    return largest_context(model, _start(model, SHOWN_CONTEXT, N_MAX), int(room_gib * GIB))


def needs(public: PublicModel, context: int, n_max: int) -> Estimate:
    """What a public model needs, drafting with its head where it has one."""
    model = as_model(public)
    return estimate(model, _start(model, context, n_max))


def _start(model: Model, context: int, n_max: int) -> Start:
    mtp = bool(model.head_blocks)
    return Start(context, parallel=1, n_max=n_max if mtp else 0, mtp=mtp)


def as_model(public: PublicModel, kind: GgmlType | None = None) -> Model:
    """The model that its keys describe, all matrices in one type; else in its own."""
    found = kind or next(each for each in TYPES.values() if each.name == public.type)
    return imagined(
        public.architecture, public.keys, found, vocabulary=public.vocabulary, tied=public.tied
    )
