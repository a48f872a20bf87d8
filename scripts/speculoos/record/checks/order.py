from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document, Key
from speculoos.record.types import Measurement, Run


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    design, runs = document.record.design, document.record.runs
    if design is None:
        return
    planned = [(label, block) for block, row in enumerate(design.order, 1) for label in row]
    most = design.blocks + (design.repeated or 0)
    if len(design.order) > most:
        text = f"{len(design.order)} blocks, but design.blocks is {most}; make them agree"
        yield document.problem(("design", "order"), text)
    if len(planned) != len(runs):
        text = f"names {len(planned)} starts, but there are {len(runs)} runs; make them agree"
        yield document.problem(("design", "order"), text)
        return
    for index, (run, (label, block)) in enumerate(zip(runs, planned, strict=True)):
        if run.settings.label != label:
            text = f"{run.settings.label}, but design.order has {label!r} here; make them agree"
            yield document.problem(("runs", index, "settings"), text)
        for part in ("samples", "batches"):
            for number, one in enumerate(getattr(run, part)):
                if one.block != block:
                    key = ("runs", index, part, number, "block")
                    text = f"{one.block}, but design.order puts it in {block}; make them agree"
                    yield document.problem(key, text)
    yield from _twice(document)


def _twice(document: Document[Measurement]) -> Iterator[Problem]:
    """A run that goes on after an interruption asks only what is missing."""
    seen = set()
    for index, run in enumerate(document.record.runs):
        for key, block, prompt in _asked(run):
            once = (block, run.settings.label, prompt)
            if once in seen:
                text = f"{prompt} was asked before in block {block}; remove one"
                yield document.problem(("runs", index, *key), text)
            seen.add(once)


def _asked(run: Run) -> Iterator[tuple[Key, int, str]]:
    for number, sample in enumerate(run.samples):
        yield ("samples", number, "prompt"), sample.block, sample.prompt
    for number, batch in enumerate(run.batches):
        for at, prompt in enumerate(batch.prompts):
            yield ("batches", number, "prompts", at), batch.block, prompt


RULE = Rule("order", "Runs stand in the order of the design, each prompt once in each.", _check)
