"""Figures that nothing ever printed: reading an input of strangers ends all the same."""

import re
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from rich.console import Console

from speculoos.read import batches, read
from speculoos.reading import Shown

DATA = Path(__file__).parents[1] / "data" / "read"
PLACES = 12
"""Numbers of a line that are made absurd, one after the other."""


def _shown(text: bytes) -> str:
    out = StringIO()
    shown = Shown(Console(file=out, highlight=False))
    for event in batches(BytesIO(text))[1]:
        shown.take(event)
    shown.end()
    return out.getvalue()


@pytest.mark.parametrize("absurd", [b"9" * 5000, b"1e400", b"0"], ids=["long", "infinite", "zero"])
@pytest.mark.parametrize("path", sorted(DATA.iterdir()), ids=lambda path: path.name[:2])
def test_no_number_of_an_input_is_an_error(path: Path, absurd: bytes) -> None:
    """One that is too large to be a figure is passed over; nothing is divided by zero."""
    lines = path.read_bytes().splitlines(keepends=True)[:50]
    for place in range(PLACES):
        numbers = ([*re.finditer(rb"\d+(?:\.\d+)?", line)][place : place + 1] for line in lines)
        text = b"".join(
            b"".join((line[: n[0].start()], absurd, line[n[0].end() :])) if n else line
            for line, n in zip(lines, numbers, strict=True)
        )
        assert _shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "  code pred= 0 draft= 0 acc= 0 rate=n/a tok/s= 1.0\n"
        "  AGG  accept=n/a draft=0 acc=0 pred=0 wall=17.13s\n",
        'build_commit,n_prompt,n_gen,avg_ts\n"a","' + "1" * 200_000 + '","1","2"\n',
        "llama-server --draft-max ²\n",
        'llama_server: x\n{"type":"fit_memory_breakdown","data":{"rows":[{"name":"a","model":"x",'
        '"context":[1],"compute":null}]}}\n',
    ],
    ids=["no tokens", "long cell", "superscript", "no memory"],
)
def test_a_line_that_makes_no_sense_is_no_error(text: str) -> None:
    """What it says is told as far as it says something."""
    assert _shown(text.encode())
    assert read(text.splitlines(), "log").forms
