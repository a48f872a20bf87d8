"""YAML text to plain data with the line of every key.

Refused, each with its line: duplicate keys, anchors and aliases, tags, several documents, text that
YAML 1.1 and 1.2 read differently (`no`, `12:30`, `1_000`), characters that reorder or hide text,
numbers that no computer holds, and files too large or too deep to be a measurement.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isinf
from typing import Any

import yaml
from yaml import events

Key = tuple[str | int, ...]
Lines = dict[Key, int]

MAX_BYTES = 4 * 2**20
MAX_VALUES = 80_000
"""More than four thousand samples hold; a whole file is read in well under a second."""
MAX_DEPTH = 12

_NULLS = ("", "~", "null")
_BOOLEANS = {"true": True, "false": False}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_AMBIGUOUS = re.compile(
    r"""(?ix) y | n | yes | no | on | off | true | false | null     # YAML 1.1 booleans, odd case
      | [-+]?0[0-9_]+ | 0[ox][0-9a-f_]+ | 0b[01_]+                  # octal, hexadecimal, binary
      | [-+]?[0-9][0-9_]*_[0-9_.]*                                  # 1_000
      | [-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?            # 12:30 is 750
      | [-+]?\.(?:inf|nan) | [-+]?(?:\.[0-9]+|[0-9]+\.)(?:e[-+]?[0-9]+)?
      | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|\s+)[0-9].*           # a time of day
      | = | <<
    """
)
_QUOTE = "put text with signs in quotes, and indent with spaces"
_LONGEST_NUMBER = 100
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"  # controls, escape sequences of terminals
    r"|\r(?!\n)"
    r"|[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e]"
    r"|[\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ufffe\uffff\ud800-\uf8ff]"
    r"|[\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
"""What a person does not see, or sees elsewhere than it stands."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class UnreadableError(Exception):
    """The text cannot be read further: line and sentence."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


@dataclass
class Parsed:
    """Plain data, the line of every key, and what was refused on the way."""

    data: Any = None
    lines: Lines = field(default_factory=dict)
    refused: list[tuple[int, Key, str]] = field(default_factory=list)


def is_ambiguous(text: str) -> bool:
    """True where YAML 1.1 and 1.2, or two people, read the unquoted text differently."""
    if text in (*_NULLS, *_BOOLEANS) or len(text) > _LONGEST_NUMBER:
        return False
    return _AMBIGUOUS.fullmatch(text) is not None


def visible(text: str) -> str:
    """`text` with a mark in place of every character that the reader refuses."""
    return _HIDDEN.sub("\ufffd", text)


def plain_value(text: str) -> Any:
    """What an unquoted scalar means: null, true, false, a number, else text."""
    if text in _NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if len(text) > _LONGEST_NUMBER:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def parse(raw: bytes) -> Parsed:
    """Data and lines of one YAML document.

    Raises `UnreadableError` where reading cannot go on.
    """
    if len(raw) > MAX_BYTES:
        raise UnreadableError(
            0, f"{len(raw)} bytes, expected at most {MAX_BYTES}; is this a measurement?"
        )
    text = _decoded(raw)
    try:
        return _Builder(yaml.parse(text, Loader=_LOADER)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = min(mark.line, text.count("\n")) + 1 if mark else 0
        raise UnreadableError(line, f"not YAML: {error.problem}; {_QUOTE}") from error
    except yaml.YAMLError as error:
        raise UnreadableError(0, f"not YAML: {error}; {_QUOTE}".replace("\n", " ")) from error


def _decoded(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UnreadableError(line, "not UTF-8; save the file as UTF-8") from error
    hidden = None if text.isascii() and text.isprintable() else _HIDDEN.search(text)
    if hidden:
        line = text.count("\n", 0, hidden.start()) + 1
        raise UnreadableError(line, _seen(hidden[0]))
    return text


def _seen(character: str) -> str:
    code = f"U+{ord(character[0]):04X}"
    name = unicodedata.name(character[0], "a control character")
    if unicodedata.bidirectional(character[0]) in _REORDERS or character in "\u200e\u200f\u061c":
        return f"{name} ({code}) reorders text; remove it"
    return f"{name} ({code}) cannot be seen; remove it"


_REORDERS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


class _Builder:
    """Walks the parser's events once; nothing is built that was not allowed."""

    def __init__(self, stream: Iterator[Any]) -> None:
        self.stream = stream
        self.parsed = Parsed()
        self.left = MAX_VALUES

    def document(self) -> Parsed:
        event = self._next()
        if isinstance(event, events.StreamEndEvent):
            raise UnreadableError(1, "the file is empty; write the record, or remove the file")
        self.parsed.data = self._value(self._next(), ())
        self._next()  # the document's end
        extra = self._next()
        if not isinstance(extra, events.StreamEndEvent):
            raise UnreadableError(
                extra.start_mark.line + 1,
                "a second document, expected one; put it into a file of its own",
            )
        return self.parsed

    def _next(self) -> Any:
        event = next(self.stream)
        return next(self.stream) if isinstance(event, events.StreamStartEvent) else event

    def _value(self, event: Any, key: Key) -> Any:
        line = event.start_mark.line + 1
        self._count(line)
        self.parsed.lines.setdefault(key, line)
        if isinstance(event, events.AliasEvent) or getattr(event, "anchor", None):
            raise UnreadableError(line, "an anchor or alias (& or *); write the value out")
        if event.tag not in (None, "!"):
            raise UnreadableError(line, f"the tag {event.tag!r}; write the value without it")
        if len(key) > MAX_DEPTH:
            raise UnreadableError(
                line, f"more than {MAX_DEPTH} levels, expected fewer; is this a measurement?"
            )
        if isinstance(event, events.MappingStartEvent):
            return self._mapping(key)
        if isinstance(event, events.SequenceStartEvent):
            return self._sequence(key)
        return self._scalar(event, key)

    def _count(self, line: int) -> None:
        self.left -= 1
        if self.left < 0:
            text = f"more than {MAX_VALUES} values; is this a measurement? Split it"
            raise UnreadableError(line, text)

    def _sequence(self, key: Key) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self._next(), events.SequenceEndEvent):
            items.append(self._value(event, (*key, len(items))))
        return items

    def _mapping(self, key: Key) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := self._next(), events.MappingEndEvent):
            line = event.start_mark.line + 1
            if not isinstance(event, events.ScalarEvent):
                raise UnreadableError(line, "a key that is not text; write a name and a colon")
            name = event.value
            self._refuse_hidden(event, (*key, name))
            self.parsed.lines.setdefault((*key, name), line)
            if name in found:
                first = self.parsed.lines[(*key, name)]
                self._refuse(line, (*key, name), f"given twice, first in line {first}; keep one")
            found[name] = self._value(self._next(), (*key, name))
        return found

    def _scalar(self, event: Any, key: Key) -> Any:
        self._refuse_hidden(event, key)
        if not event.implicit[0]:
            return event.value
        if is_ambiguous(event.value):
            self._refuse(
                event.start_mark.line + 1,
                key,
                f"{event.value} is read differently by YAML readers; write '{event.value}' in "
                "quotes for text, true or false, or a plain decimal number",
            )
            return event.value
        value = plain_value(event.value)
        if isinstance(value, float) and isinf(value):
            text = f"{event.value[:20]} is no number that a computer holds; correct it"
            self._refuse(event.start_mark.line + 1, key, text)
        return value

    def _refuse_hidden(self, event: Any, key: Key) -> None:
        r"""In quotes, an escape such as `\u202e` makes what the text itself does not hold."""
        if not event.value.isprintable() and (hidden := _HIDDEN.search(event.value)):
            self._refuse(event.start_mark.line + 1, key, _seen(hidden[0]))

    def _refuse(self, line: int, key: Key, message: str) -> None:
        self.parsed.refused.append((line, key, message))
