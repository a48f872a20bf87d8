"""Whatever bytes a file holds: problems or a record, never a traceback, never a hang.

More of it: SPECULOOS_FUZZ=long.
"""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from record import good_file
from speculoos.record.checks import check_paths
from speculoos.record.problem import Problem
from speculoos.record.store.reader import UnreadableError, parse

LONG = os.environ.get("SPECULOOS_FUZZ") == "long"
often = settings(
    max_examples=20_000 if LONG else 300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
seldom = settings(often, max_examples=5_000 if LONG else 60)

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(
        ["no", "12:30", "1e999", "&a", "*a", "!!set", "<<", "~", "- ", ": ", "#", "\t"]
    ),
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that is broken again and again."""
    return good_file.write(tmp_path_factory.mktemp("fuzz") / "measurements")


@pytest.fixture(scope="module")
def lines(good: Path) -> list[bytes]:
    """Its lines as they were."""
    return good.read_bytes().splitlines(keepends=True)


def _told(good: Path, content: bytes) -> list[Problem]:
    """What the check says of the content; each problem is one plain line."""
    good.write_bytes(content)
    found = check_paths([good])
    assert all(str(problem).isprintable() for problem in found)
    assert all(problem.line <= content.count(b"\n") + 1 for problem in found)
    return found


def _refused(raw: bytes) -> UnreadableError | None:
    try:
        parse(raw)
    except UnreadableError as error:
        return error
    return None


@often
@given(raw=st.binary(max_size=400))
def test_random_bytes_are_refused_or_read(raw: bytes):
    """The reader alone."""
    refused = _refused(raw)
    assert refused is None or 0 <= refused.line <= raw.count(b"\n") + raw.count(b"\r") + 1


@often
@given(text=st.text("{}[]&*!|>-:,'\"#%@` \n\tab01.~<=\\u", max_size=60))
def test_signs_of_yaml_are_refused_or_read(text: str):
    """Where the parser has most to decide."""
    refused = _refused(text.encode())
    assert refused is None or refused.message


@seldom
@given(tree=TREES)
def test_random_structures_become_problems(good: Path, tree: object):
    """Well-formed YAML of any shape."""
    assert _told(good, good_file.as_text(tree).encode("utf-8", "surrogatepass"))


@seldom
@given(data=st.data())
def test_a_file_with_bytes_flipped_is_judged(good: Path, lines: list[bytes], data: st.DataObject):
    """A transfer that went wrong."""
    content = bytearray(b"".join(lines))
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    _told(good, bytes(content))


@seldom
@given(data=st.data())
def test_a_file_with_lines_moved_is_judged(good: Path, lines: list[bytes], data: st.DataObject):
    """Dropped, doubled, or spliced from two places: what hands and merges do."""
    at = st.integers(0, len(lines) - 1)
    first, last, to = data.draw(at), data.draw(at), data.draw(at)
    piece = lines[min(first, last) : max(first, last) + 1][: data.draw(st.integers(0, 30))]
    cut = data.draw(st.integers(0, 5))
    _told(good, b"".join([*lines[:to], *piece, *lines[to + cut :]]))


@seldom
@given(data=st.data(), scalar=SCALARS)
def test_a_file_with_a_value_replaced_is_judged(
    good: Path, lines: list[bytes], data: st.DataObject, scalar: object
):
    """Any value in the place of any other, in block lines and in rows."""
    at = data.draw(st.integers(0, len(lines) - 1))
    head, colon, _rest = lines[at].partition(b": ")
    put = head + colon + str(scalar).encode("utf-8", "surrogatepass") + b"\n"
    _told(good, b"".join([*lines[:at], put, *lines[at + 1 :]]))
