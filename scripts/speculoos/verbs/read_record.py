"""What a log or another tool's output says, as an `observed` or a `reported` record."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click
from rich.console import Console

from speculoos import __version__
from speculoos.measure.run import today
from speculoos.observing import show_usage
from speculoos.read import Event, Finding, Request, stream, tokens_per_second
from speculoos.record.types import (
    NO_SPECULATION,
    Bilingual,
    Build,
    Claim,
    Measurement,
    Model,
    Observation,
    Settings,
    Window,
)
from speculoos.record.types.settings import UNKNOWN
from speculoos.record.usage import MOST_WINDOWS, Usage, thinned, usage
from speculoos.verbs.completing import Said, head, saved
from speculoos.verbs.watched import Watched

Kind = Literal["observed", "reported"]
UNKNOWN_FORM = (
    "neither a log nor an output that speculoos reads: logs of llama-server, mtp-bench.py, "
    "llama-bench (md, json, jsonl, csv, sql), speed-bench, speculative-simple, /metrics, answers"
)
AT_WORK = frozenset({"server_log", "metrics", "timings"})
"""Sources that show a server at work; the others are benches."""


@dataclass(frozen=True)
class Order:
    """What to write, where, and what a person said of it."""

    path: Path
    kind: Kind
    said: Said
    command: str


class Gathered:
    """The requests of some inputs as windows, in constant memory, and what was found beside."""

    def __init__(self) -> None:
        self.windows: dict[Settings, list[Window]] = {}
        self.sources: set[str] = set()
        self.found: dict[str, set[str]] = {}

    def add(self, event: Event) -> None:
        """One event of a reading."""
        if isinstance(event, Finding):
            self.found.setdefault(event.name, set()).add(str(event.value))
        elif isinstance(event, Request):
            self.sources.add(event.source)
            if event.build:
                self.found.setdefault("build", set()).add(event.build)
            if event.predicted_n and _milliseconds(event):
                self._keep(event)

    def _keep(self, request: Request) -> None:
        own = self.windows.setdefault(_settings(request), [])
        own.append(_window(request))
        if len(own) > 2 * MOST_WINDOWS:
            own[:] = thinned(own)

    def only(self, name: str) -> str | None:
        """What was found under a name, where there is one value."""
        values = self.found.get(name, set())
        return next(iter(values)) if len(values) == 1 else None

    def typed(self, settings: Settings) -> Settings:
        """With the type of speculation, where the log tells it."""
        named = self.only("spec_type")
        drafts = settings.spec_type == UNKNOWN
        return Settings(spec_type=named, n_max=settings.n_max) if drafts and named else settings


def _settings(request: Request) -> Settings:
    if request.speculation == "none":
        return Settings(spec_type=NO_SPECULATION)
    return Settings(spec_type=UNKNOWN, n_max=request.n_max or None)


def _window(request: Request) -> Window:
    drafted = request.speculation == "drafted"
    accepted = request.draft_n_accepted if drafted else None
    known = drafted and request.draft_n is not None and accepted is not None
    exact = tokens_per_second(request) is not None
    counted = request.source == "metrics" or not exact  # without a first token to leave out
    return Window(
        requests=None if counted else 1,
        prompt_n=request.prompt_n,
        prompt_ms=request.prompt_ms,
        predicted_n=request.predicted_n or 0,
        predicted_ms=_milliseconds(request),
        draft_n=request.draft_n if known else (0 if request.speculation == "none" else None),
        draft_n_accepted=accepted if known else (0 if request.speculation == "none" else None),
        accepted_per_position=request.accepted_per_position if known else None,
        verify_steps=_steps(request) if known else None,
    )


def _milliseconds(request: Request) -> float:
    """Where a bench prints a rate and no time, the time that its rate means; else 0."""
    if request.predicted_ms:
        return request.predicted_ms
    printed = request.printed_tokens_per_second
    return round(1000 * (request.predicted_n or 0) / printed, 3) if printed else 0.0


def _steps(request: Request) -> int | None:
    """Only counters give their exact number; a log prints a rounded length."""
    length, accepted = request.mean_acceptance_length, request.draft_n_accepted
    if request.source != "metrics" or not length or not accepted or length <= 1:
        return None
    return round(accepted / (length - 1))


def gather(sources: Iterable[tuple[str, Watched]]) -> Gathered:
    """All that the inputs say; raises `ClickException` where one is of no known form."""
    gathered = Gathered()
    for name, source in sources:
        forms, events = stream(source)
        if not forms:
            raise click.ClickException(f"{name}: {UNKNOWN_FORM}")
        for event in events:
            gathered.add(event)
    if not gathered.windows:
        raise click.ClickException("no request with its time; there is nothing to write")
    return gathered


def write(out: Console, order: Order, gathered: Gathered) -> bool:
    """Write the record, say what it holds and what it lacks; whether it is complete."""
    if order.kind == "reported":
        return saved(out, order.path, _reported(gathered, order.said))
    if benches := sorted(gathered.sources - AT_WORK):
        text = f"{', '.join(benches)} shows a bench, no server at work; add --as reported"
        raise click.ClickException(text)
    found = usage(_observation(gathered, order.said, order.command))
    show_usage(out, found)
    return saved(out, order.path, _observed(order.path, gathered, order.said, found))


def _observation(gathered: Gathered, said: Said, command: str) -> Observation:
    told = [gathered.typed(settings) for settings in gathered.windows]
    given = said.settings(speculative=None)
    windows = [window for own in gathered.windows.values() for window in own]
    return Observation(
        by="metrics" if gathered.sources == {"metrics"} else "log",
        settings=given or (told[0] if len(told) == 1 else _one_type(told)),
        windows=thinned(windows),
        tool_version=__version__,
        command=command,
    )


def _one_type(told: Iterable[Settings]) -> Settings:
    """Of a log in which some requests drafted: those that did not lent themselves to none."""
    drafting = {settings for settings in told if settings.spec_type != NO_SPECULATION}
    known = {settings for settings in drafting if settings.n_max is not None}
    chosen = known or drafting
    return next(iter(chosen)) if len(chosen) == 1 else Settings(spec_type=UNKNOWN)


def _observed(path: Path, gathered: Gathered, said: Said, found: Usage) -> Measurement:
    build, model = gathered.only("build"), gathered.only("model")
    start = head(
        path,
        said,
        Build(version=build) if build else None,
        Model(file=model) if model else None,
    )
    return start.model_copy(update={"observed": found.observation})


def _reported(gathered: Gathered, said: Said) -> Measurement:
    return Measurement(
        format=1,
        kind="reported",
        date=today(),
        contributor=said.contributor,
        licence="CC-BY-4.0",
        notes=said.notes,
        claims=tuple(_claims(gathered, said)),
    )


def _claims(gathered: Gathered, said: Said) -> Iterator[Claim]:
    """One for each setting that the input shows, with what it rests on."""
    for settings, windows in gathered.windows.items():
        found = usage(_rest(windows))
        given = said.settings(speculative=None)
        typed = gathered.typed(settings)
        if given is not None and typed.spec_type == UNKNOWN:
            typed = Settings(spec_type=given.spec_type, n_max=settings.n_max or given.n_max)
        yield Claim(
            settings=typed,
            tokens_per_second=_digits(found.tokens_per_second, 3),
            acceptance_rate=_digits(found.acceptance_rate, 4),
            conditions=_basis(found),
        )


def _rest(windows: list[Window]) -> Observation:
    return Observation(by="log", windows=thinned(windows), tool_version=__version__, command="-")


def _digits(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _basis(found: Usage) -> Bilingual:
    requests, tokens = found.requests, found.predicted_n
    fr = f"requêtes : {requests}, " if requests is not None else ""
    en = f"requests: {requests}, " if requests is not None else ""
    return Bilingual(
        fr=f"{fr}jetons générés : {tokens}, recalculé d’après la sortie publiée",
        en=f"{en}generated tokens: {tokens}, computed again from the published output",
    )
