"""Does it fit: what a model needs, told by the header of its file."""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

import click

from speculoos.measure.gpu import cards_of
from speculoos.measure.spec_types import SPEC_TYPES
from speculoos.options import FILE, SIZES, TOKENS
from speculoos.record.footprint import (
    CACHE_TYPES,
    Estimate,
    Model,
    Start,
    estimate,
    is_known,
    key_problems,
    largest_context,
    read_header,
)
from speculoos.record.problem import BadFileError, Problem
from speculoos.terminal import console
from speculoos.verbs.fit_text import estimate_table, sentences

MIB = 2**20
_CACHE_TYPE = click.Choice(sorted(CACHE_TYPES))
_FLASH = click.Choice(["on", "off", "auto"])
_CONTEXT = 4096
"""Where neither the command nor the file names one."""
_N_MAX = 3
"""llama-server's own."""
_EVERY_LAYER = 10**6
Verdict = Literal["fits", "tight", "too_large", "unknown"]


@dataclass(frozen=True)
class Fit:
    """What is needed, what there is, and what follows."""

    model: Model
    start: Start
    needs: Estimate
    cards: tuple[int, ...]
    """Bytes of each graphics card."""
    keep_free: int
    """Bytes of each that are not to be used."""
    largest_context: int | None

    @property
    def need(self) -> int:
        """Bytes on all cards; each has compute buffers of its own."""
        more = max(len(self.cards) - 1, 0)
        return self.needs.card + more * (self.needs.model.compute + self.needs.draft.compute)

    @property
    def left(self) -> int:
        """Bytes that stay free on all cards."""
        return sum(self.cards) - self.need

    @property
    def verdict(self) -> Verdict:
        """`tight`: it fits, but less stays free than should."""
        if not self.cards:
            return "unknown"
        if self.left < 0:
            return "too_large"
        return "fits" if self.left >= self.keep_free * len(self.cards) else "tight"


@click.command("fit", epilog="Exit codes: 0 done, 1 no usable file, 2 wrong usage.")
@click.option("--model", type=FILE, required=True, help="GGUF file of the model, or its part 1.")
@click.option("--draft-model", type=FILE, help="GGUF file of a draft model or a separate head.")
@click.option(
    "--vram", type=SIZES, help="Memory of the card; 24GiB,24GiB for two; else this one's."
)
@click.option("--keep-free", type=SIZES, default="1GiB", show_default=True, help="On every card.")
@click.option("--context", "-c", type=TOKENS, help="As --ctx-size: 32768 or 32k; else the model's.")
@click.option("--parallel", type=click.IntRange(1, 256), help="Slots; else 4 that share one cache.")
@click.option("--kv-type", type=_CACHE_TYPE, help="Type of keys and values alike.")
@click.option("--cache-type-k", "-ctk", type=_CACHE_TYPE, default="f16", show_default=True)
@click.option("--cache-type-v", "-ctv", type=_CACHE_TYPE, default="f16", show_default=True)
@click.option(
    "--ubatch", "-ub", type=click.IntRange(1), default=512, show_default=True, help="As -ub."
)
@click.option("--batch", "-b", type=click.IntRange(1), default=2048, help="As -b; 2048.")
@click.option("--flash-attn", "-fa", type=_FLASH, default="auto", help="auto counts as on.")
@click.option("--kv-unified/--no-kv-unified", default=None, help="As -kvu; else by --parallel.")
@click.option("--swa-full", is_flag=True, help="As llama-server's.")
@click.option("--spec-type", type=click.Choice(["none", *sorted(SPEC_TYPES)]), default="none")
@click.option("--n-max", type=click.IntRange(1, 1024), default=_N_MAX, show_default=True)
@click.option("--gpu-layers", type=click.IntRange(0), default=_EVERY_LAYER, help="As -ngl; all.")
@click.option("--n-cpu-moe", type=click.IntRange(0), default=0, help="As llama-server's; none.")
@click.option("--build", type=int, default=11434, show_default=True, help="Of llama.cpp.")
@click.option("--json", "as_data", is_flag=True, help="Data instead of a table.")
def fit_command(  # noqa: PLR0913 - one for each option
    *,
    model: Path,
    draft_model: Path | None,
    vram: tuple[int, ...] | None,
    keep_free: tuple[int, ...],
    context: int | None,
    parallel: int | None,
    kv_type: str | None,
    cache_type_k: str,
    cache_type_v: str,
    ubatch: int,
    batch: int,
    flash_attn: str,
    kv_unified: bool | None,
    swa_full: bool,
    spec_type: str,
    n_max: int,
    gpu_layers: int,
    n_cpu_moe: int,
    build: int,
    as_data: bool,
) -> None:
    """Say whether a model fits into a card's memory: weights, KV cache, buffers, MTP's share.

    Only the header of the file is read, and no server is started.

    \b
    speculoos fit --model qwen.gguf --vram 24GiB --context 32k --spec-type draft-mtp
    speculoos fit --model big-00001-of-00003.gguf --vram 24GiB,24GiB --kv-type q8_0
    """
    found = _language_model(model)
    second = _language_model(draft_model) if draft_model else None
    if spec_type == "draft-mtp":
        _check_head(draft_model or model, second or found)
    start = Start(
        context=context or found.trained_context or _CONTEXT,
        parallel=parallel,
        ubatch=ubatch,
        batch=batch,
        flash_attn=flash_attn != "off",
        kv_unified=kv_unified,
        swa_full=swa_full,
        key_type=kv_type or cache_type_k,
        value_type=kv_type or cache_type_v,
        n_max=0 if spec_type == "none" and second is None else n_max,
        mtp=spec_type == "draft-mtp",
        build=build,
        gpu_layers=gpu_layers,
        cpu_moe=n_cpu_moe,
    )
    _show(_fit(found, start, second, vram or _cards(), keep_free[0]), model.name, as_data=as_data)


