"""What a measurement spends on itself: python tests/measure/bench_own_time.py [OPTIONS OF measure].

A real measurement in a process of its own, from the start of the interpreter to its end; all that
is neither the start of a server nor an answer is ours. Without options it is a --quick one.
On a machine that others use, the share of processor time says more than that of the clock.
"""

import json
import sys
import tempfile
import time
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any

from speculoos.demo import get_parts
from speculoos.measure.client import Client
from speculoos.measure.server import Server
from speculoos.parts.pypi import silent

CACHE = Path.home() / ".cache" / "speculoos"


def timed(owner: type, name: str, spent: dict[str, float]) -> None:
    """Add up the time of a method of a class."""
    original: Any = getattr(owner, name)

    def method(*args: object) -> object:
        start = time.perf_counter()
        try:
            return original(*args)
        finally:
            spent[name] += time.perf_counter() - start

    setattr(owner, name, method)


def child(report: Path, arguments: list[str]) -> None:
    """Measure as the command line does, and write what starts, stops and answers have taken."""
    from speculoos.cli import main as command_line  # noqa: PLC0415 - its import is ours to count

    spent = dict.fromkeys(("__enter__", "stop", "complete"), 0.0)
    timed(Server, "__enter__", spent)
    timed(Server, "stop", spent)
    timed(Client, "complete", spent)
    try:
        command_line(arguments)
    finally:
        spent["processor"] = time.process_time()
        report.write_text(json.dumps(spent), encoding="utf-8")


def main() -> None:
    """Print the share of a measurement that is ours."""
    parts = get_parts(CACHE, silent)
    model, options = str(parts.model("Q4_1")), sys.argv[1:] or ["--quick"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        asked = ["measure", "--server", str(parts.server.path), "--model", model, *options]
        start = time.perf_counter()
        with Popen(
            [sys.executable, __file__, "--child", str(report), *asked], cwd=folder, stdout=DEVNULL
        ) as process:
            process.wait()
        whole = time.perf_counter() - start
        spent = json.loads(report.read_text(encoding="utf-8"))
    own = whole - spent["__enter__"] - spent["complete"]
    print(  # noqa: T201
        f"{' '.join(options)}: {whole:.1f} s, of it {spent['complete']:.1f} s of answers, "
        f"{spent['__enter__']:.1f} s of starts; ours {100 * own / whole:.1f} % "
        f"({own:.2f} s, {spent['stop']:.2f} s of it the end of servers); processor time of ours "
        f"{spent['processor']:.2f} s, {100 * spent['processor'] / whole:.1f} %"
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(Path(sys.argv[2]), sys.argv[3:])
    else:
        main()
