"""Tells what an input is, from what stands in it: nobody has to say its form."""

import json
import re
from typing import Any

from speculoos.read import llama_bench, mtp_bench, speculative_simple, speed_bench, timings

METRICS = re.compile(r"^llamacpp:\w+", re.MULTILINE)
TABLE = re.compile(r"^\s*\|.*\btest\b.*\|\s*t/s\s*\|", re.MULTILINE)
SERVER_LOG = re.compile(
    r"eval time +=|draft acceptance|print_timing|\bllama_server: |\bload_model: |GGML_ASSERT\("
    r"|\bllama_model_loader: |llama-server(?:\.exe)?[\"']?\s+-|the argument has been removed"
    r"|error: invalid argument|unknown speculative type|\bstatistics +\S+: #calls|load_tensors: "
    r"|\bupdate_slots\b|CUDA error|\b(?:srv|slot) +\w+: |\b(?:llama|common)_\w+: "
)
STREAM = re.compile(r"^(?:data: *)?\{.*\"timings\": *\{", re.MULTILINE)
COMMENT = re.compile(r"\A(?:#.*(?:\n|\Z))+")

TEXT_FORMS = (
    ("mtp_bench", re.compile(mtp_bench.ROW.pattern, re.MULTILINE)),
    ("llama_bench", TABLE),
    ("metrics", METRICS),
    ("speculative_simple", speculative_simple.SPEED),
    ("timings", STREAM),
    ("server_log", SERVER_LOG),
)


def document(text: str) -> Any:
    """The input as one JSON document, its leading comment lines left out; None if it is none."""
    body = COMMENT.sub("", text).strip()
    if not body.startswith(("{", "[")):
        return None
    try:
        return json.loads(body)
    except ValueError:
        return None


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
    return [form for form, sign in TEXT_FORMS if sign.search(text)]
