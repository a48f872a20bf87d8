"""What real servers log of their buffers, beside what the header of the file let expect.

`python tests/measure/footprints.py` starts every pinned server that runs here with many models and
settings, and writes docs/memory-logged.yaml. GEMMA and LLAMA_SERVERS (NAME=PATH, separated by
commas) add a file of Gemma 3 270M, which no test may ship, and servers of one's own.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from speculoos.measure.memory import read_buffers
from speculoos.measure.server import Command, Server, ServerError
from speculoos.parts.models import smollm2
from speculoos.parts.mtp_head import merge
from speculoos.parts.servers import llama_servers
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.footprint import Model, Start, estimate, read_header

MIB = 2**20
OUT = Path(__file__).parents[2] / "docs" / "memory-logged.yaml"
KINDS = {"KV": "cache", "RS": "cache", "compute": "compute", "output": "output"}


@dataclass(frozen=True)
class Case:
    """One start of one server."""

    label: str
    model: Path
    start: Start

    @property
    def args(self) -> tuple[str, ...]:
        """The command line of the server."""
        start = self.start
        found = ["-c", str(start.context), "-ub", str(start.ubatch), "-lv", "4", "-t", "1"]
        found += ["-ctk", start.key_type, "-ctv", start.value_type, "--no-warmup"]
        found += ["-b", str(start.batch), "-fa", "on" if start.flash_attn else "off"]
        if start.kv_unified is not None:
            found.append("--kv-unified" if start.kv_unified else "--no-kv-unified")
        if start.swa_full:
            found.append("--swa-full")
        if start.parallel:
            found += ["--parallel", str(start.parallel)]
        if start.mtp:
            found += ["--spec-type", "draft-mtp", "--spec-draft-n-max", str(start.n_max)]
        return tuple(found)


def logged(binary: Path, case: Case, folder: Path) -> dict[str, float]:
    """Buffers of the model and of the draft, in MiB, as the server's log has them."""
    log = folder / f"{time.monotonic_ns()}.log"
    with Server(Command(binary, case.model, case.args, log, 60)):
        pass  # it writes its log by a thread of its own, which is only done when the server is
    text = log.read_text(encoding="utf-8", errors="replace")
    found: dict[str, float] = {}
    for buffer in read_buffers(text):
        if buffer.kind == "model":
            name = "weights" if buffer.device == "CPU_Mapped" else "repacked"
        else:
            name = ("draft_" if buffer.context > 1 else "") + KINDS[buffer.kind]
        found[name] = round(found.get(name, 0) + buffer.mib, 2)
    return found


def predicted(case: Case, build: str) -> dict[str, float]:
    """The same buffers, from the header alone; everything lies in the machine's memory here."""
    model = Model(read_header(case.model))
    found = estimate(model, replace(case.start, build=int(build[1:])))
    output = model.vocabulary * case.start.users * 4
    sizes = {
        "weights": found.model.host_weights + found.draft.host_weights,
        "cache": found.model.host_cache,
        "output": output,
        "compute": found.model.host_compute - output,
    }
    if case.start.mtp:
        sizes |= {
            "draft_cache": found.draft.host_cache,
            "draft_output": output,
            "draft_compute": found.draft.host_compute - output,
        }
    return {name: round(size / MIB, 2) for name, size in sizes.items()}


def starts(*, mtp: bool) -> Iterator[Start]:
    """Contexts, types of the cache, batches, slots, and a head."""
    for context in (512, 4096, 16384, 32768):
        yield Start(context, parallel=1, gpu_layers=0)
    for kind in ("q8_0", "q4_0"):
        yield Start(8192, parallel=1, key_type=kind, value_type=kind, gpu_layers=0)
    yield Start(8192, parallel=1, ubatch=128, gpu_layers=0)
    yield Start(8192, parallel=4, gpu_layers=0)
    yield Start(8192, gpu_layers=0)
    for n_max in (1, 3) if mtp else ():
        yield Start(8192, parallel=1, n_max=n_max, mtp=True, gpu_layers=0)


def cases(cache: Path, folder: Path) -> Iterator[Case]:
    """SmolLM2 and its head, the tiny models, small models of many architectures, Gemma."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from record import small_models  # noqa: PLC0415 - a neighbour of the tests

    trunk = smollm2(cache)
    for start in starts(mtp=False):
        yield Case("SmolLM2-135M Q4_1", trunk, start)
    merged = merge(trunk, cache / "smollm2-135m-mtp-q4_1.gguf", "Q4_1")
    for start in starts(mtp=True):
        yield Case("SmolLM2-135M Q4_1, MTP", merged, start)
    for architecture in ("mimo2", "qwen35", "step35"):
        tiny = TinyModel(Acceptance.by_step([0.8, 0.6, 0.4]), architecture)
        path = tiny.write(folder / f"tiny-{architecture}.gguf")
        for start in (
            Start(4096, parallel=1, gpu_layers=0),
            Start(4096, parallel=1, n_max=3, mtp=True, gpu_layers=0),
        ):
            yield Case(f"tiny {architecture}", path, start)
    if "GEMMA" in os.environ:
        for start in starts(mtp=False):
            yield Case("Gemma 3 270M Q4_K_M", Path(os.environ["GEMMA"]), start)
    for name, kind in small_models.KINDS.items():
        path = small_models.write(name, folder / f"{name.replace('/', '-')}.gguf")
        yield Case(f"small {name} F32", path, Start(4096, parallel=1, gpu_layers=0))
        yield Case(f"small {name} F32", path, Start(6000, gpu_layers=0))
        if kind.head:
            start = Start(4096, parallel=1, n_max=3, mtp=True, gpu_layers=0)
            yield Case(f"small {name} F32", path, start)
    for name in ("qwen35moe", "qwen3next"):
        path = small_models.write(name, folder / f"{name}-4.gguf", expert_used_count=4)
        yield Case(f"small {name} F32, 4 experts", path, Start(4096, parallel=1, gpu_layers=0))


def servers(cache: Path, case: Case) -> Iterator[tuple[str, Path]]:
    """Pinned builds; with plain weights those that the environment names, too."""
    for part in llama_servers(cache):
        yield part.build, part.path
    for named in filter(None, os.environ.get("LLAMA_SERVERS", "").split(",")):
        if "Q4" in case.label:
            break
        build, _, path = named.partition("=")
        yield build, Path(path)


def row(build: str, case: Case, found: dict[str, float]) -> str:
    """One line of the file."""
    start = case.start
    said = {
        "model": case.label, "build": build, "context": start.context, "slots": start.users,
        "unified": start.room.unified, "ubatch": start.ubatch, "kv_type": start.key_type,
        "n_max": start.n_max, "logged": found, "predicted": predicted(case, build),
    }  # fmt: skip
    return "- " + json.dumps(said)


def main() -> None:
    """Start everything, and write the file."""
    cache = Path.home() / ".cache" / "speculoos"
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in cases(cache, folder):
            for build, binary in servers(cache, case):
                try:
                    lines.append(row(build, case, logged(binary, case, folder)))
                except ServerError as error:
                    print(f"{build}: {case.label}: {error}", file=sys.stderr)  # noqa: T201 - a tool
    day = datetime.now(UTC).date()
    head = (
        "# Buffers that real servers logged, and what was expected from the header, in MiB.\n"
        "# Written by tests/measure/footprints.py; one start of a server a line.\n"
        f"format: 1\ndate: {day}\nstarts:\n"
    )
    OUT.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
