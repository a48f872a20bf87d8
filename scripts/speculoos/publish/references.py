"""The texts of others that the pages cite, by their key."""

from collections.abc import Iterator, Mapping
from typing import get_args

from speculoos.publish.results import UnknownNameError
from speculoos.record.types.sources import Kind, Reference

KINDS = get_args(Kind)


class References(Mapping[str, Reference]):
    """Every reference by its key, in the order of the file."""

    def __init__(self, references: Mapping[str, Reference]) -> None:
        self._references = dict(references)

    def __getitem__(self, key: str) -> Reference:
        if key not in self._references:
            raise UnknownNameError("source", key, self._references)
        return self._references[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._references)

    def __len__(self) -> int:
        return len(self._references)

    def of_kind(self, kind: str) -> list[tuple[str, Reference]]:
        """Keys and references of a kind: papers, how to measure, llama.cpp, the field."""
        if kind not in KINDS:
            raise UnknownNameError("kind of source", kind, KINDS)
        return [(key, found) for key, found in self.items() if found.kind == kind]


def anchor(key: str) -> str:
    """The id of a reference on the page of sources."""
    return key.replace(".", "-")
