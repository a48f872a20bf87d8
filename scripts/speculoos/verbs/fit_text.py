"""How the needs of a model look in a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.table import Table

from speculoos.record.footprint import lacks_head_graph

if TYPE_CHECKING:
    from speculoos.record.footprint import Estimate
    from speculoos.verbs.fit import Fit

_GIB, _MIB = 2**30, 2**20


def size_text(size: int) -> str:
    """GiB with two decimals; MiB where it is less than one tenth of that."""
    return f"{size / _GIB:.2f} GiB" if size >= _GIB / 10 else f"{size / _MIB:.1f} MiB"


def estimate_table(needs: "Estimate", name: str) -> Table:
    """What lies on the card and what beside it: the model's part, and that of the draft."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name)
    table.add_column("card", justify="right")
    table.add_column("host", justify="right")
    model, draft = needs.model, needs.draft
    rows = [
        ("weights", model.weights, model.host_weights),
        ("KV cache", model.cache, model.host_cache),
        ("recurrent states", model.states, 0),
        ("compute buffers", model.compute, model.host_compute),
        ("draft: weights", draft.weights, draft.host_weights),
        ("draft: KV cache", draft.cache + draft.states, draft.host_cache),
        ("draft: compute buffers", draft.compute, draft.host_compute),
    ]
    for label, card, host in rows:
        if card or host:
            table.add_row(label, size_text(card), size_text(host))
    table.add_row("[bold]together[/]", size_text(needs.card), size_text(needs.host))
    return table


def sentences(fit: "Fit", *, known: bool) -> Iterator[str]:
    """The verdict, and what it does not count."""
    start = fit.start
    each = "" if start.room.unified else f", {start.room.cells} for each"
    yield f"Context {start.context} tokens, {start.users} slot(s){each}, ubatch {start.ubatch}."
    if fit.needs.speculation:
        yield f"Speculation takes {size_text(fit.needs.speculation)} of the card."
    yield from _verdict(fit)
    if not known:
        yield (
            f"Architecture {fit.model.architecture}: the compute buffers are a rough figure, its "
            "operations are not known here."
        )
    if lacks_head_graph(fit.model, start.build):
        yield (
            f"Build {start.build} has no MTP graph for {fit.model.architecture}: its cache holds "
            "the head's block too, and with draft-mtp the whole model drafts, with a cache and "
            "buffers of that size. These figures are too low there; newer builds have the graph."
        )
    if fit.needs.model.host_weights and (start.gpu_layers == 0 or start.cpu_moe):
        yield (
            "Weights on the host: the log calls them CPU_Mapped, from the first tensor in use to "
            "the last. What the processor repacks (CPU_REPACK, AMX) is copied, and can add nearly "
            "as much again; the figure above counts each tensor once."
        )
    yield (
        "Not counted: pictures (--mmproj), LoRA and control vectors, embeddings, prompts kept in "
        "main memory (--cache-ram), and types of the draft's cache other than F16 (-ctkd, -ctvd)."
    )


def _verdict(fit: "Fit") -> Iterator[str]:
    if fit.verdict == "unknown":
        yield "No graphics card was found here; say how much memory yours has: --vram 24GiB"
        return
    total = size_text(sum(fit.cards))
    if fit.verdict == "too_large":
        yield f"{total}: does not fit, {size_text(-fit.left)} too much."
    elif fit.verdict == "tight":
        yield (
            f"{total}: tight, {size_text(fit.left)} stays free and {size_text(fit.keep_free)} on "
            "each card should: driver, desktop and scratch memory are in no buffer of the log."
        )
    else:
        yield f"{total}: fits, {size_text(fit.left)} stays free."
    if fit.largest_context is None:
        yield "No context fits with what must stay free."
    else:
        own = " (the model's own)" if fit.largest_context >= fit.model.trained_context else ""
        yield f"Largest context that fits: {fit.largest_context} tokens{own}."
