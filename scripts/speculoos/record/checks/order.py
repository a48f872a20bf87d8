from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    design, runs = document.record.design, document.record.runs
    if design is None:
        return
    planned = [(label, block) for block, row in enumerate(design.order, 1) for label in row]
    if len(design.order) > design.blocks:
        text = f"{len(design.order)} blocks, but design.blocks is {design.blocks}; make them agree"
        yield document.problem(("design", "order"), text)
    if len(planned) != len(runs):
        text = f"names {len(planned)} starts, but there are {len(runs)} runs; make them agree"
        yield document.problem(("design", "order"), text)
        return
    for index, (run, (label, block)) in enumerate(zip(runs, planned, strict=True)):
        if run.settings.label != label:
            text = f"{run.settings.label}, but design.order has {label!r} here; make them agree"
            yield document.problem(("runs", index, "settings"), text)
        for number, sample in enumerate(run.samples):
            if sample.block != block:
                key = ("runs", index, "samples", number, "block")
                text = f"{sample.block}, but design.order puts it in {block}; make them agree"
                yield document.problem(key, text)
    yield from _twice(document)


def _twice(document: Document[Measurement]) -> Iterator[Problem]:
    """A run that goes on after an interruption asks only what is missing."""
    seen = set()
    for index, run in enumerate(document.record.runs):
        for number, sample in enumerate(run.samples):
            once = (sample.block, run.settings.label, sample.prompt)
            if once in seen:
                key = ("runs", index, "samples", number, "prompt")
                text = f"{sample.prompt} was asked before in block {sample.block}; remove one"
                yield document.problem(key, text)
            seen.add(once)


RULE = Rule("order", "Runs stand in the order of the design, each prompt once in each.", _check)
