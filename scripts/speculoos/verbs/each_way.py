"""The same prompts asked in several ways by one command: one measurement and one file each."""

import time
from collections.abc import Iterable, Iterator
from itertools import product
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import click

from speculoos.measure.clock import Clock, process_began
from speculoos.measure.resume import NothingToResumeError
from speculoos.record.store import load_measurement
from speculoos.record.summary import Summary, summarise
from speculoos.record.workloads import side_by_side
from speculoos.terminal import console, show_side_by_side

Reasoning = Literal["off", "on", "both"]


def each_way(context: click.Context, depths: tuple[int, ...], reasoning: Reasoning) -> None:
    """One measurement a way, then their difference; the budget is shared between them.

    What fails in one way does not keep the others from being made, and what one way leaves of
    the budget is for those behind it.
    """
    if context.params["out"] is not None:
        raise click.UsageError("--out names one file, several ways need one each; leave it out")
    ways = list(product(depths, ("off", "on") if reasoning == "both" else (reasoning,)))
    clock = Clock(context.params["budget"], process_began())
    files, failed = [], []
    for done, (depth, mode) in enumerate(ways):
        share = max(clock.left_s, 0) / (len(ways) - done)
        context.obj = time.monotonic()  # from here on this way spends its share
        own = {"context_depths": (depth,), "reasoning": mode}
        made = _one(context, own | {"budget": share if isfinite(share) else None})
        if made is None:
            failed.append(f"at depth {depth}" + (" with reasoning" if mode == "on" else ""))
        else:
            files.append(made)
    show_side_by_side(console(), side_by_side(_summaries(files)))
    if failed:
        raise click.ClickException(f"nothing to compare {', '.join(failed)}")


def _one(context: click.Context, own: dict[str, object]) -> Path | None:
    try:
        made = _made(context, context.params | own)
    except click.UsageError:
        raise
    except click.ClickException as error:
        error.show()
        return None
    assert isinstance(made, Path)
    return made


def _made(context: click.Context, asked: dict[str, Any]) -> object:
    """A way that an interrupted command had not begun is begun now."""
    try:
        return context.invoke(context.command, **asked)
    except NothingToResumeError:
        return context.invoke(context.command, **asked | {"resume": False})


def _summaries(files: Iterable[Path]) -> Iterator[Summary]:
    return (summarise(load_measurement(file).record) for file in files)
