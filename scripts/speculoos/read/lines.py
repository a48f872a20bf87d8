"""Lines as the server wrote them: prefixes, colours and JSON wrapping removed."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from speculoos.read.json_text import only_value

ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
PLAIN = re.compile(r"(?:\d+\.\d\d\.\d{3}\.\d{3} [A-Z] )?(?=slot )")
"""The server's own prefix in front of the lines that a long log is full of."""
ECHO = re.compile(
    r"\bsrv +(?:log_server_r: (?:request|response): |update_chat_\S*: )|\bslot +process_tok\S*: "
)
"""A server that logs what it is asked and answers may be asked about logs."""
PREFIX = re.compile(
    r"""\s*(?:
      (?:>\ ?)+                                                    # a quote
    | (?:[A-Z][a-z]{2}\ [ \d]\d\ \d\d:\d\d:\d\d
        |\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,\d]*(?:Z|[+-]\d\d:?\d\d)?)
      \ (?P<unit>\S+\ [^\s\[:]+(?:\[\d+\])?):\ ?                   # journald
    | \[?\d{4}-\d\d-\d\d[T\ ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]?(?=\s|$)
    | \[\ *(?P<port>\d{2,6})\](?=\s)                               # a router's child
    | \[(?:[Ii]nfo|INFO|[Dd]ebug|DEBUG|[Ww]arn(?:ing)?|WARN(?:ING)?|[Ee]rror|ERROR|[Tt]race)\]
    | \((?:Process|Server)\)(?=\s)                                 # a desktop wrapper
    | (?P<container>[A-Za-z0-9][\w.-]*)\ *\|\ (?!task\b)           # docker
    | \d*\.?\d\d\.\d{3}\.\d{3}\ [A-Z](?=\s|$)                      # minutes since the start
    )""",
    re.VERBOSE,
)


class Line(NamedTuple):
    """One line of a server's own text, and which server of a mixed stream wrote it."""

    origin: str
    text: str
    whole: bool = True
    """False for a last line that no newline ends."""


def clean(raw: bytes, *, whole: bool = True) -> Iterator[Line]:
    """The line's own text; several lines where one JSON message holds several."""
    text = raw.decode("utf-8", "replace")
    if ECHO.search(text):
        return
    text = (ANSI.sub("", text) if "\x1b" in text else text).rstrip()
    origin, text = strip_prefixes(text)
    if not text.lstrip().startswith("{"):
        yield Line(origin, text, whole)
        return
    for part in _message(text):
        inner, own = strip_prefixes(part)
        yield Line(origin + inner, own, whole)


def strip_prefixes(text: str) -> tuple[str, str]:
    """The stream's origin (router port, container, unit) and the text behind every prefix."""
    if plain := PLAIN.match(text):
        return "", text[plain.end() :]
    origin, start = "", 0
    while match := PREFIX.match(text, start):
        origin += "".join(f"{part}/" for part in match.groups() if part)
        start = match.end()
    return origin, text[start:]


def _message(text: str) -> list[str]:
    """The message of one JSON log object, with slot and task in the text form's place."""
    entry = only_value(text)
    if not isinstance(entry, dict):
        return []
    message = next((entry[k] for k in ("msg", "message", "log", "MESSAGE") if k in entry), None)
    if not isinstance(message, str):
        return [text]
    ids = _ids(entry)
    return [f"{_journals(entry)}{part.rstrip()}{ids}" for part in message.splitlines()]


def _journals(entry: dict[str, Any]) -> str:
    """The process that journald names, in the place of a router's child; nothing elsewhere."""
    process = str(entry.get("_PID", ""))
    return f"[{process[-6:]:>2}] " if process.isdecimal() else ""


def _ids(entry: dict[str, Any]) -> str:
    slot = entry.get("id_slot", entry.get("slot_id"))
    task = entry.get("id_task", entry.get("task_id"))
    build = (
        f" build={entry['build']} commit={entry['commit']} "
        if {"build", "commit"} <= entry.keys()
        else ""
    )
    return build if slot is None or task is None else f" | id_slot={slot} id_task={task} "
