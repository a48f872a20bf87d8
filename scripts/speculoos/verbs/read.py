import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from speculoos.options import INPUT, RESULT_FILE
from speculoos.read import Request, batches, stream
from speculoos.reading import Shown
from speculoos.terminal import console
from speculoos.verbs.completing import Said, about_options
from speculoos.verbs.measure import command_line
from speculoos.verbs.read_record import UNKNOWN_FORM, Kind, Order, gather, write
from speculoos.verbs.watched import Watched

_STANDARD_INPUT = Path("-")


@click.command("read")
@click.argument("files", nargs=-1, type=INPUT)
@click.option("--json", "as_data", is_flag=True, help="One list of objects, one per request.")
@click.option("--all", "every", is_flag=True, help="Every request of a long log, not both ends.")
@click.option("--out", type=RESULT_FILE, help="Record to write of what it says; see --as.")
@click.option(
    "--as",
    "kind",
    type=click.Choice(["observed", "reported"]),
    default="observed",
    show_default=True,
    help="With --out: your own server at work (measurements/MACHINE/), or figures of somebody "
    "else (measurements/reported/).",
)
@about_options
def read_command(
    files: tuple[Path, ...],
    out: Path | None,
    kind: Kind,
    *,
    as_data: bool,
    every: bool,
    **about: Any,
) -> None:
    """Tell what each request in logs and other tools' outputs says; nothing is invented.

    The form is recognised: logs of llama-server, mtp-bench.py, llama-bench (md, json, jsonl, csv,
    sql), speed-bench, a saved /metrics page, a saved answer or stream; packed by gzip, bzip2 or xz,
    too. Without a file, or for -, standard input is read.

    \b
    speculoos read server.log
    speculoos read /var/log/llama/*.log.gz --json
    docker logs llama 2>&1 | speculoos read
    speculoos read server.log --spec-type draft-mtp --out measurements/rig/2026-11-30-chat.yaml
    speculoos read their-bench.txt --as reported --out measurements/reported/their-bench.yaml
    """
    if files.count(_STANDARD_INPUT) > 1:
        raise click.UsageError("- is named more than once; standard input can be read once")
    sources = _sources(files or (_STANDARD_INPUT,))
    if out is not None:
        order = Order(RESULT_FILE.new(out), kind, Said(**about), command_line(sys.argv[1:]))
        if not write(console(), order, gather(sources)):
            raise SystemExit(1)
        return
    unknown = (
        _print_json(sources) if as_data else [n for n, s in sources if not _show(n, s, every=every)]
    )
    for name in unknown:
        click.echo(f"{name}: {UNKNOWN_FORM}", err=True)
    if unknown:
        raise SystemExit(1)


def _sources(files: tuple[Path, ...]) -> Iterator[tuple[str, Watched]]:
    for path in files:
        if path == _STANDARD_INPUT:
            with Watched(sys.stdin.buffer, "standard input", None) as source:
                yield "standard input", source
        else:
            with path.open("rb") as file, Watched(file, path.name, path.stat().st_size) as source:
                yield str(path), source


def _print_json(sources: Iterator[tuple[str, Watched]]) -> list[str]:
    """Print the list as it is read, so that a log of any size fits; names what was not known."""
    unknown: list[str] = []
    first = True
    click.echo("[", nl=False)
    for name, source in sources:
        forms, events = stream(source)
        unknown += [] if forms else [name]
        for event in events:
            if isinstance(event, Request):
                row = json.dumps(event.as_dict(), ensure_ascii=False)
                click.echo(f"{'' if first else ','}\n  {row}", nl=False)
                first = False
    click.echo("]" if first else "\n]")
    return unknown


def _show(name: str, source: Watched, *, every: bool) -> bool:
    forms, events = batches(source)
    if forms:
        out = console()
        out.print(f"[bold]{name}[/] ({', '.join(forms)})")
        shown = Shown(out, every=every)
        for event in events:
            shown.take(event)
        shown.end()
    return bool(forms)
