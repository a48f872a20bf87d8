"""Reading YAML: what is refused, where, and in which words."""

import time

import pytest

from speculoos.record.store.reader import UnreadableError, parse


def test_every_key_has_its_line():
    """A key's line is where the key stands, in flow style too."""
    lines = parse(b"a: 1\nb:\n- x\n- {c: 2,\n   d: 3}\n").lines
    assert (lines[("a",)], lines[("b", 1)], lines[("b", 1, "c")], lines[("b", 1, "d")]) == (
        1,
        4,
        4,
        5,
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("null", None),
        ("~", None),
        ("2026-11-29", "2026-11-29"),
        ("'no'", "no"),
        ("n_max 3", "n_max 3"),
        ("0.1.0-dev (build 1, commit 7e4c0a9)", "0.1.0-dev (build 1, commit 7e4c0a9)"),
    ],
)
def test_plain_scalars_mean_what_they_look_like(text: str, value: object):
    """Numbers, true, false, null and text; a date stays text."""
    parsed = parse(f"a: {text}".encode())
    assert parsed.data == {"a": value}
    assert not parsed.refused


@pytest.mark.parametrize(
    "text", ["no", "Yes", "on", "OFF", "12:30", "1_000", "0x1f", "010", ".nan", ".inf", "True", "y"]
)
def test_what_yaml_readers_read_differently_is_refused_with_its_line(text: str):
    """`no` is false and `12:30` is 750 in YAML 1.1: the writer must say what is meant."""
    parsed = parse(f"x: 1\na: {text}\n".encode())
    assert [(line, key) for line, key, _ in parsed.refused] == [(2, ("a",))]


def test_a_key_given_twice_is_refused_with_both_lines():
    """PyYAML takes the last one in silence; the message names the first."""
    ((line, key, text),) = parse(b"a: 1\nb: 2\na: 3\n").refused
    assert (line, key) == (3, ("a",))
    assert "line 1" in text


@pytest.mark.parametrize(
    ("raw", "line", "word"),
    [
        (b"", 1, "empty"),
        (b"a: &x 1\nb: *x\n", 1, "anchor"),
        (b"a: !!python/object:os.system x\n", 1, "tag"),
        (b"a: 1\n---\nb: 2\n", 2, "second document"),
        (b"a: 1\nb: [1, 2\n", 3, "not YAML"),
        (b"a: 1\nb: \xff\n", 2, "UTF-8"),
        ("a: 1\nb: \u202eabc\n".encode(), 2, "reorders"),
        (b"? [a, b]\n: 1\n", 1, "key"),
        (b"- " * 40, 1, "levels"),
        (b"a: 1\x00\n", 1, "U+0000"),
    ],
)
def test_what_cannot_be_a_measurement_is_refused(raw: bytes, line: int, word: str):
    """One sentence with its line, whatever is wrong."""
    with pytest.raises(UnreadableError) as caught:
        parse(raw)
    assert word in caught.value.message
    assert caught.value.line == line


def test_a_large_file_is_refused_before_it_is_parsed():
    """Ten megabytes are no measurement; saying so must not take long."""
    start = time.monotonic()
    with pytest.raises(UnreadableError, match="bytes"):
        parse(b"a: 1\n" * 2_000_000)
    assert time.monotonic() - start < 1
