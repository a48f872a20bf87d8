"""Records to YAML, canonically: the same record gives the same bytes, one sample a line."""

import functools
import os
import tempfile
from pathlib import Path
from typing import Any

import yaml

from speculoos.record.store.reader import is_ambiguous, plain_value, visible
from speculoos.record.types import Measurement, Part, Run

_ONE_LINE = (
    *("settings", "memory", "proof", "cpu", "gpus", "samples", "batches", "watched", "idle"),
    *("windows", "silences", "rounding"),
)


class _Line(dict[str, Any]):
    """A mapping that is written on one line."""


class _Row(list[Any]):
    """A list that is written on one line."""


def _dumper(base: Any) -> Any:
    """Without aliases, and without YAML 1.1's dates: the reader takes them as text."""
    resolvers = {
        first: [(tag, pattern) for tag, pattern in pairs if tag != "tag:yaml.org,2002:timestamp"]
        for first, pairs in base.yaml_implicit_resolvers.items()
    }
    own = {"yaml_implicit_resolvers": resolvers, "ignore_aliases": lambda _self, _data: True}
    kind: Any = type("Dumper", (base,), own)
    kind.add_representer(str, _text)
    for shape, represent in ((_Line, _mapping), (_Row, _sequence)):
        kind.add_representer(shape, represent)
    return kind


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    value = visible(value)  # a log line may hold colours; what is written must read back
    misread = is_ambiguous(value) or not isinstance(plain_value(value), str)
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="'" if misread else None)


def _mapping(dumper: yaml.SafeDumper, value: _Line) -> yaml.MappingNode:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=True)


def _sequence(dumper: yaml.SafeDumper, value: _Row) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=True)


_DUMPER = _dumper(yaml.SafeDumper)
_FAST = _dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper))
_WIDEST = 2**31 - 1


def dump(record: Part) -> str:
    """The record as YAML: keys in the order of the types, what is absent left out."""
    if isinstance(record, Measurement) and record.runs and not record.claims:
        head = record.model_copy(update={"runs": ()})  # `runs` is the last key that is there
        return f"{_yaml(_plain(head))}runs:\n{''.join(map(_run, record.runs))}"
    return _yaml(_plain(record))


@functools.lru_cache(maxsize=4096)
def _run(run: Run) -> str:
    """One run of the list; a record is saved after every sample, and only its last run is new."""
    return _yaml([_plain(run)])


def _plain(record: Part) -> Any:
    return _shaped(record.model_dump(mode="json", exclude_defaults=True))


def _yaml(data: Any) -> str:
    """With libyaml, which writes the same in a third of the time, but no emoji as such."""
    fast = _dumped(data, _FAST)
    return _dumped(data, _DUMPER) if "\\U" in fast else fast


def _dumped(data: Any, kind: Any) -> str:
    return str(yaml.dump(data, Dumper=kind, sort_keys=False, allow_unicode=True, width=_WIDEST))


def _shaped(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        shaped = {key: _shaped(entry, key) for key, entry in value.items()}
        return _Line(shaped) if name in _ONE_LINE else shaped
    if isinstance(value, list):
        if all(not isinstance(entry, dict) for entry in value):
            return _Row(_shaped(entry) for entry in value)
        return [_shaped(entry, name) for entry in value]
    return value


def save(record: Part, path: Path, comments: str = "") -> None:
    """Write the record so that no moment leaves half a file; raises `OSError` that names `path`.

    `comments` stand above it, each line with its `#`.
    """
    write_whole(path, comments + dump(record))


def write_whole(path: Path, text: str) -> None:
    """Temporary, synced, renamed: the file holds its old text or the new one, whole."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=".part"
        )
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        error.filename = str(
            path
        )  # a full disk has no name of its own, a temporary one says little
        raise
