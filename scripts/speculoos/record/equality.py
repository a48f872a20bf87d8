"""Whether texts are the same: under speculation, and of the baseline against itself.

A server that does not repeat its own texts cannot be asked to repeat them under speculation.
"""

from collections.abc import Iterable, Sequence

from speculoos.record.types import Sample

Equal = tuple[int, int]
"""Texts that are the same, and texts compared."""


def same_text(samples: Iterable[Sample], baseline: Iterable[Sample]) -> Equal | None:
    """The texts against the baseline's first text of each prompt; None where there is none."""
    first = _first_texts(baseline)
    return _count([s.output_sha256 == first[s.prompt] for s in samples if s.prompt in first])


def same_as_itself(baseline: Sequence[Sample]) -> Equal | None:
    """The baseline's repeats against its own first text of each prompt; None without a repeat."""
    first = _first_texts(baseline)
    seen: set[str] = set()
    found = []
    for sample in baseline:
        if sample.prompt in seen:
            found.append(sample.output_sha256 == first[sample.prompt])
        seen.add(sample.prompt)
    return _count(found)


def _first_texts(baseline: Iterable[Sample]) -> dict[str, str]:
    first: dict[str, str] = {}
    for sample in baseline:
        first.setdefault(sample.prompt, sample.output_sha256)
    return first


def _count(same: Sequence[bool]) -> Equal | None:
    return (sum(same), len(same)) if same else None
