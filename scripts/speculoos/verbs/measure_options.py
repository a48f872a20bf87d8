"""What `speculoos measure` takes on its command line."""

from collections.abc import Callable

import click

from speculoos.measure.prompts import DEFAULT_SET
from speculoos.measure.spec_types import SPEC_TYPES
from speculoos.options import (
    CONTEXT_DEPTHS,
    DEPTHS,
    DURATION,
    FILE,
    MACHINE_ID,
    RESULT_FILE,
    SERVER,
    TEXT,
)

_OPTIONS = (
    click.option(
        "--server", type=SERVER, help="llama-server; else LLAMA_SERVER, else the one on PATH."
    ),
    click.option("--model", type=FILE, required=True, help="GGUF file of the language model."),
    click.option("--draft-model", type=FILE, help="GGUF file of a draft model or a separate head."),
    click.option(
        "--spec-type", type=click.Choice(sorted(SPEC_TYPES)), default="draft-mtp", show_default=True
    ),
    click.option("--n-max", "depths", type=DEPTHS, help="Values of n_max to try: 1-8, 1,3 or 2."),
    click.option(
        "--prompts",
        "prompt_set",
        default=DEFAULT_SET,
        show_default=True,
        help="Prompt set: an id or a file.",
    ),
    click.option(
        "--blocks",
        type=click.IntRange(1, 50),
        help="Times at most that a setting is started to be compared; if not given 5, and as many "
        "as 2 more for blocks in which other programs used the machine.",
    ),
    click.option(
        "--max-tokens",
        type=click.IntRange(3, 100_000),
        help="Tokens to generate for each prompt; 128 if not given.",
    ),
    click.option("--quick", "preset", flag_value="quick", help="A wide answer in about a minute."),
    click.option(
        "--usual",
        "preset",
        flag_value="usual",
        default="usual",
        help="4 or 5 blocks, until the interval is within 2 % (default).",
    ),
    click.option(
        "--thorough",
        "preset",
        flag_value="thorough",
        help="6 to 10 blocks of 256 tokens, until the interval is within 1 %.",
    ),
    click.option(
        "--reasoning",
        type=click.Choice(["off", "on", "both"]),
        is_flag=False,
        flag_value="on",
        default="off",
        show_default=True,
        help="Let the model think first, where its chat template can; `both` measures the same "
        "prompts in both ways, one file each, and shows the difference. Alone it means `on`.",
    ),
    click.option(
        "--depth",
        "context_depths",
        type=CONTEXT_DEPTHS,
        default="0",
        show_default=True,
        help="Tokens of neutral text in front of every prompt: 0,4k,16k; one file for each.",
    ),
    click.option(
        "--parallel",
        type=click.IntRange(1, 64),
        default=1,
        show_default=True,
        help="Slots that are asked at once; another measurement, never compared with one slot. "
        "They share the context: give a -c that is enough for all of them.",
    ),
    click.option("--budget", type=DURATION, help="Never take longer: 90s, 10m, 1h."),
    click.option(
        "--grid",
        is_flag=True,
        help="Every n_max in every block. Otherwise more than eight named ones, or more than "
        "four where --n-max is left out, are explored first, and the best two confirmed with "
        "fresh data.",
    ),
    click.option(
        "--request-timeout",
        type=DURATION,
        default="10m",
        show_default=True,
        help="How long one request may take.",
    ),
    click.option(
        "--machine",
        "machine_id",
        type=MACHINE_ID,
        help="Id of this machine; made from its parts if not given.",
    ),
    click.option(
        "--contributor",
        type=TEXT,
        default="anonymous",
        show_default=True,
        help="Name that stands in the file.",
    ),
    click.option(
        "--out",
        type=RESULT_FILE,
        help="File to write; else measurements/<machine>/<date>-<model>.yaml.",
    ),
    click.option("--resume", is_flag=True, help="Go on where --out, or today's last, stopped."),
)


def measure_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options above, in this order in `--help`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
