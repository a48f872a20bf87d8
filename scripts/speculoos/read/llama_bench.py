"""llama-bench in each of its forms: it never speculates, so its rows are baselines.

A row is one test. Its time is the mean of its repetitions; its printed rate is the mean of their
rates, which is not the rate of the totals. A row that generates nothing prints the prompt's rate.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from speculoos.read.json_text import count, number, numbers
from speculoos.read.llama_bench_rows import Rows
from speculoos.read.request import Event, Finding, Hint, RateDivisor, Request

TEST = re.compile(r"(?:pp ?(?P<prompt>\d{1,9}))?\+?(?:tg ?(?P<gen>\d{1,9}))?(?: ?@ ?d\d+)?")
RATE = re.compile(r"(\d{1,9}(?:\.\d+)?)(?: ± \d+(?:\.\d+)?)?")
BUILD = re.compile(r"^build: ([0-9a-f]+|unknown) \((\d+)\)\s*$")
FAR = 0.001
"""Rates that differ by more than this share are worth a hint."""


def is_rows(document: Any) -> bool:
    """Whether a JSON document is llama-bench's."""
    rows = document if isinstance(document, list) else [document]
    return bool(rows) and all(isinstance(r, dict) and {"avg_ts", "n_gen"} <= r.keys() for r in rows)


def read_json(document: Any) -> Iterator[Event]:
    """The tests of a JSON document or of one object a line."""
    for row in document if isinstance(document, list) else [document]:
        yield from _row(row)


def _row(row: dict[str, Any]) -> Iterator[Event]:
    n_prompt, n_gen, depth = (count(row, name) or 0 for name in ("n_prompt", "n_gen", "n_depth"))
    printed, ns = number(row, "avg_ts"), number(row, "avg_ns")
    ms = ns / 1e6 if ns else None
    label = _label(n_prompt, n_gen, depth)
    both = bool(n_prompt and n_gen)
    yield Request(
        source="llama_bench",
        label=label,
        prompt_n=n_prompt or None,
        prompt_ms=ms if n_prompt and not both else None,
        predicted_n=n_gen or None,
        predicted_ms=ms if n_gen and not both else None,
        printed_tokens_per_second=printed,
        rate_divisor=_divisor(n_prompt + n_gen, row),
        speculation="none",
        build=_build(row.get("build_number"), row.get("build_commit")),
    )
    if printed is None or ms is None:
        return
    computed = 1000 * (n_prompt + n_gen) / ms
    if abs(computed - printed) > FAR * computed:
        figures = (("label", label), ("printed", printed), ("computed", computed))
        yield Hint("mean-of-rates", 0, figures)


def _label(n_prompt: int, n_gen: int, depth: int) -> str:
    parts = [f"pp{n_prompt}"] * bool(n_prompt) + [f"tg{n_gen}"] * bool(n_gen)
    return "+".join(parts) + (f" @ d{depth}" if depth else "")


def _divisor(n: int, row: dict[str, Any]) -> RateDivisor | None:
    """`n` where each repetition's rate is all its tokens over its time."""
    times, rates = numbers(row, "samples_ns"), numbers(row, "samples_ts")
    pairs = list(zip(times, rates, strict=False))
    good = pairs and all(abs(1e9 * n - rate * ns) <= FAR * rate * ns for ns, rate in pairs)
    return "n" if good else None


def _build(number: Any, commit: Any) -> str | None:
    return f"b{number}-{commit}" if number is not None and commit else None


def read_lines(lines: Iterable[tuple[int, str]]) -> Iterator[Event]:
    """The tests of every table among the lines, with the build that stands behind them."""
    header: list[str] = []
    rows: list[tuple[str, str]] = []
    others = Rows()
    for at, line in lines:
        for row in others.of(line, at):
            yield from [row] if isinstance(row, Hint) else _row(row)
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.lstrip().startswith("|") and {"test", "t/s"} <= set(cells):
            header = cells
        elif header and line.lstrip().startswith("|") and len(cells) == len(header):
            rows.append((cells[header.index("test")], cells[header.index("t/s")]))
        elif match := BUILD.match(line):
            build = f"b{match[2]}-{match[1]}"
            yield Finding("build", at, build)
            yield from _tests(rows, build)
            header, rows = [], []
    yield from _tests(rows, None)


def _tests(rows: list[tuple[str, str]], build: str | None) -> Iterator[Request]:
    for name, printed in rows:
        test, rate = TEST.fullmatch(name), RATE.fullmatch(printed)
        if not (test and rate and (test["prompt"] or test["gen"])):
            continue
        yield Request(
            source="llama_bench",
            label=name,
            prompt_n=int(test["prompt"]) if test["prompt"] else None,
            predicted_n=int(test["gen"]) if test["gen"] else None,
            printed_tokens_per_second=float(rate[1]),
            speculation="none",
            build=build,
        )
