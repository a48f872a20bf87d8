from collections import defaultdict
from collections.abc import Iterator

from speculoos.record.checks.every import every_sample
from speculoos.record.checks.rule import Rule
from speculoos.record.identities import prompt_decodes
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document, Key
from speculoos.record.types import NO_SPECULATION, Measurement


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    """The prompt takes as many decodes in every arm, so the rest must add up exactly."""
    expected: defaultdict[str, set[int]] = defaultdict(set)
    for _key, prompt, decodes in _found(document.record, baseline=True):
        expected[prompt].add(decodes)
    for key, prompt, decodes in _found(document.record, baseline=False):
        if expected[prompt] and decodes not in expected[prompt]:
            text = (
                f"leaves {decodes} for the prompt, the baseline took {min(expected[prompt])}; "
                "these counts do not add up to predicted_n, take them from the server again"
            )
            yield document.problem((*key, "decodes"), text)


def _found(record: Measurement, *, baseline: bool) -> Iterator[tuple[Key, str, int]]:
    for key, run, sample in every_sample(record):
        decodes = prompt_decodes(sample)
        if decodes is not None and (run.settings.spec_type == NO_SPECULATION) == baseline:
            yield key, sample.prompt, decodes


RULE = Rule(
    "decodes", "The passes of every sample add up exactly where the stop is `limit`.", _check
)
