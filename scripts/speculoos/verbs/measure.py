import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import click
from rich.console import Console

from speculoos.measure.build import find_server
from speculoos.measure.clock import Clock, process_began
from speculoos.measure.lock import held
from speculoos.measure.pace import time_baseline
from speculoos.measure.plan import Plan, refused
from speculoos.measure.prepare import About, default_out, head, keep, planned, this_machine
from speculoos.measure.preset import PRESETS, QUICK_S, cut
from speculoos.measure.prompts import Workload, find_prompt_set
from speculoos.measure.resume import is_open, newest, resumed
from speculoos.measure.run import BaselineFailedError, measure
from speculoos.measure.search import first_rungs
from speculoos.measure.spec_types import SPEC_TYPES
from speculoos.options import MEASUREMENTS, RESULT_FILE, depths_of, folder_of, root_of
from speculoos.progress import Display, Sitting, expected
from speculoos.record.blocks import asked
from speculoos.record.store import load_measurement
from speculoos.record.summary import summarise
from speculoos.record.types import Measurement
from speculoos.record.types.part import LONGEST_TEXT
from speculoos.terminal import console, show_summary
from speculoos.verbs.budget import Hashed, too_small, within
from speculoos.verbs.each_way import each_way
from speculoos.verbs.measure_options import measure_options
from speculoos.verbs.sending import way_to_the_site

MOST_IN_A_GRID, MOST_NAMED = 4, 8
"""Depths that are all measured: those of a type by default, and those that a person names."""


@click.command(
    "measure", epilog="Exit codes: 0 done, 1 no usable result, 2 wrong usage, 130 interrupted."
)
@measure_options
@click.argument("server_args", nargs=-1, type=click.UNPROCESSED)
def measure_command(  # noqa: PLR0913 - one parameter an option
    server: Path | None,
    model: Path,
    draft_model: Path | None,
    spec_type: str,
    depths: tuple[int, ...] | None,
    prompt_set: str,
    blocks: int | None,
    max_tokens: int | None,
    preset: str,
    budget: float | None,
    request_timeout: float,
    machine_id: str | None,
    contributor: str,
    out: Path | None,
    server_args: tuple[str, ...],
    context_depths: tuple[int, ...],
    reasoning: Literal["off", "on", "both"],
    parallel: int,
    *,
    grid: bool,
    resume: bool,
) -> Path | None:
    """Measure a model with and without speculation, on a llama-server of its own.

    One server is started for every setting of every block, on a free loopback port; what follows
    -- goes to each of them.

    \b
    speculoos measure --model qwen.gguf --n-max 1-8 -- -ngl 99 -c 8192
    speculoos measure --model big.gguf --draft-model small.gguf --spec-type draft-simple
    speculoos measure --model any.gguf --spec-type ngram-simple --n-max 16,48 --prompts rewrite-1
    speculoos measure --model qwen.gguf --quick
    speculoos measure --model qwen.gguf --depth 0,4k,16k -- -c 20480
    speculoos measure --model qwen.gguf --reasoning both
    speculoos measure --model qwen.gguf --parallel 4 --n-max 1-3 -- -c 16384
    speculoos measure --model qwen.gguf --n-max 1-16 --budget 30m
    speculoos measure --model qwen.gguf --n-max 1-8 --resume -- -ngl 99 -c 8192
    """
    context = click.get_current_context()
    if len(context_depths) > 1 or reasoning == "both":
        each_way(context, context_depths, reasoning)
        return None
    if wrong := list(refused(server_args)):
        raise click.UsageError("\n".join(wrong))
    if SPEC_TYPES[spec_type].needs_draft and draft_model is None:
        raise click.UsageError(f"{spec_type} needs a second model; give it with --draft-model")
    if resume and preset == "quick":
        raise click.UsageError("--quick is cut to this moment; start it anew, without --resume")
    clock = Clock(budget, context.obj or process_began())
    size = PRESETS[preset]
    tried = depths_of(spec_type, depths)
    if parallel > 1 and tried and not depths:
        tried = first_rungs(tried)
    most = MOST_NAMED if depths else MOST_IN_A_GRID
    prompts = find_prompt_set(prompt_set, [MEASUREMENTS / "prompts"])
    if parallel > len(prompts.record.prompts):
        count = len(prompts.record.prompts)
        raise click.UsageError(f"--parallel {parallel}: {prompt_set} has {count} prompts only")
    plan = Plan(
        binary=find_server(server, [os.environ.get("LLAMA_SERVER"), shutil.which("llama-server")]),
        model=model,
        draft_model=draft_model,
        spec_type=spec_type,
        depths=tried,
        prompts=prompts,
        blocks=blocks or size.blocks,
        repeats=0 if blocks else size.repeats,
        least_blocks=size.least_blocks,
        narrow=size.narrow,
        budget_s=budget,
        search=not grid and preset != "quick" and parallel == 1 and len(tried) > most,
        parallel=parallel,
        max_tokens=max_tokens or size.max_tokens,
        workload=Workload(reasoning == "on", *context_depths),
        request_timeout_s=request_timeout,
        extra=server_args,
        command=command_line(sys.argv[1:]),
    )
    if out is not None and not resume:
        RESULT_FILE.new(out)
    root = root_of(out)
    machine = this_machine(root, machine_id or folder_of(out))
    screen = console()
    screen.print(f"Reading {model.name} …", markup=False)
    watching = partial(Hashed, out=screen, clock=clock)
    with within(clock):
        start = head(plan, machine, About(contributor), watching, clock.until)
    usual = default_out(root, plan, machine)
    target = out or (newest(usual, plan, start) if resume else RESULT_FILE.free(usual))
    with held(target):  # before anything loads the machine, on which another may be measuring
        if target.exists():
            start = _resumed(screen, target, plan, start)
        keep(root, machine, plan)
        timing = time_baseline(plan, clock) if _goes_on(start) else None
        if preset == "quick" and timing is not None:
            plan = cut(plan, timing, min(QUICK_S - clock.spent_s, clock.left_s))
            start = planned(start, plan)
        _run_plan(screen, Sitting(plan, start, target, clock, timing))
    return target


