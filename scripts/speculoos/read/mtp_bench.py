"""mtp-bench.py (llama.cpp PR 22673): one row a prompt, then one of two summaries.

Its rates are rounded and its acceptance too: both follow from the counts. The summary's wall time
includes the prompts.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from speculoos.read import flags
from speculoos.read.request import Event, Hint, Request

ROW = re.compile(
    r"^\s*(?:> ?)*\s*(?P<label>\S+)\s+pred=\s*(?P<pred>\d{1,9}) draft=\s*(?P<draft>\d{1,9}) "
    r"acc=\s*(?P<acc>\d{1,9}) rate=(?P<rate>n/a|\d\.\d{3}) tok/s=\s*(?P<speed>\d{1,9}\.\d)\s*$"
)
TOTAL = re.compile(
    r"\"(?P<key>total_predicted|total_draft|total_draft_accepted|wall_s_total)\": "
    r"(?P<value>\d{1,9}(?:\.\d+)?)"
)
AGGREGATE = re.compile(
    r"\bAGG +accept=(?:\d+\.\d+|n/a) draft=\s*(?P<total_draft>\d{1,9}) "
    r"acc=\s*(?P<total_draft_accepted>\d{1,9}) pred=\s*(?P<total_predicted>\d{1,9}) "
    r"wall=\s*(?P<wall_s_total>\d{1,9}(?:\.\d+)?)s"
)
PREDICTED = "total_predicted"
HALF_DIGIT = 0.000501


@dataclass(slots=True)
class Run:
    """The rows since the last summary or command."""

    n_max: int | None = None
    sums: dict[str, int] = field(default_factory=dict)
    speeds: list[tuple[int, float]] = field(default_factory=list)
    """Tokens and printed tokens per second of each row."""

    def add(self, row: re.Match[str]) -> None:
        """Count one row."""
        self.speeds.append((int(row["pred"]), float(row["speed"])))
        for key, name in (
            ("total_predicted", "pred"),
            ("total_draft", "draft"),
            ("total_draft_accepted", "acc"),
        ):
            self.sums[key] = self.sums.get(key, 0) + int(row[name])


def read(lines: Iterable[tuple[int, str]]) -> Iterator[Event]:
    """The rows of every block, with what the tool's rounding hides."""
    run, continued = Run(), flags.Continued()
    for number, raw in lines:
        line = continued.take(raw, number)
        if row := ROW.match(line):
            run.add(row)
            yield _request(row, run.n_max)
            yield from _rounding(row, number)
        elif flags.COMMAND.search(line):
            run = Run(flags.n_max_of(flags.arguments(line)))
        elif found := AGGREGATE.search(line):
            for key, value in found.groupdict().items():
                yield from _total(run, key, value, number)
        elif found := TOTAL.search(line):
            yield from _total(run, found["key"], found["value"], number)


def _request(row: re.Match[str], n_max: int | None) -> Request:
    drafted = int(row["draft"])
    return Request(
        source="mtp_bench",
        label=row["label"],
        predicted_n=int(row["pred"]),
        printed_tokens_per_second=float(row["speed"]),
        draft_n=drafted or None,
        draft_n_accepted=int(row["acc"]) if drafted else None,
        speculation="drafted" if drafted else "none",
        n_max=n_max,
    )


def _rounding(row: re.Match[str], number: int) -> Iterator[Hint]:
    drafted = int(row["draft"])
    if not drafted or row["rate"] == "n/a":
        return
    printed, computed = float(row["rate"]), int(row["acc"]) / drafted
    if abs(printed - computed) > HALF_DIGIT - 0.000005:
        figures = (("label", row["label"]), ("printed", printed), ("computed", computed))
        yield Hint("rounded-rate", number, figures)


def _total(run: Run, key: str, value: str, number: int) -> Iterator[Hint]:
    if not run.sums:
        return
    if key == "wall_s_total":
        wall = float(value)
        computed = run.sums[PREDICTED] / wall if wall else 0.0
        yield Hint("prompt-in-wall-time", number, (("wall_s", wall), ("computed", computed)))
        yield from _mean(run, number)
        run.sums.clear()
        run.speeds.clear()
    elif run.sums[key] != float(value):
        figures = (("key", key), ("printed", value), ("computed", run.sums[key]))
        yield Hint("totals-differ", number, figures)


def _mean(run: Run, number: int) -> Iterator[Hint]:
    """The mean of the rows' rates beside all tokens over all their time."""
    rates = [speed for _, speed in run.speeds]
    if not all(rates) or not run.sums[PREDICTED]:
        return
    seconds = sum(n / speed for n, speed in run.speeds)
    figures = (("printed", sum(rates) / len(rates)), ("computed", run.sums[PREDICTED] / seconds))
    yield Hint("mean-of-rates", number, figures)
