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


PORT_TAKEN = _fault("port-taken", r"couldn't bind", "another server holds the port; try again")
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
        "extra-file",
        r"failed to (?:load|apply) (?:lora|multimodal|CLIP|control vector)|static lookup cache"
        r"|chat template is not supported",
        "a file beside the model is missing or made for another; correct its path, or leave it out",
    ),
    _fault(
        "missing-library",
        r"error while loading shared libraries",
        "keep the server's lib*.so files beside it, or name their folder in LD_LIBRARY_PATH",
    ),
    _fault(
        "invalid-argument",
        r"error: (?:invalid argument|unknown argument|invalid value)"
        r"|error while handling argument",
        "correct what follows -- on the command line; see --help of the server",
    ),
    PORT_TAKEN,
    _fault(
        "n-max-too-large",
        r"GGML_ASSERT\((?:n_outputs_max <= cparams\.n_outputs_max|n_ubatch > n_keep_tail"
        r"|add_ok && \"batch must be large enough)",
        "the draft does not fit the batch; use a smaller n_max or a larger -b, and never n_max 0",
    ),
    _fault(
        "context-too-small",
        r"exceeds? the available context size",
        "a prompt does not fit; use a larger context (-c) or shorter prompts",
    ),
    _fault(
        "draft-mismatch",
        r"GGML_ASSERT\(n_embd == llama_model_n_embd",
        "the draft model is as wide as another model; take the head that was made for this one",
    ),
    _fault(
        "out-of-memory",
        r"out of memory|OutOfDeviceMemory|failed to allocate|unable to allocate|bad_alloc"
        r"|insufficient memory|GGML_ASSERT\(ctx->mem_buffer != NULL\)",
        "use a smaller context (-c), fewer layers on the card (-ngl), or a smaller n_max",
    ),
    _fault(
        "broken-draft-model",
        r"failed to load draft model|failed to measure draft model memory: failed to load",
        "the draft model's file is missing, cut, or unknown to this build; see --draft-model",
    ),
    _fault(
        "broken-model",
        r"data is not within the file bounds|invalid magic|failed to (?:load model|open GGUF)",
        "the file is cut, not a GGUF, or of an architecture that this build does not know",
    ),
)

ILLEGAL_INSTRUCTION = _fault(
    "illegal-instruction",
    r"SIGILL",
    "this llama-server was built for another processor; use a portable build or build it here",
)
HANG = _fault(
    "no-answer",
    r"deadline",
    "the server did not answer in time; raise --request-timeout, or suspect an endless draft",
)
CRASH = _fault(
    "crash",
    r"GGML_ASSERT|GGML_ABORT|terminate called",
    "the server died; the last lines of its log say where",
)
KILLED = _fault(
    "killed",
    r"SIGKILL",
    "something killed the server, most often the system for want of memory; see the system's log, "
    "or use a smaller context (-c)",
)
STOPPED = _fault(
    "stopped",
    r"cleaning up before exit",
    "something else stopped the server; let it run until the measurement ends",
)
CUT_ANSWER = _fault(
    "cut-answer",
    r"deadline",
    "the server runs but its answer broke off; the last lines of its log say where",
)
OTHER_SERVER = _fault(
    "other-server",
    r"couldn't bind",
    "stop the other llama-server and try again",
)
NO_MODEL = _fault(
    "no-model",
    r"router",
    "the server runs as a router without a model; remove what keeps it from reading --model",
)
SILENTLY_OFF = _fault(
    "silently-off",
    r"vocabs are not compatible|vocab type must match|failed to initialize speculative",
    "use a draft model with the vocabulary of the model; the server's log says what it lacks",
)
ON_IN_BASELINE = _fault(
    "on-in-baseline",
    r"initialized speculative",
    "leave every flag of speculation out of the arguments after --",
)
FILE_CHANGED = _fault(
    "file-changed",
    r"replaced",
    "measure again, and let nothing replace the server or a model meanwhile",
)
NO_REASONING = _fault(
    "no-reasoning",
    r"thinking",
    "the chat template of this model knows no reasoning; measure without --reasoning",
)
NOTHING_DRAFTED = _fault(
    "nothing-drafted",
    r"draft",
    "speculation is on but never drafts; use an n_min below n_max and a smaller p_min",
)

_OBSERVED = (
    *(ILLEGAL_INSTRUCTION, HANG, CRASH, KILLED, STOPPED, CUT_ANSWER),
    *(OTHER_SERVER, NO_MODEL, FILE_CHANGED, NO_REASONING),
    *(SILENTLY_OFF, ON_IN_BASELINE, NOTHING_DRAFTED),
)
"""Known by how the process ended or by what it does, not by a line alone."""


PASSING = frozenset(
    fault.kind for fault in (HANG, KILLED, STOPPED, CUT_ANSWER, OTHER_SERVER, PORT_TAKEN)
)
"""Kinds that may be gone at another start."""


def recognise(text: str) -> Fault | None:
    """The first known fault that a log names."""
    return next((fault for fault in FAULTS if fault.pattern.search(text)), None)


def by_kind(kind: str) -> Fault | None:
    """The fault of a record's `incident.kind`."""
    return next((fault for fault in (*FAULTS, *_OBSERVED) if fault.kind == kind), None)
