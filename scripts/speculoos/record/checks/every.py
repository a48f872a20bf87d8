"""Walks that several rules share."""

from collections.abc import Iterator
from typing import Any

from speculoos.record.store import Key
from speculoos.record.types import Batch, Measurement, Run, Sample


def every_sample(record: Measurement) -> Iterator[tuple[Key, Run, Sample]]:
    """Every sample with its key and its run, in the order of the file."""
    for at, run in enumerate(record.runs):
        for index, sample in enumerate(run.samples):
            yield ("runs", at, "samples", index), run, sample


def every_batch(record: Measurement) -> Iterator[tuple[Key, Run, Batch]]:
    """Every batch of several slots with its key and its run, in the order of the file."""
    for at, run in enumerate(record.runs):
        for index, batch in enumerate(run.batches):
            yield ("runs", at, "batches", index), run, batch


def every_text(data: Any, key: Key = ()) -> Iterator[tuple[Key, str]]:
    """Every text of a file with its key."""
    if isinstance(data, str):
        yield key, data
    elif isinstance(data, dict):
        for name, value in data.items():
            yield from every_text(value, (*key, name))
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from every_text(value, (*key, at))
