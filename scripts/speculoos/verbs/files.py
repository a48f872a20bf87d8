import json
from pathlib import Path

import click

from speculoos import observing
from speculoos.options import FILE, MEASUREMENTS
from speculoos.record.store import SCHEMA_FILE, load_measurement, schema_text
from speculoos.record.summary import summarise
from speculoos.record.usage import Usage, usage
from speculoos.record.workloads import sessions, side_by_side
from speculoos.show import as_json
from speculoos.terminal import console, show_side_by_side, show_summary


@click.command("show")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--json", "as_data", is_flag=True, help="Data instead of a table; one file only.")
def show_command(files: tuple[Path, ...], *, as_data: bool) -> None:
    """Show what a file says: table, recommendation with its interval, costs, warnings.

    Several files are shown one after the other; those of one session that asked the same prompts
    in different ways (reasoning, depth of the context) then stand side by side.

    \b
    speculoos show measurements/rig/2026-11-29-qwen.yaml
    speculoos show measurements/rig/2026-11-29-qwen*.yaml
    """
    if as_data and len(files) > 1:
        raise click.UsageError("--json shows one file; name one")
    records = [load_measurement(file).record for file in files]
    for each in records:
        if each.observed is not None:
            _show_observed(usage(each.observed), as_data=as_data)
    measured = [(file, r) for file, r in zip(files, records, strict=True) if r.observed is None]
    if not measured:
        return
    found = [summarise(record) for _, record in measured]
    if as_data:
        click.echo(json.dumps(as_json(*found), indent=2, ensure_ascii=False))
        return
    out = console()
    for (file, _), summary in zip(measured, found, strict=True):
        if len(files) > 1:
            out.print(str(file), markup=False)
        show_summary(out, summary)
    for group in sessions(found):
        show_side_by_side(out, side_by_side(group))


def _show_observed(found: Usage, *, as_data: bool) -> None:
    """What was observed has neither a baseline nor a verdict: another table."""
    if as_data:
        click.echo(json.dumps(observing.as_data(found), indent=2, ensure_ascii=False))
    else:
        observing.show_usage(console(), found)


@click.command("schema")
@click.option("--check", is_flag=True, help="Only say whether the file is the one of this version.")
def schema_command(*, check: bool) -> None:
    """Write measurements/schema.json, which editors complete and check from."""
    path = MEASUREMENTS / SCHEMA_FILE
    if not check:
        path.parent.mkdir(exist_ok=True)
        path.write_text(schema_text(), encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != schema_text():
        raise click.ClickException(f"{path}: not the schema of this version; run speculoos schema")
