from collections.abc import Iterator

from speculoos.record.checks.every import every_sample
from speculoos.record.checks.rule import CollectionRule
from speculoos.record.problem import Problem, shown
from speculoos.record.store import Collection, Document, Key
from speculoos.record.types import Measurement, Sample

Place = tuple[Document[Measurement], Key]


def _check(collection: Collection) -> Iterator[Problem]:
    """Two requests never take the same time to the microsecond, three times over."""
    first: dict[tuple[object, ...], Place] = {}
    for document in collection.measurements:
        elsewhere: list[tuple[Key, Place]] = []
        for key, _run, sample in every_sample(document.record):
            known = first.setdefault(_row(sample), (document, key))
            if known == (document, key):
                continue
            if known[0] is document:
                text = f"the same times and counts as in line {document.line(known[1])}"
                yield document.problem(key, f"{text}; a row stands once, remove the copy")
            else:
                elsewhere.append((key, known))
        for key, (other, place) in elsewhere[:1]:
            text = f"this row and {len(elsewhere) - 1} more stand in"
            where = f"{shown(other.path, collection.root)}:{other.line(place)} too"
            yield document.problem(key, f"{text} {where}; a measurement stands once, remove one")
    yield from _claims(collection)


def _row(sample: Sample) -> tuple[object, ...]:
    times = (sample.prompt_ms, sample.predicted_ms, sample.wall_ms)
    counts = (sample.predicted_n, sample.draft_n, sample.draft_n_accepted, sample.verify_steps)
    return (sample.prompt, *times, *counts, sample.output_sha256)


def _claims(collection: Collection) -> Iterator[Problem]:
    first: dict[tuple[object, ...], Document[Measurement]] = {}
    for document in collection.measurements:
        record = document.record
        if record.source is None or not record.claims:
            continue
        known = first.setdefault(
            (record.source.link or record.source.title, record.claims), document
        )
        if known is not document:
            text = f"the same claims of the same source as in {shown(known.path, collection.root)}"
            yield document.problem(("claims",), f"{text}; remove one of the two files")


RULE = CollectionRule("duplicates", "No row and no claim stands twice, in any file.", _check)