def _language_model(path: Path) -> Model:
    header = read_header(path)
    if header.key("block_count") is None or header.key("embedding_length") is None:
        text = f"no language model in it (architecture {header.architecture}); name another file"
        raise BadFileError([Problem(str(path), 0, "", text)])
    if wrong := [Problem(str(path), 0, *told) for told in key_problems(header)]:
        raise BadFileError(wrong)
    return Model(header)


def _check_head(path: Path, model: Model) -> None:
    if not model.head_blocks:
        text = "no MTP head in it; leave --spec-type draft-mtp out, or name another file"
        raise BadFileError([Problem(str(path), 0, "", text)])


def _cards() -> tuple[int, ...]:
    return tuple(int((card.vram_mib or 0) * MIB) for card in cards_of().describe())


def _fit(
    model: Model, start: Start, draft: Model | None, cards: tuple[int, ...], keep_free: int
) -> Fit:
    found = Fit(model, start, estimate(model, start, draft), cards, keep_free, None)
    if not cards:
        return found
    room = sum(cards) - keep_free * len(cards) - (found.need - found.needs.card)
    return replace(found, largest_context=largest_context(model, start, room, draft))


def _show(fit: Fit, name: str, *, as_data: bool) -> None:
    known = is_known(fit.model)
    if as_data:
        click.echo(json.dumps(_data(fit, name, known=known), indent=2))
        return
    out = console()
    out.print(estimate_table(fit.needs, name))
    for line in sentences(fit, known=known):
        out.print(line, markup=False)


def _data(fit: Fit, name: str, *, known: bool) -> dict[str, object]:
    def mib(part: object) -> dict[str, float]:
        return {key: round(value / MIB, 2) for key, value in asdict(part).items()}  # type: ignore[call-overload]

    return {
        "file": name,
        "architecture": fit.model.architecture,
        "context": fit.start.context,
        "slots": fit.start.users,
        "model_mib": mib(fit.needs.model),
        "draft_mib": mib(fit.needs.draft),
        "card_mib": round(fit.need / MIB, 2),
        "host_mib": round(fit.needs.host / MIB, 2),
        "speculation_mib": round(fit.needs.speculation / MIB, 2),
        "vram_mib": round(sum(fit.cards) / MIB, 2) if fit.cards else None,
        "keep_free_mib": round(fit.keep_free / MIB, 2),
        "verdict": fit.verdict,
        "largest_context": fit.largest_context,
        "compute_is_rough": not known,
    }
