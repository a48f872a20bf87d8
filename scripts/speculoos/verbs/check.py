import datetime as dt
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import click

from speculoos.options import MEASUREMENTS
from speculoos.record.checks import RULES, check_paths
from speculoos.record.problem import Problem, printable
from speculoos.terminal import show_problems
from speculoos.verbs.merged import merged_below


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--base", metavar="REF", help="Compare with this commit; main, where there is one.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github", "json"]),
    default="text",
    help="`github`: annotations of a pull request.",
)
@click.option("--list", "listed", is_flag=True, help="Name every rule and what it demands.")
def check_command(paths: tuple[Path, ...], *, base: str | None, form: str, listed: bool) -> None:
    """Name every problem of every file, at once.

    An error ends with exit code 1; a warning is shown here, and beside the result on the site.
    What must stay as it is stands in measurements/exceptions.yaml, with its reason.

    \b
    speculoos check
    speculoos check measurements/my-machine
    speculoos check --base origin/main --format github
    """
    if listed:
        for rule in RULES:
            click.echo(f"{rule.name:<14}{rule.scope:<13}{rule.description}")
        return
    problems = check_paths(
        paths or (_here(),),
        today=dt.datetime.now(dt.UTC).date(),
        merged=lambda root: merged_below(root, base),
    )
    _FORMS[form](problems)
    errors = sum(problem.severity == "error" for problem in problems)
    click.echo(f"{errors} error(s), {len(problems) - errors} warning(s)", err=True)
    if errors:
        raise SystemExit(1)


def _here() -> Path:
    if not MEASUREMENTS.is_dir():
        text = f"no folder {MEASUREMENTS}/ here; go to the clone, or name a file or a folder"
        raise click.UsageError(text)
    return MEASUREMENTS


def _github(problems: Sequence[Problem]) -> None:
    for problem in problems:
        place = f"file={_property(_relative(problem.path))},line={max(problem.line, 1)}"
        title = f"title={_property(f'speculoos check: {problem.rule}')}"
        text = ": ".join(part for part in (problem.key, problem.message) if part)
        click.echo(f"::{problem.severity} {place},{title}::{_data(printable(text))}")


def _data(text: str) -> str:
    """As GitHub's workflow commands want it: nothing ends the line or starts an escape."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _relative(path: str) -> str:
    """Below the working directory, where GitHub looks for it."""
    absolute = Path(path).absolute()
    here = Path.cwd()
    return absolute.relative_to(here).as_posix() if absolute.is_relative_to(here) else path


def _json(problems: Sequence[Problem]) -> None:
    names = ("path", "line", "key", "message", "severity", "rule")
    found = [{name: getattr(problem, name) for name in names} for problem in problems]
    click.echo(json.dumps(found, indent=2))


_FORMS: dict[str, Callable[[Sequence[Problem]], None]] = {
    "text": show_problems,
    "github": _github,
    "json": _json,
}
