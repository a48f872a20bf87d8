from collections import defaultdict
from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement, Run
from speculoos.record.warn import Warn

_SAME = 0.01


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    yield from _prompts(document)
    yield from _buffers(document)


def _prompts(document: Document[Measurement]) -> Iterator[Problem]:
    """A setting that answered other prompts than the baseline did is another measurement."""
    runs, blocks = document.record.runs, _asked(document.record.runs)
    whole = set().union(*(asked for asked in blocks.values()))
    design = document.record.design
    if design is not None and design.stopped in {"interrupted", "budget"}:
        return
    missing = []
    for at, run in enumerate(runs):
        block = run.samples[0].block if run.samples else None
        asked = blocks[run.settings.label, block] if block is not None else whole
        if run.incident is None and asked != whole:
            missing.append((at, len(asked)))
    for at, count in missing[:1]:
        text = (
            f"{count} of {len(whole)} prompts were asked, so its block does not count; go on with "
            "--resume, or measure again"
        )
        warn = Warn("unequal-prompts", {"runs": len(missing), "of": len(runs)})
        yield document.caution(("runs", at, "samples"), text, warn)


def _asked(runs: tuple[Run, ...]) -> defaultdict[tuple[str, int | None], set[str]]:
    found: defaultdict[tuple[str, int | None], set[str]] = defaultdict(set)
    for run in runs:
        for sample in run.samples:
            found[run.settings.label, sample.block].add(sample.prompt)
    return found


def _buffers(document: Document[Measurement]) -> Iterator[Problem]:
    """The same setting loads the same weights at every start."""
    first: dict[str, float] = {}
    for at, run in enumerate(document.record.runs):
        held = run.memory.model_mib if run.memory else None
        if held is None:
            continue
        known = first.setdefault(run.settings.label, held)
        if abs(held - known) > _SAME * known:
            text = f"{held:g} MiB, but an earlier start with this setting held {known:g}"
            key = ("runs", at, "memory", "model_mib")
            yield document.problem(key, f"{text}; measure both with the same model and layers")


RULE = Rule("comparable", "All settings answer the same prompts with the same weights.", _check)
