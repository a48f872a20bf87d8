"""The command line: the only place that prints to people and exits."""

import json
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import click
from rich.console import Console

from speculoos import __version__
from speculoos.measure.build import NotUsableError, find_server
from speculoos.measure.plan import Plan, refused
from speculoos.measure.prepare import About, default_out, head, this_machine
from speculoos.measure.prompts import DEFAULT_SET, find_prompt_set
from speculoos.measure.run import BaselineFailedError, measure
from speculoos.measure.spec_types import SPEC_TYPES
from speculoos.options import DEPTHS, FILE, NEW_FILE, depths_of
from speculoos.record.checks import check_paths
from speculoos.record.problem import BadFileError
from speculoos.record.store import SCHEMA_FILE, load_measurement, schema_text
from speculoos.record.summary import summarise
from speculoos.record.types import Measurement
from speculoos.show import as_json
from speculoos.terminal import Display, console, show_problems, show_summary

MEASUREMENTS = Path("measurements")
INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__)
def cli() -> None:
    """Find out whether speculative decoding pays on this machine, and with which n_max.

    \b
    speculoos demo                                     the whole way, with parts from PyPI
    speculoos measure --model FILE --n-max 1-6         your own model and llama-server
    speculoos show FILE                                table, recommendation, warnings
    """


@cli.command(
    "measure", epilog="Exit codes: 0 done, 1 no usable result, 2 wrong usage, 130 interrupted."
)
@click.option("--server", type=FILE, help="llama-server; else LLAMA_SERVER, else the one on PATH.")
@click.option("--model", type=FILE, required=True, help="GGUF file of the language model.")
@click.option("--draft-model", type=FILE, help="GGUF file of a draft model or a separate head.")
@click.option(
    "--spec-type", type=click.Choice(sorted(SPEC_TYPES)), default="draft-mtp", show_default=True
)
@click.option("--n-max", "depths", type=DEPTHS, help="Depths to try: 1-8, 1,3 or 2.")
@click.option(
    "--prompts",
    "prompt_set",
    default=DEFAULT_SET,
    show_default=True,
    help="Prompt set: an id or a file.",
)
@click.option(
    "--blocks",
    type=click.IntRange(1, 50),
    default=3,
    show_default=True,
    help="Times that every setting is started.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(3, 100_000),
    default=128,
    show_default=True,
    help="Tokens to generate for each prompt.",
)
@click.option(
    "--request-timeout",
    type=click.FloatRange(1),
    default=600,
    show_default=True,
    help="Seconds that one request may take.",
)
@click.option(
    "--machine", "machine_id", help="Id of this machine; made from its parts if not given."
)
@click.option(
    "--contributor", default="anonymous", show_default=True, help="Name that stands in the file."
)
@click.option(
    "--out", type=NEW_FILE, help="File to write; else measurements/<machine>/<date>-<model>.yaml."
)
@click.argument("server_args", nargs=-1, type=click.UNPROCESSED)
def measure_command(  # noqa: PLR0913 - one parameter an option
    server: Path | None,
    model: Path,
    draft_model: Path | None,
    spec_type: str,
    depths: tuple[int, ...] | None,
    prompt_set: str,
    blocks: int,
    max_tokens: int,
    request_timeout: float,
    machine_id: str | None,
    contributor: str,
    out: Path | None,
    server_args: tuple[str, ...],
) -> None:
    """Measure a model with and without speculation, on a llama-server of its own.

    One server is started for every setting of every block, on a free loopback port; what follows
    -- goes to each of them.

    \b
    speculoos measure --model qwen.gguf --n-max 1-8 -- -ngl 99 -c 8192
    speculoos measure --model big.gguf --draft-model small.gguf --spec-type draft-simple
    speculoos measure --model any.gguf --spec-type ngram-simple --n-max 16,48 --prompts rewrite-1
    """
    if wrong := list(refused(server_args)):
        raise click.UsageError("\n".join(wrong))
    plan = Plan(
        binary=find_server(server, [os.environ.get("LLAMA_SERVER"), shutil.which("llama-server")]),
        model=model,
        draft_model=draft_model,
        spec_type=spec_type,
        depths=depths_of(spec_type, depths),
        prompts=find_prompt_set(prompt_set, [MEASUREMENTS / "prompts"]),
        blocks=blocks,
        max_tokens=max_tokens,
        request_timeout_s=request_timeout,
        extra=server_args,
        command=_command_line(sys.argv[1:]),
    )
    machine = this_machine(MEASUREMENTS, machine_id)
    target = out or NEW_FILE.free(default_out(MEASUREMENTS, plan, machine))
    run_plan(console(), plan, head(plan, machine, About(contributor)), target)


def run_plan(out: Console, plan: Plan, start: Measurement, target: Path) -> None:
    """Measure with a display, then say what the file says; raises `ClickException`."""
    with Display(out, start.model.file if start.model else "", plan.requests) as display:
        try:
            for event in measure(plan, start, target):
                display.show(event)
        except BaselineFailedError as error:
            raise click.ClickException(f"the baseline cannot be measured. {error}") from error
    summary = summarise(load_measurement(target).record)
    show_summary(out, summary)
    out.print(f"Saved: {target}", markup=False)
    if not any(point.speedup for point in summary.points):
        raise click.ClickException("no setting could be compared with the baseline")


@cli.command("show")
@click.argument("file", type=FILE)
@click.option("--json", "as_data", is_flag=True, help="Data instead of a table.")
def show_command(file: Path, *, as_data: bool) -> None:
    """Show what a file says: table, recommendation with its interval, warnings."""
    summary = summarise(load_measurement(file).record)
    if as_data:
        click.echo(json.dumps(as_json(summary), indent=2, ensure_ascii=False))
    else:
        show_summary(console(), summary)


@cli.command("check")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
def check_command(paths: tuple[Path, ...]) -> None:
    """Name every problem of every file, at once.

    \b
    speculoos check
    speculoos check measurements/my-machine
    """
    problems = check_paths(paths or (MEASUREMENTS,))
    show_problems(console(), problems)
    errors = sum(problem.severity == "error" for problem in problems)
    click.echo(f"{errors} error(s), {len(problems) - errors} warning(s)", err=True)
    if errors:
        raise SystemExit(1)


@cli.command("schema")
@click.option("--check", is_flag=True, help="Only say whether the file is the one of this version.")
def schema_command(*, check: bool) -> None:
    """Write measurements/schema.json, which editors complete and check from."""
    path = MEASUREMENTS / SCHEMA_FILE
    if not check:
        path.parent.mkdir(exist_ok=True)
        path.write_text(schema_text(), encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != schema_text():
        raise click.ClickException(f"{path}: not the schema of this version; run speculoos schema")


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 problems, 2 wrong usage, 130 interrupted."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        cli.main(argv, prog_name="speculoos", standalone_mode=False)
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted; what was measured is saved.", err=True)
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (BadFileError, NotUsableError, LookupError) as error:
        click.echo(str(error.args[0]) if error.args else str(error), err=True)
        sys.exit(1)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _command_line(arguments: Sequence[str]) -> str:
    """The command as it was typed, with every path reduced to its name."""
    return shlex.join(["speculoos", *(_name(word) for word in arguments)])


def _name(word: str) -> str:
    option, equals, value = word.partition("=")
    if option.startswith("-") and equals:
        return f"{option}={_name(value)}"
    return Path(word).name if "/" in word or "\\" in word else word
