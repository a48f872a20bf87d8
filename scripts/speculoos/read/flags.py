"""Flags of speculative decoding that went or never were, and what to write today.

Renamed in llama.cpp PR 22397 (flags, April 2026) and PR 22964 (names of types, May 2026).
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

COMMAND = re.compile(r"llama-server(?:\.exe)?[\"']?(?=\s+(?:-|[\\^`]\s*$))")
GOES_ON = re.compile(r"\s[\\^`]\s*$")
"""How a command is continued on the next line: by a POSIX shell, cmd, PowerShell."""
COUNT = re.compile(r"[0-9]{1,9}")
N_MAX_FLAGS = (
    "--spec-draft-n-max",
    "--spec-ngram-mod-n-max",
    "--draft-max",
    "--draft-n",
    "--draft",
)
TYPES = {"mtp": "draft-mtp", "draft": "draft-simple", "eagle3": "draft-eagle3"}
DEPTH = {
    "--draft": "n-max", "--draft-n": "n-max", "--draft-max": "n-max",
    "--draft-min": "n-min", "--draft-n-min": "n-min",
}  # fmt: skip
NGRAM = {"--spec-ngram-size-n": "size-n", "--spec-ngram-size-m": "size-m",
         "--spec-ngram-min-hits": "min-hits"}  # fmt: skip
NEVER = {"--draft-n-max": "--spec-draft-n-max", "--draft-n-min": "--spec-draft-n-min",
         "--draft-model": "--spec-draft-model"}  # fmt: skip
DRAFT_MODEL = ("-md", "--model-draft", "--spec-draft-model", "--draft-model")
SPECULATES = ("--spec-type", "--spec-default")


@dataclass(frozen=True, slots=True)
class Change:
    """One flag as it was written, why it does not work, and its form today."""

    flag: str
    today: str
    why: str


class Continued:
    """Puts the lines of a command together again."""

    def __init__(self) -> None:
        self.text, self.last = "", -1

    def take(self, line: str, number: int) -> str:
        """The line, with those before it that it continues; nothing while it goes on."""
        if number != self.last + 1:
            self.text = ""
        if not self.text and not COMMAND.search(line):
            return line
        goes_on = GOES_ON.search(line)
        whole = f"{self.text}{line[: goes_on.start()] if goes_on else line} "
        self.text, self.last = (whole, number) if goes_on else ("", -1)
        return "" if goes_on else whole.rstrip()


def arguments(line: str) -> list[tuple[str, str | None]]:
    """The (flag, value) pairs of the llama-server command in a line; none where there is none."""
    match = COMMAND.search(line)
    if match is None:
        return []
    rest = line[match.end() :]
    if "`" in line[: match.start()]:  # quoted in Markdown
        rest = rest.partition("`")[0]
    return list(_pairs(_split(rest)))


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quote that the line does not close
        return text.split()


def _pairs(words: list[str]) -> Iterator[tuple[str, str | None]]:
    for index, word in enumerate(words):
        flag, equals, value = word.partition("=")
        if not _is_flag(flag):
            continue
        following = words[index + 1] if index + 1 < len(words) else None
        takes = following is not None and not _is_flag(following)
        yield flag, value if equals else (following if takes else None)


def _is_flag(word: str) -> bool:
    return bool(re.match(r"--?[A-Za-z]", word))


def n_max_of(pairs: list[tuple[str, str | None]]) -> int | None:
    """The n_max that a command asks for."""
    found = [v for flag, v in pairs if flag in N_MAX_FLAGS and v and COUNT.fullmatch(v)]
    return int(found[-1]) if found else None


def changes(pairs: list[tuple[str, str | None]]) -> list[Change]:
    """What must be written otherwise today, in the order of the command."""
    kind = next((v for flag, v in pairs if flag == "--spec-type" and v), "")
    return [change for flag, value in pairs if (change := _change(flag, value, kind))]


def drafts_in_vain(pairs: list[tuple[str, str | None]]) -> str | None:
    """The draft model of a command that names no type: it is loaded and never used."""
    if any(flag in SPECULATES for flag, _ in pairs):
        return None
    return next((f"{f} {v}" for f, v in pairs if f in DRAFT_MODEL and v), None)


def _change(flag: str, value: str | None, kind: str) -> Change | None:
    written = f"{flag} {value}" if value else flag
    if flag in NEVER and flag != "--draft-n-min":
        return Change(written, _with(NEVER[flag], value), "this flag never existed")
    if flag in DEPTH:
        return Change(written, _with(_depth(DEPTH[flag], kind), value), "the flag was removed")
    if flag in NGRAM:
        return Change(written, _with(_ngram(NGRAM[flag], kind), value), "the flag was removed")
    if flag == "--spec-type" and value and (new := _types(value)) != value:
        return Change(written, f"--spec-type {new}", "the type has another name now")
    return None


def _depth(end: str, kind: str) -> str:
    if "ngram-mod" in kind:
        return f"--spec-ngram-mod-{end}"
    return f"--spec-draft-{end}"


def _ngram(end: str, kind: str) -> str:
    if "ngram-mod" in kind:
        return "--spec-ngram-mod-n-match" if end == "size-n" else f"--spec-ngram-mod-{end}"
    name = next((part for part in kind.split(",") if part.startswith("ngram-")), "ngram-*")
    return f"--spec-{name}-{end}"


def _types(value: str) -> str:
    return ",".join(TYPES.get(part, part) for part in value.split(","))


def _with(flag: str, value: str | None) -> str:
    return f"{flag} {value}" if value else flag


def today(flag: str) -> str:
    """The present form of a flag that a server refused, without knowing the command."""
    if flag in DEPTH:
        end = DEPTH[flag]
        return f"--spec-draft-{end} (draft model, MTP) or --spec-ngram-mod-{end}"
    if flag in NGRAM:
        return f"--spec-ngram-<type>-{NGRAM[flag]}"
    return NEVER.get(flag, "?")
