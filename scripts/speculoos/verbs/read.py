import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import click
from rich.table import Table

from speculoos.options import FILE
from speculoos.read import Event, Finding, Hint, Request, Summary, stream, tokens_per_second
from speculoos.terminal import console

_NONE = "-"
_ROWS = 40
"""Requests shown one by one; a longer log is summed up."""


@click.command("read")
@click.argument("files", nargs=-1, type=FILE)
@click.option("--json", "as_data", is_flag=True, help="One list of objects, one per request.")
def read_command(files: tuple[Path, ...], *, as_data: bool) -> None:
    """Tell what each request in logs and other tools' outputs says; nothing is invented.

    The form is recognised: logs of llama-server, mtp-bench.py, llama-bench, speed-bench, a saved
    /metrics page, a saved answer. Without a file, standard input is read.

    \b
    speculoos read server.log
    docker logs llama 2>&1 | speculoos read --json
    """
    unknown = _print_json(files) if as_data else [n for n, s in _sources(files) if not _show(n, s)]
    for name in unknown:
        click.echo(f"{name}: neither a log nor an output that speculoos reads", err=True)
    if unknown:
        raise SystemExit(1)


def _sources(files: tuple[Path, ...]) -> Iterator[tuple[str, BinaryIO]]:
    if not files:
        yield "standard input", sys.stdin.buffer
    for path in files:
        with path.open("rb") as file:
            yield str(path), file


def _print_json(files: tuple[Path, ...]) -> list[str]:
    """Print the list as it is read, so that a log of any size fits; names what was not known."""
    unknown: list[str] = []
    first = True
    click.echo("[", nl=False)
    for name, source in _sources(files):
        forms, events = stream(source)
        unknown += [] if forms else [name]
        for event in events:
            if isinstance(event, Request):
                row = json.dumps(event.as_dict(), ensure_ascii=False)
                click.echo(f"{'' if first else ','}\n  {row}", nl=False)
                first = False
    click.echo("]" if first else "\n]")
    return unknown


def _show(name: str, source: BinaryIO) -> bool:
    forms, events = stream(source)
    summary = Summary()
    shown: list[Request] = []
    asides: list[Event] = []
    for event in events:
        if isinstance(event, Request):
            summary.add(event)
            shown += [event] if len(shown) < _ROWS else []
        else:
            asides.append(event)
    if forms:
        _print(name, forms, summary, shown, asides)
    return bool(forms)


def _print(
    name: str,
    forms: list[str],
    summary: Summary,
    shown: list[Request],
    asides: list[Event],
) -> None:
    out = console()
    out.print(f"[bold]{name}[/] ({', '.join(forms)})")
    if shown:
        out.print(_table(shown))
    if summary.requests > len(shown):
        out.print(f"… and {summary.requests - len(shown)} more; --json has them all")
    for line in (*_summary(summary), *_asides(asides)):
        out.print(line, markup=False)


def _table(requests: Iterable[Request]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("request")
    for column in ("prompt", "tokens", "tokens/s", "printed", "accepted", "drafted", "n_max"):
        table.add_column(column, justify="right")
    for request in requests:
        table.add_row(*_row(request))
    return table


def _row(request: Request) -> Iterator[str]:
    place = [f"slot {request.slot}"] if request.slot is not None else []
    place += [f"task {request.task}"] if request.task is not None else []
    yield request.label or ", ".join(place) or request.source
    yield _text(request.prompt_n)
    yield _text(request.predicted_n)
    yield _text(tokens_per_second(request), 2)
    divisor = f" ({request.rate_divisor})" if request.rate_divisor else ""
    yield _text(request.printed_tokens_per_second, 2) + divisor
    known = request.speculation == "drafted"
    yield _text(request.draft_n_accepted) if known else request.speculation
    yield _text(request.draft_n)
    yield _text(request.n_max)


def _text(value: float | None, digits: int = 0) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


def _summary(summary: Summary) -> Iterator[str]:
    if not summary.requests:
        yield "No finished request."
        return
    parts = [f"{summary.requests} request(s)", f"{summary.predicted_n} tokens"]
    if summary.tokens_per_second is not None:
        parts.append(f"{summary.tokens_per_second:.2f} tokens/s over all")
    if summary.spread is not None:
        parts.append(f"spread {100 * summary.spread:.0f} %")
    if summary.acceptance_rate is not None:
        parts.append(f"accepted {100 * summary.acceptance_rate:.1f} %")
    kinds = {kind: count for kind, count in summary.speculation.items() if count}
    parts.append("speculation " + ", ".join(f"{kind} {count}" for kind, count in kinds.items()))
    yield "; ".join(parts)


def _asides(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, Hint):
            place = f"line {event.line_number}: " if event.line_number else ""
            yield f"Note: {place}{event.message} [{event.kind}]"
        elif isinstance(event, Finding):
            detail = f" ({event.detail})" if event.detail else ""
            yield f"{event.name}: {event.value}{detail}"
