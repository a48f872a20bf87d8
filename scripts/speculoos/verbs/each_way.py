"""The same prompts asked in several ways by one command: one measurement and one file each."""

from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Literal

import click

from speculoos.record.store import load_measurement
from speculoos.record.summary import Summary, summarise
from speculoos.record.workloads import side_by_side
from speculoos.terminal import console, show_side_by_side

Reasoning = Literal["off", "on", "both"]


def each_way(context: click.Context, depths: tuple[int, ...], reasoning: Reasoning) -> None:
    """One measurement a way, then their difference; the budget is shared between them.

    What fails in one way does not keep the others from being made.
    """
    if context.params["out"] is not None:
        raise click.UsageError("--out names one file, several ways need one each; leave it out")
    ways = list(product(depths, ("off", "on") if reasoning == "both" else (reasoning,)))
    files, failed = [], []
    for depth, mode in ways:
        made = _one(context, depth, mode, len(ways))
        if made is None:
            failed.append(f"at depth {depth}" + (" with reasoning" if mode == "on" else ""))
        else:
            files.append(made)
    show_side_by_side(console(), side_by_side(_summaries(files)))
    if failed:
        raise click.ClickException(f"nothing to compare {', '.join(failed)}")


def _one(context: click.Context, depth: int, mode: str, ways: int) -> Path | None:
    budget = context.params["budget"]
    share = None if budget is None else budget / ways
    own = {"context_depths": (depth,), "reasoning": mode, "budget": share}
    try:
        made = context.invoke(context.command, **context.params | own)
    except click.UsageError:
        raise
    except click.ClickException as error:
        error.show()
        return None
    assert isinstance(made, Path)
    return made


def _summaries(files: Iterable[Path]) -> Iterator[Summary]:
    return (summarise(load_measurement(file).record) for file in files)
