from collections.abc import Iterator

from speculoos.record.checks.every import every_batch, every_sample
from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement, Request


def _check(document: Document[Measurement], collection: Collection) -> Iterator[Problem]:
    request = document.record.request
    if request is None:
        return
    prompts = collection.prompt_sets.get(request.prompt_set)
    if prompts is None:
        text = f"no measurements/prompts/{request.prompt_set}.yaml; add the set that was used"
        yield document.problem(("request", "prompt_set"), text)
        return
    if prompts.sha256 != request.prompt_set_sha256:
        text = f"not that of {prompts.path.name} ({prompts.sha256}); {_EDITED}"
        yield document.problem(("request", "prompt_set_sha256"), text)
    yield from _samples(document, {prompt.id for prompt in prompts.record.prompts})
    yield from _lengths(document, request)


_EDITED = "restore the set, or add the edited one under a new id"
_REMEDY = "write the id that was asked, or name the right set"


def _samples(document: Document[Measurement], known: set[str]) -> Iterator[Problem]:
    for key, _run, sample in every_sample(document.record):
        if sample.prompt not in known:
            said = f"{sample.prompt} is not in the prompt set; {_REMEDY}"
            yield document.problem((*key, "prompt"), said)
    for key, _run, batch in every_batch(document.record):
        for prompt in sorted(set(batch.prompts) - known):
            said = f"{prompt} is not in the prompt set; {_REMEDY}"
            yield document.problem((*key, "prompts"), said)


def _lengths(document: Document[Measurement], request: Request) -> Iterator[Problem]:
    for key, _run, sample in every_sample(document.record):
        if sample.predicted_n > request.max_tokens:
            text = f"{sample.predicted_n} tokens, but max_tokens is {request.max_tokens}"
            said = f"{text}; correct the one that is wrong"
            yield document.problem((*key, "predicted_n"), said)
    for key, _run, batch in every_batch(document.record):
        if batch.predicted_n > request.max_tokens * len(batch.prompts):
            each = f"{len(batch.prompts)} prompts of {request.max_tokens} tokens at most"
            text = f"{batch.predicted_n} tokens, but {each}; correct the one that is wrong"
            yield document.problem((*key, "predicted_n"), text)


RULE = Rule("prompts", "The prompt set exists, is the one that was used, and limits hold.", _check)
