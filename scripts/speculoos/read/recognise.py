"""Tells what an input is, from what stands in it: nobody has to say its form."""

import re
from collections.abc import Iterator
from typing import Any

from speculoos.read import (
    llama_bench,
    llama_bench_rows,
    mtp_bench,
    speculative_simple,
    speed_bench,
    timings,
)
from speculoos.read.blocks import OTHER_PROGRAMS
from speculoos.read.json_text import value_at

METRICS = re.compile(r"^llamacpp:\w+", re.MULTILINE)
TABLE = re.compile(
    rf"^\s*\|.*\btest\b.*\|\s*t/s\s*\||{llama_bench_rows.BEGIN.pattern}", re.MULTILINE
)
SERVER_LOG = re.compile(
    r"eval time +=|draft acceptance|print_timing|\bllama_server: |\bload_model: |GGML_ASSERT\("
    r"|\bllama_model_loader: |llama-server(?:\.exe)?[\"']?\s+[-\\^`]|the argument has been removed"
    r"|error: invalid argument|unknown speculative type|\bstatistics +\S+: #calls|load_tensors: "
    r"|\bupdate_slots\b|CUDA error|\b(?:srv|slot) +\w+: |\b(?:llama|common)_\w+: "
)
OF_OTHERS = re.compile(rf"^.*(?:{'|'.join(OTHER_PROGRAMS)}).*$", re.MULTILINE)
"""What other programs print about a whole run looks like a server's lines."""
STREAM = re.compile(
    r"^(?:data: *)?\{.*\"(?:timings\": *\{|predicted_(?:ms|per_second)\": *\d)", re.MULTILINE
)
PIECE = re.compile(r"^[ \t]*(?:\"timings\": *)?(?=\[?\s*\{)", re.MULTILINE)
"""Where a value of several lines may begin in a text of something else."""
FRONT = re.compile(r"\A(?:\s*\n|[#$].*\n|HTTP/.*\n|[A-Za-z-]+: .*\n)*\s*")
TIMINGS = re.compile(r"\"timings\": *")

TEXT_FORMS = (
    ("mtp_bench", re.compile(mtp_bench.ROW.pattern, re.MULTILINE)),
    ("llama_bench", TABLE),
    ("metrics", METRICS),
    ("speculative_simple", speculative_simple.SPEED),
    ("timings", STREAM),
    ("server_log", SERVER_LOG),
)


def documents(text: str) -> tuple[list[tuple[str, Any]], bool]:
    """The form and value of each JSON document of a text that holds nothing else, and if whole.

    Comment lines, and what a shell or HTTP puts in front, may stand before the first. Of a
    document that was cut, those of its parts are given that are whole.
    """
    body = FRONT.sub("", text, count=1)
    if not body.startswith(("{", "[")):
        return [], True
    values, rest = _values(body)
    parts = list(_parts(rest))
    found = [(form, value) for value in (*values, *parts) if (form := json_form(value))]
    return (found if len(found) == len(values) + len(parts) else []), not rest


def pieces(text: str) -> Iterator[tuple[str, Any]]:
    """The form and value of JSON of several lines in a text of something else, as in an issue."""
    end = 0
    for match in PIECE.finditer(text):
        if match.end() < end:
            continue
        found = value_at(text, match.end())
        if found is None:
            continue
        end = found.end
        several = "\n" in text[match.end() : end] or match[0].strip()
        if several and (form := json_form(found.value)):
            yield form, found.value


def _values(text: str) -> tuple[list[Any], str]:
    """JSON values one behind the other, and what is left."""
    values: list[Any] = []
    rest = text.strip()
    while rest.startswith(("{", "[")):
        found = value_at(rest)
        if found is None:
            break
        values.append(found.value)
        rest = rest[found.end :].lstrip(" \t\r\n,")
    return values, rest


def _parts(rest: str) -> Iterator[Any]:
    """The whole rows of a list that was cut, or the whole `timings` of an answer that was."""
    lists = re.match(r"\[|\{(?s:.*?)\"results\": *\[", rest)
    if lists:
        rows, _ = _values(rest[lists.end() :])
        if rows:
            yield rows if lists[0] == "[" else {"results": rows}
        return
    for match in TIMINGS.finditer(rest):
        values, _ = _values(rest[match.end() :])
        yield from values[:1]


def json_form(found: Any) -> str | None:
    """The form of a JSON document."""
    if speed_bench.is_run(found):
        return "speed_bench"
    if llama_bench.is_rows(found):
        return "llama_bench"
    entries = found if isinstance(found, list) else [found]
    return "timings" if any(timings.is_timings(entry) for entry in entries) else None


def text_forms(text: str) -> list[str]:
    """The forms that occur in a text, in the order in which they are read."""
    own = OF_OTHERS.sub("", text)
    return [form for form, sign in TEXT_FORMS if sign.search(own)]
