import json
from pathlib import Path

import click

from speculoos.options import FILE, MEASUREMENTS
from speculoos.record.store import SCHEMA_FILE, load_measurement, schema_text
from speculoos.record.summary import summarise
from speculoos.show import as_json
from speculoos.terminal import console, show_summary


@click.command("show")
@click.argument("file", type=FILE)
@click.option("--json", "as_data", is_flag=True, help="Data instead of a table.")
def show_command(file: Path, *, as_data: bool) -> None:
    """Show what a file says: table, recommendation with its interval, warnings."""
    summary = summarise(load_measurement(file).record)
    if as_data:
        click.echo(json.dumps(as_json(summary), indent=2, ensure_ascii=False))
    else:
        show_summary(console(), summary)


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
