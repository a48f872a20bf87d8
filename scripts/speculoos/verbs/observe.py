import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from speculoos.measure.observe.address import Address, Told
from speculoos.measure.observe.session import Session
from speculoos.observing import Lines, about, as_data, show_usage
from speculoos.options import DURATION, RESULT_FILE
from speculoos.progress import duration
from speculoos.record.store import save, template
from speculoos.record.types import Build, Measurement, Model, Settings
from speculoos.record.usage import Usage, usage
from speculoos.terminal import console
from speculoos.verbs.completing import Said, about_options, asked_for, head, keep_machine, saved
from speculoos.verbs.measure import command_line

INTERRUPTED = 130
KEY_NAMES = ("SPECULOOS_API_KEY", "LLAMA_API_KEY")


@dataclass(frozen=True)
class _Watch:
    """A session, what its server was started with, and the record that it goes into."""

    session: Session
    told: Told
    settings: Settings | None
    command: str
    out: Path | None = None
    start: Measurement | None = None

    def usage(self) -> Usage:
        """What was seen so far."""
        return usage(self.session.observation(self.settings, self.told.slots, self.command))

    def record(self) -> Measurement | None:
        """The record so far; None where none is asked for."""
        if self.start is None:
            return None
        return self.start.model_copy(update={"observed": self.usage().observation})

    def keep(self) -> None:
        """Save what was seen before anything can happen."""
        record = self.record()
        if record is not None and self.out is not None:
            save(record, self.out, template(record))


@click.command(
    "observe",
    epilog="Exit codes: 0 done, 1 nothing to observe or a record that lacks something, 2 wrong "
    "usage, 130 interrupted (what was seen is saved).",
)
@click.argument("url")
@click.option("--for", "for_s", type=DURATION, default="10m", show_default=True, help="How long.")
@click.option(
    "--every", "every_s", type=DURATION, default="10s", show_default=True, help="How often to read."
)
@click.option(
    "--api-key-env",
    metavar="NAME",
    help="Variable that holds the API key; else SPECULOOS_API_KEY, else LLAMA_API_KEY.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="The summary as data; progress goes to stderr."
)
@click.option("--out", type=RESULT_FILE, help="Record to write, best as measurements/MACHINE/….")
@about_options
def observe_command(  # noqa: PLR0913 - one parameter an option
    url: str,
    for_s: float,
    every_s: float,
    api_key_env: str | None,
    out: Path | None,
    *,
    as_json: bool,
    **about_it: Any,
) -> None:
    """Watch a server at work through its counters: nothing is asked of it, no text is read.

    It needs a llama-server that was started with --metrics. A request counts when it ends.
    Reading /metrics empties its *_tokens_seconds gauges, which are windows since the last reading;
    the counters that others watch stay whole. Of a router, one model: URL?model=NAME.

    \b
    speculoos observe http://localhost:8080 --for 10m
    LLAMA_API_KEY=… speculoos observe https://llm.example.org --for 1h --every 30s --json
    speculoos observe localhost:8080 --spec-type draft-mtp --n-max 3 \\
        --out measurements/rig/2026-11-30-chat-observed.yaml
    """
    said = Said(**about_it)
    screen = console(err=as_json)
    if out is not None:
        RESULT_FILE.new(out)
    with Address(url, _key(api_key_env)) as address:
        address.first_page()
        watch = _begin(address, every_s, said, out)
        _introduce(screen, watch, for_s)
        interrupted = _follow(screen, watch, for_s)
    found = watch.usage()
    if as_json:
        click.echo(json.dumps(as_data(found), indent=2, ensure_ascii=False))
    show_usage(screen, found)
    record = watch.record()
    whole = record is None or out is None or saved(screen, out, record)
    if interrupted:
        raise SystemExit(INTERRUPTED)
    if not whole or not found.observation.windows:
        raise SystemExit(1)


def _key(named: str | None) -> str | None:
    """The key from the environment; raises `UsageError` where the named variable is empty."""
    if named is None:
        return next((os.environ[name] for name in KEY_NAMES if os.environ.get(name)), None)
    if not os.environ.get(named):
        raise click.BadParameter(f"{named} is not set", param_hint="--api-key-env")
    return os.environ[named]


def _begin(address: Address, every_s: float, said: Said, out: Path | None) -> _Watch:
    told = address.told()
    settings = said.settings(speculative=told.speculative)
    words = ["URL" if word == address.url else word for word in sys.argv[1:]]
    watch = _Watch(Session(address, every_s), told, settings, command_line(words))
    if out is None:
        return watch
    build = Build(version=told.build) if told.build else None
    file = told.model_file
    start = head(
        out, said, build, Model(file=file, quantization=told.quantization) if file else None
    )
    if address.local:
        keep_machine(out, start)
    return replace(watch, out=out, start=start)


def _introduce(screen: Console, watch: _Watch, for_s: float) -> None:
    every = duration(watch.session.every_s)
    base = watch.session.address.base
    screen.print(f"Observing {base} for {duration(for_s)}, every {every}.", markup=False)
    screen.print(f"  {about(watch.told)}", markup=False)
    if (record := watch.record()) is not None and (missing := asked_for(record)):
        screen.print(f"  {missing}", markup=False)
        screen.print("  Give it with options (--help), or write it into the file afterwards.")


def _follow(screen: Console, watch: _Watch, for_s: float) -> bool:
    """Watch until the time is over; whether a person ended it before."""
    lines, session = Lines(screen), watch.session
    try:
        with screen.status(f"until {duration(for_s)} are over; Ctrl-C ends it with the summary"):
            for event in session.events(for_s):
                lines.show(event)
                watch.keep()
    except KeyboardInterrupt:
        for event in session.look():
            lines.show(event)
        watch.keep()
        return True
    return False
