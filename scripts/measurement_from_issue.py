"""A measurement that was pasted into an issue: read, put where it belongs, checked, answered.

The issue's text comes from standard input; the answer goes to standard output, whatever it says.
Run in a clone: files that can be read are written below its `measurements/`.
"""

import datetime as dt
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from speculoos.record.checks import check_paths
from speculoos.record.problem import BadFileError, Problem
from speculoos.record.store import load_machine, load_measurement
from speculoos.record.store.document import Document, Record
from speculoos.record.types import Measurement

_FOLDER = Path("measurements")
_FIELDS = {"measurement": "Measurement", "machine": "Machine"}
"""What is asked for, and the heading under which the form of the issue puts it."""
_FENCED = r"^### {heading}\s*^(`{{3,}})ya?ml\n(.*?)^\1"
_THANKS = (
    "All is well: a maintainer can take these files over.\n"
    "Tout est bon : un mainteneur peut reprendre ces fichiers."
)
_AGAIN = (
    "Correct the lines that say error and edit the issue: it is checked again.\n"
    "Corriger les lignes marquées error et modifier l’issue : elle est vérifiée de nouveau."
)


def main() -> None:
    """Answer what standard input says."""
    sys.stdout.write("\n".join(answer(sys.stdin.read())) + "\n")


def answer(body: str) -> Iterator[str]:
    """The lines of the answer to an issue; writes the files that could be read."""
    texts = {name: _field(body, heading) for name, heading in _FIELDS.items()}
    if not texts["measurement"]:
        yield "The field Measurement is empty: paste the whole YAML file that `measure` wrote."
        yield "Le champ Measurement est vide : y coller tout le fichier YAML écrit par `measure`."
        return
    try:
        written = list(_placed(texts))
    except BadFileError as error:
        yield from _told(error.problems)
        return
    yield from (f"Read as {path.as_posix()}" for path in written)
    today = dt.datetime.now(dt.UTC).date()
    yield from _told(check_paths(written, today=today))


def _field(body: str, heading: str) -> str:
    """The fenced text below a heading; empty where the form was left empty."""
    pattern = _FENCED.format(heading=re.escape(heading))
    found = re.search(pattern, body.replace("\r\n", "\n"), re.MULTILINE | re.DOTALL)
    return found[2] if found else ""


def _told(problems: list[Problem]) -> Iterator[str]:
    here = f"{Path.cwd()}/"
    for problem in problems:
        yield f"{problem.severity}: {str(problem).removeprefix(here)}"
    yield _AGAIN if any(problem.severity == "error" for problem in problems) else _THANKS


def _placed(texts: dict[str, str]) -> Iterator[Path]:
    """Write each text where its own words place it; raises `BadFileError`."""
    measurement = _read(texts["measurement"], "measurement.yaml", load_measurement).record
    target = _address(measurement)
    if target.exists():
        text = "exists already, and a merged file does not change; give another date or model"
        raise BadFileError([Problem(target.as_posix(), 0, "", text)])
    target.parent.mkdir(parents=True, exist_ok=True)
    machine = target.parent / "machine.yaml"
    if texts["machine"] and not machine.exists():
        _read(texts["machine"], "machine.yaml", load_machine)
        machine.write_text(texts["machine"], encoding="utf-8")
        yield machine
    target.write_text(texts["measurement"], encoding="utf-8")
    yield target


def _read(text: str, name: str, load: Callable[[Path], Document[Record]]) -> Document[Record]:
    """Read a text as the file that it will be; problems name the field, not the place."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        try:
            return load(path)
        except BadFileError as error:
            raise BadFileError(
                Problem(name, p.line, p.key, p.message) for p in error.problems
            ) from error


def _address(measurement: Measurement) -> Path:
    if measurement.machine is None or measurement.model is None:
        text = f"{measurement.kind} without a machine and a model; open a pull request for it"
        raise BadFileError([Problem("measurement.yaml", 1, "kind", text)])
    name = measurement.model.file.removesuffix(".gguf").lower()
    slug = re.sub(r"[^a-z0-9]+", "-", name).strip("-") or "model"
    return _FOLDER / measurement.machine.id / f"{measurement.date}-{slug[:60]}.yaml"


if __name__ == "__main__":
    main()