def _goes_on(start: Measurement) -> bool:
    """Whether there is anything to measure: it is new, or stopped before it had its answer."""
    return not start.runs or is_open(start)


def _resumed(out: Console, target: Path, plan: Plan, start: Measurement) -> Measurement:
    """The record of `target`, ready to go on, and a line that says what it holds."""
    record = resumed(target, plan, start)
    samples = sum(len(asked(run)) for run in record.runs)
    said = "Resuming" if is_open(record) else "Complete already:"
    out.print(f"{said} {target}, {samples} samples measured.", markup=False)
    return record


def _run_plan(out: Console, sitting: Sitting) -> None:
    """Measure with a display, then say what the file says; raises `ClickException`."""
    before_s = sitting.clock.spent_s
    if _goes_on(sitting.start):
        out.print(expected(sitting), markup=False)
        measured(out, sitting)
    if not sitting.target.exists():
        raise click.ClickException(too_small(sitting, before_s))
    summary = summarise(load_measurement(sitting.target).record)
    show_summary(out, summary)
    out.print(f"Saved: {sitting.target}", markup=False, soft_wrap=True)
    if not is_open(summary.measurement):
        for line in way_to_the_site(sitting.target):
            out.print(line, markup=False, highlight=False, soft_wrap=True)
    if not any(point.speedup for point in summary.points):
        if is_open(summary.measurement):
            raise click.ClickException(too_small(sitting, before_s))
        raise click.ClickException("no setting could be compared with the baseline")


def measured(out: Console, sitting: Sitting) -> None:
    """Measure with a display; raises `ClickException` where there is nothing to compare with."""
    plan, clock = sitting.plan, sitting.clock
    with Display(out, sitting) as display:
        try:
            for event in measure(plan, sitting.start, sitting.target, clock):
                display.show(event)
        except BaselineFailedError as error:
            raise click.ClickException(f"the baseline cannot be measured. {error}") from error


def command_line(arguments: Sequence[str]) -> str:
    """The command as it was typed, with every path reduced to its name, as far as it has room."""
    typed = shlex.join(["speculoos", *(_name(word) for word in arguments)])
    return typed if len(typed) <= LONGEST_TEXT else f"{typed[: LONGEST_TEXT - 1]}…"


def _name(word: str) -> str:
    option, equals, value = word.partition("=")
    if option.startswith("-") and equals:
        return f"{option}={_name(value)}"
    return Path(word).name if "/" in word or "\\" in word else word
