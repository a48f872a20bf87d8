"""The command line: its verbs, and how it ends."""

import codecs
import errno
import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType

import click

from speculoos import __version__
from speculoos.record.problem import BadFileError, ToldError

INTERRUPTED = 130

VERBS = {
    "measure": "measure:measure_command",
    "show": "files:show_command",
    "check": "check:check_command",
    "read": "read:read_command",
    "observe": "observe:observe_command",
    "fit": "fit:fit_command",
    "schema": "files:schema_command",
    "demo": "demo:demo_command",
}
"""Where each verb lives: loaded when it is called, so that a check does not wait for a server."""
_SAVES = {"measure", "demo"}
"""The verbs that save what they have when they are interrupted."""


_PLAIN = {"…": "...", "×": "x", "–": "-", "’": "'", "“": '"', "”": '"', "\u202f": " "}
"""How signs of our sentences are written where a terminal has only ASCII."""


class _Verbs(click.Group):
    """The verbs of `VERBS`, each imported at its first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's name
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in VERBS:
            return None
        module, _, name = VERBS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(f"speculoos.verbs.{module}"), name)
        return command


@click.group(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__)
def cli() -> None:
    """Find out whether speculative decoding pays on this machine, and with which n_max.

    \b
    speculoos demo                                     the whole way, with parts from PyPI
    speculoos measure --model FILE --n-max 1-6         your own model and llama-server
    speculoos show FILE                                table, recommendation, warnings
    speculoos observe http://localhost:8080            a server at work, through its counters
    speculoos fit --model FILE --vram 24GiB            what it needs in memory
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 problems, 2 wrong usage, 130 interrupted."""
    signal.signal(signal.SIGTERM, _interrupt)
    _write_what_can_be_shown()
    try:
        cli.main(argv, prog_name="speculoos", standalone_mode=False)
    except (KeyboardInterrupt, click.Abort):
        saves = _SAVES & {*(sys.argv[1:] if argv is None else argv)[:1]}
        click.echo(f"Interrupted{'; what was measured is saved' if saves else ''}.", err=True)
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except ToldError as error:
        click.echo(str(error), err=True)
        sys.exit(error.exit_code)
    except ValueError as error:
        _tell_what_no_record_holds(error)
        sys.exit(1)
    except OSError as error:
        click.echo(
            f"{error.filename or 'speculoos'}: {error.strerror or error}{_room(error)}", err=True
        )
        sys.exit(1)
    except (BadFileError, LookupError) as error:
        click.echo(str(error.args[0]) if error.args else str(error), err=True)
        sys.exit(1)


def _tell_what_no_record_holds(error: ValueError) -> None:
    """One line for each thing that a log or a server said and a record refuses."""
    from pydantic import ValidationError  # noqa: PLC0415 - a third of a second of every start

    from speculoos.record.store import dotted, explain  # noqa: PLC0415 - as above

    if not isinstance(error, ValidationError):
        raise error
    for each in error.errors():
        click.echo(f"{dotted(each['loc'])}: {explain(each)}", err=True)


def _write_what_can_be_shown() -> None:
    """Under a locale without UTF-8, plain signs in place of those that it does not have."""
    codecs.register_error("speculoos", _plain)
    if sys.stdout is None:  # closed by a shell
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the end
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="speculoos")


def _plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    signs = error.object[error.start : error.end]
    return "".join(_PLAIN.get(sign, "?") for sign in signs), error.end


def _room(error: OSError) -> str:
    """What to do where the disk is full; nothing for other errors."""
    full = error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
    return "; make room there and go on, with --resume if it was measuring" if full else ""


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
