from collections.abc import Iterator

from speculoos.record.checks.every import every_sample
from speculoos.record.checks.rule import Rule
from speculoos.record.limits import SPARSEST, bytes_per_second, operations_per_second
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Machine, Measurement, Sample
from speculoos.record.warn import Warn

Found = tuple[str, float]
"""A field, and how many times what it says is beyond the machine."""


def _check(document: Document[Measurement], collection: Collection) -> Iterator[Problem]:
    record = document.record
    machine = collection.machines.get(record.machine.id) if record.machine else None
    size_bytes = record.model.size_bytes if record.model else None
    if machine is None or size_bytes is None:
        return
    beyond = []
    for key, _run, sample in every_sample(record):
        for field, times in _beyond(sample, size_bytes, machine.record):
            if times > SPARSEST:
                text = (
                    f"{getattr(sample, field):g} ms is {times:.0f} times faster than memory and "
                    "processors of this machine allow; give milliseconds, or correct machine.yaml"
                )
                yield document.problem((*key, field), text)
            else:
                beyond.append(((*key, field), times))
    for key, times in beyond[:1]:
        text = (
            f"{times:.1f} times faster than this machine could read a dense model of that size; "
            "is it a mixture of experts? Else check model.size_bytes and machine.yaml"
        )
        yield document.caution(key, text, Warn("beyond-machine", {"times": times}))


def _beyond(sample: Sample, size_bytes: int, machine: Machine) -> Iterator[Found]:
    """Each pass reads all weights; each prompt token takes an operation for two bytes of them."""
    passes = sample.predicted_n - 1 - (sample.draft_n_accepted or 0)
    if passes > 0 and sample.predicted_ms:
        rate = passes * size_bytes * 1000 / sample.predicted_ms
        yield from _above("predicted_ms", rate / bytes_per_second(machine))
    if sample.prompt_ms:
        work = sample.prompt_n * size_bytes / 2 * 1000 / sample.prompt_ms
        yield from _above("prompt_ms", work / operations_per_second(machine))


def _above(field: str, times: float) -> Iterator[Found]:
    if times > 1:
        yield field, times


RULE = Rule("rates", "No rate is beyond what memory and processors of the machine allow.", _check)
