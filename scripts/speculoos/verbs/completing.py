"""A record that a person completes: written at once, with a place for all that is missing."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from speculoos.measure.build import read_model
from speculoos.measure.prepare import this_machine
from speculoos.measure.run import today
from speculoos.measure.spec_types import SPEC_TYPES
from speculoos.options import FILE, MACHINE_ID, TEXT, folder_of, root_of
from speculoos.record.checks import check_paths
from speculoos.record.store import lacking, save, template
from speculoos.record.types import (
    NO_SPECULATION,
    Bilingual,
    Build,
    MachineState,
    Measurement,
    Model,
    Settings,
)
from speculoos.terminal import show_problems

Command = Callable[..., None]


@dataclass(frozen=True)
class Said:
    """What a person said on the command line of the thing that was observed."""

    contributor: str = "anonymous"
    machine_id: str | None = None
    model: Path | None = None
    spec_type: str | None = None
    n_max: int | None = None
    notes_fr: str | None = None
    notes_en: str | None = None

    def settings(self, *, speculative: bool | None) -> Settings | None:
        """What the server was started with; `none` where it says so itself."""
        if self.spec_type is not None:
            return Settings(spec_type=self.spec_type, n_max=self.n_max)
        return Settings(spec_type=NO_SPECULATION) if speculative is False else None

    @property
    def notes(self) -> Bilingual | None:
        """Only in both languages."""
        if self.notes_fr and self.notes_en:
            return Bilingual(fr=self.notes_fr, en=self.notes_en)
        return None


def about_options(command: Command) -> Command:
    """What a person may say of a server that was not started by us."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.option(
        "--spec-type",
        type=click.Choice([NO_SPECULATION, *sorted(SPEC_TYPES)]),
        help="What the server was started with, where that is not told.",
    ),
    click.option(
        "--n-max", type=click.IntRange(1, 1024), help="Its n_max, where that is not told."
    ),
    click.option("--model", type=FILE, help="Its GGUF file, to keep the hash and the header."),
    click.option(
        "--machine", "machine_id", type=MACHINE_ID, help="Its machine: a folder of measurements/."
    ),
    click.option(
        "--contributor", type=TEXT, default="anonymous", show_default=True, help="Name to write."
    ),
    click.option(
        "--notes-en", type=TEXT, help="Who uses it, for what: the caveat that every reader sees."
    ),
    click.option("--notes-fr", type=TEXT, help="The same in French."),
)


def head(out: Path, said: Said, build: Build | None, model: Model | None) -> Measurement:
    """An `observed` record without what was observed; raises `NotUsableError` for a model."""
    machine_id = said.machine_id or folder_of(out)
    return Measurement(
        format=1,
        kind="observed",
        date=today(),
        contributor=said.contributor,
        licence="CC-BY-4.0",
        notes=said.notes,
        machine=MachineState(id=machine_id) if machine_id else None,
        build=build,
        model=read_model(said.model) if said.model else model,
    )


def keep_machine(out: Path, record: Measurement) -> None:
    """Describe this machine in its folder where nobody did."""
    if record.machine is None or folder_of(out) != record.machine.id:
        return
    described = root_of(out) / record.machine.id / "machine.yaml"
    if not described.exists():
        save(this_machine(root_of(out), record.machine.id), described)


def asked_for(record: Measurement) -> str | None:
    """One line that names all that is missing; None where nothing is."""
    missing = ", ".join(lacking(record))
    return f"Still missing in the record: {missing}." if missing else None


def saved(out: Console, path: Path, record: Measurement) -> bool:
    """Write the record, name every problem that is left to a person; whether there is none."""
    save(record, path, template(record))
    problems = check_paths([path])
    show_problems(problems)
    if any(problem.severity == "error" for problem in problems):
        text = f"{path} is saved, but not complete; what is missing has its place at its top."
        click.echo(text, err=True)
        return False
    out.print(f"Saved: {path}", markup=False)
    return True
