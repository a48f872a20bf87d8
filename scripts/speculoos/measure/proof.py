"""Proof that the figures belong to the child that was started, and that speculation is on."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from speculoos.measure.server import Server
from speculoos.record import faults
from speculoos.record.blocks import answers, asked
from speculoos.record.store import sha256_of
from speculoos.record.types import NO_SPECULATION, Proof, Run, Settings

_NEVER_DRAFTED = 2
"""Tokens: so short a text never drafts, whatever the setting."""


def prove(server: Server, model: Path, settings: Settings) -> Proof:
    """Whose port it is, and what the server says of itself; `ServerError` where that is wrong.

    `/slots[].speculative` is the one field that tells the truth: `/props` says `none` whatever
    runs, and an answer's settings repeat what was asked (b10434, b11434).
    """
    props = server.client.props()
    if props.get("role") == "router":
        raise server.refusal(faults.NO_MODEL, "/props says role: router")
    path = str(props.get("model_path", ""))
    if not path or Path(path).resolve() != model.resolve():
        raise server.refusal(faults.OTHER_SERVER, "the model is another one")
    flags = [slot["speculative"] for slot in server.client.slots() if "speculative" in slot]
    if wrong := _speculation_fault(any(flags) if flags else None, settings):
        raise server.refusal(wrong)
    return Proof(
        port_owner="child" if server.owns_port() else "unknown",
        model_path="match",
        speculative=any(flags) if flags else None,
        draft_n=0,
        program_sha256=_sha256_of(program) if (program := server.program()) else None,
    )


@functools.cache
def _sha256_of(path: Path) -> str:
    return sha256_of(path)


def _speculation_fault(speculative: bool | None, settings: Settings) -> faults.Fault | None:  # noqa: FBT001
    wanted = settings.spec_type != NO_SPECULATION
    if speculative is None or speculative == wanted:
        return None
    return faults.SILENTLY_OFF if wanted else faults.ON_IN_BASELINE


def prove_drafting(server: Server, run: Run) -> None:
    """`ServerError` where a whole run speculates but never drafts.

    An n-gram that finds nothing to repeat is a result, not a fault.
    """
    quiet = run.settings.spec_type == NO_SPECULATION or run.settings.spec_type.startswith("ngram")
    counted = answers(run)
    long = any(one.predicted_n > _NEVER_DRAFTED for one in counted)
    if long and not quiet and not any(one.draft_n for one in counted):
        line = "draft_n is 0 in every sample"
        raise server.refusal(faults.NOTHING_DRAFTED, line, len(asked(run)))


@dataclass(frozen=True)
class Files:
    """The files of a measurement as they were at its beginning, when their hashes were taken."""

    seen: tuple[tuple[Path, int, int], ...]
    """Path, size and time of the last change: a hash of a large model costs minutes."""

    @classmethod
    def of(cls, paths: Iterable[Path | None]) -> Self:
        """Look at them now."""
        return cls(tuple(_look(path) for path in paths if path is not None))

    def prove(self, server: Server) -> None:
        """`ServerError` where one of them has been replaced since."""
        for path, *before in self.seen:
            if [*_look(path)][1:] != before:
                raise server.refusal(faults.FILE_CHANGED, f"{path.name} has been replaced")


def _look(path: Path) -> tuple[Path, int, int]:
    try:
        state = path.stat()
    except OSError:
        return path, -1, -1
    return path, state.st_size, state.st_mtime_ns
