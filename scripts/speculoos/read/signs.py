"""Lines by which a log gives a fault away, each with the anchor of its pitfall."""

import re

from speculoos.record import faults

ASSERT = re.compile(r"GGML_ASSERT\((.+)\) failed")
ASSERTIONS = (
    ("n-max-zero", "n_outputs_max <= cparams.n_outputs_max"),
    ("n-max-too-large", "n_ubatch > n_keep_tail"),
    ("n-max-too-large", "batch must be large enough"),
    ("draft-mismatch", "n_embd == llama_model_n_embd"),
    ("broken-releases", "n_layer_nextn < hparams.n_layer_all"),
    ("split-mode-tensor", "split_state"),
)
ABORT = re.compile(
    r"\.(?:cpp|cc|c|cu|cuh|h|m|mm|hpp):\d+: (?!GGML_ASSERT)(.+)$"
    r"|(CUDA error: .+|Segmentation fault|Aborted \(core dumped\)|terminate called .+"
    r"|exited with code 13[49]\b|code=dumped, status=.+)"
)
MEMORY = re.compile(
    r"out of memory|cudaMalloc failed|OutOf(?:Device|Host)Memory|bad_alloc"
    r"|failed to allocate (?!graph, )|unable to allocate"
)
_FROM_THE_RECORD = (
    "no-head", "port-taken", "context-too-small", "broken-draft-model", "broken-model",
)  # fmt: skip
_HERE = (
    ("draft-mismatch", r"vocabs are not compatible|draft model vocab type must match"),
    ("killed", r"Killed process \d+ \(llama|code=killed, status=9|exited with code 137\b"),
    ("illegal-instruction", r"Illegal instruction|code=(?:killed|dumped), status=4|code 132\b"),
    ("synthetic", r"synthetic speculative acceptance"),
)
SIGNS = (
    *((kind, found.pattern) for kind in _FROM_THE_RECORD if (found := faults.by_kind(kind))),
    *((kind, re.compile(pattern)) for kind, pattern in _HERE),
)
"""A line of another pattern of the same log says nothing new: one hint a kind and start."""
NEEDLES = (
    b"GGML_ASSERT", b"CUDA error", b"Segmentation fault", b"Aborted (", b"terminate called",
    b"exited with code 1", b"code=dumped", b"code=killed", b"Killed process",
    b"Illegal instruction", b"out of memory", b"OutOfDeviceMemory", b"OutOfHostMemory",
    b"bad_alloc", b"cudaMalloc failed", b"failed to allocate", b"unable to allocate",
    b"couldn't bind", b"vocabs are not", b"vocab type must", b"failed to load", b"failed to open",
    b"file bounds", b"invalid magic", b"doesn't contain MTP", b"has been removed",
    b"invalid argument", b"unknown speculative", b"available context size",
)  # fmt: skip
"""Looked for all over a long log: a server may die far from its start."""


def assertions(text: str) -> list[str]:
    """What a failed assertion is known for, beside a crash."""
    return list(dict.fromkeys(kind for kind, part in ASSERTIONS if part in text))


def todo(kind: str) -> str:
    """What to do about a fault; nothing where only its pitfall says."""
    found = faults.by_kind(kind)
    return f"; {found.remedy}" if found else ""
