"""The ways a server fails, known by the line it prints: kind, remedy, and the anchor that explains.

The lines are those of b10434 and b11434; a message that no fault knows is shown as it is.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One known way to fail. `kind` is a slug and the anchor of its pitfall."""

    kind: str
    pattern: re.Pattern[str]
    remedy: str


def _fault(kind: str, pattern: str, remedy: str) -> Fault:
    return Fault(kind, re.compile(pattern, re.IGNORECASE), remedy)


FAULTS = (
    _fault(
        "no-head",
        r"context type MTP requested but model doesn't contain MTP layers",
        "this file has no MTP head; get a GGUF whose header says nextn_predict_layers > 0",
    ),
    _fault(
        "unknown-spec-type",
        r"unknown speculative type",
        "this build does not know the type; see --help of the server, or use a newer build",
    ),
    _fault(
        "removed-flag",
        r"the argument has been removed",
        "use the flag that the server names; --draft-max became --spec-draft-n-max",
    ),
    _fault(
        "invalid-argument",
        r"error: (?:invalid argument|unknown argument|invalid value)",
        "correct what follows -- on the command line; see --help of the server",
    ),
    _fault("port-taken", r"couldn't bind", "another server holds the port; try again"),
    _fault(
        "n-max-too-large",
        r"GGML_ASSERT\((?:n_outputs_max <= cparams\.n_outputs_max|n_ubatch > n_keep_tail)\)",
        "the draft does not fit the batch; use a smaller n_max or a larger -b, and never n_max 0",
    ),
    _fault(
        "out-of-memory",
        r"out of memory|OutOfDeviceMemory|failed to allocate|unable to allocate|bad_alloc",
        "use a smaller context (-c), fewer layers on the card (-ngl), or a smaller n_max",
    ),
    _fault(
        "broken-model",
        r"data is not within the file bounds|invalid magic|failed to (?:load model|open GGUF)",
        "the file is cut, not a GGUF, or of an architecture that this build does not know",
    ),
)

ILLEGAL_INSTRUCTION = Fault(
    "illegal-instruction",
    re.compile(r"SIGILL"),
    "this llama-server was built for another processor; use a portable build or build it here",
)
HANG = Fault(
    "no-answer",
    re.compile(r"deadline"),
    "the server did not answer in time; raise --request-timeout, or suspect an endless draft",
)
CRASH = Fault(
    "crash",
    re.compile(r"GGML_ASSERT|GGML_ABORT|terminate called"),
    "the server died; the last lines of its log say where",
)


def recognise(text: str) -> Fault | None:
    """The first known fault that a log names."""
    return next((fault for fault in FAULTS if fault.pattern.search(text)), None)


def by_kind(kind: str) -> Fault | None:
    """The fault of a record's `incident.kind`."""
    known = (*FAULTS, ILLEGAL_INSTRUCTION, HANG, CRASH)
    return next((fault for fault in known if fault.kind == kind), None)
