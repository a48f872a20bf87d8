"""The command line: its verbs, and how it ends."""

import signal
import sys
from collections.abc import Sequence
from types import FrameType

import click

from speculoos import __version__
from speculoos.measure.build import NotUsableError
from speculoos.measure.resume import CannotResumeError
from speculoos.parts.pypi import PartError
from speculoos.record.problem import BadFileError
from speculoos.verbs.demo import demo_command
from speculoos.verbs.files import check_command, schema_command, show_command
from speculoos.verbs.measure import measure_command
from speculoos.verbs.read import read_command

INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__)
def cli() -> None:
    """Find out whether speculative decoding pays on this machine, and with which n_max.

    \b
    speculoos demo                                     the whole way, with parts from PyPI
    speculoos measure --model FILE --n-max 1-6         your own model and llama-server
    speculoos show FILE                                table, recommendation, warnings
    """


VERBS = (
    measure_command,
    show_command,
    check_command,
    read_command,
    schema_command,
    demo_command,
)
for verb in VERBS:
    cli.add_command(verb)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 problems, 2 wrong usage, 130 interrupted."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        cli.main(argv, prog_name="speculoos", standalone_mode=False)
    except (KeyboardInterrupt, click.Abort):
        click.echo("Interrupted; what was measured is saved.", err=True)
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except OSError as error:
        click.echo(f"{error.filename or 'speculoos'}: {error.strerror or error}", err=True)
        sys.exit(1)
    except (BadFileError, CannotResumeError, NotUsableError, PartError, LookupError) as error:
        click.echo(str(error.args[0]) if error.args else str(error), err=True)
        sys.exit(1)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
