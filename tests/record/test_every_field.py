"""Every field of a file, broken in every way a field can be: found, in its line, with a remedy."""

import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from record import good_file
from speculoos.record.problem import BadFileError, Problem
from speculoos.record.store import load_measurement

Key = tuple[str | int, ...]
_MARK, _NUMBER = "zzz-mark", 987654


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that is broken."""
    return good_file.write(tmp_path_factory.mktemp("field") / "measurements")


def _keys(data: Any, key: Key = ()) -> Iterator[Key]:
    """Every key of the file; of lists of the same thing, the first entry."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield (*key, name)
            yield from _keys(value, (*key, name))
    elif isinstance(data, list) and data:
        yield from _keys(data[0], (*key, 0))


def _at(data: Any, key: Key) -> Any:
    for part in key:
        data = data[part]
    return data


def _wrong_type(parent: Any, name: Any) -> None:
    parent[name] = _NUMBER if isinstance(parent[name], str) else _MARK


def _negative(parent: Any, name: Any) -> None:
    parent[name] = -_NUMBER


def _too_big(parent: Any, name: Any) -> None:
    parent[name] = int(f"{_NUMBER}{'0' * 30}")


def _beside(parent: Any, name: Any) -> None:
    parent[f"{_MARK}{name}"] = 1


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


BREAKS: dict[str, tuple[Callable[[Any, Any], None], Callable[[Any], bool]]] = {
    "of another type": (_wrong_type, lambda _: True),
    "negative": (_negative, _number),
    "too big": (_too_big, _number),
    "with an unknown key beside it": (_beside, lambda _: True),
}
MAY_BE_NEGATIVE = {"exit_code"}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_broken_field_is_found_in_its_line_with_a_remedy(good: Path, kind: str):
    """Each field alone: at least one problem in the line of the change, which says what to do."""
    change, applies = BREAKS[kind]
    data = good_file.plain(good)
    keys = [key for key in _keys(data) if applies(_at(data, key)) and isinstance(key[-1], str)]
    assert keys
    missed = []
    for key in keys:
        broken = copy.deepcopy(data)
        change(_at(broken, key[:-1]), key[-1])
        text = good_file.as_text(broken)
        found = _problems(good, text)
        line = next(i for i, row in enumerate(text.splitlines(), 1) if _marked(row))
        right = [p for p in found if p.line == line and re.search("; .", p.message)]
        if not right and not (kind == "negative" and key[-1] in MAY_BE_NEGATIVE):
            missed.append((key, line, [str(p) for p in found]))
    assert not missed


def _marked(row: str) -> bool:
    return _MARK in row or str(_NUMBER) in row


def test_a_missing_field_is_found_around_its_place(good: Path):
    """Each required field: what lacks it is named, with the line of what is around."""
    data, record = good_file.plain(good), load_measurement(good).record
    keys = [key for key in _keys(data) if isinstance(key[-1], str) and _required(record, key)]
    assert len(keys) > 50
    for key in keys:
        broken = copy.deepcopy(data)
        del _at(broken, key[:-1])[key[-1]]
        if not _at(broken, key[:-1]):
            continue
        (problem,) = _problems(good, good_file.as_text(broken))
        assert problem.key.endswith(str(key[-1]))
        assert "missing; it is required" in problem.message


def _required(record: Any, key: Key) -> bool:
    for part in key[:-1]:
        record = record[part] if isinstance(part, int) else getattr(record, part)
    return bool(type(record).model_fields[key[-1]].is_required())


def _problems(good: Path, text: str) -> list[Problem]:
    path = good.with_name("broken.yml")
    path.write_text(text, encoding="utf-8")
    try:
        load_measurement(path)
    except BadFileError as error:
        return error.problems
    return []
