"""Decode rate that a server reports with our client against curl: bench_client.py [PAIRS].

Both ask one server the same, in turns and in a random order within each pair, for plain answers
and for streams. Two ratios are printed: of the rates, which whatever else runs on the machine
disturbs, and of the processor time that the server spends on a token, which it disturbs less. Each
is the median of all pairs with its 95 % interval by order statistics: a neighbour that wakes up
spoils a pair, and no mean forgets that. Short answers, so that the two of a pair see the same
machine; pairs are added until both intervals are narrow, at most PAIRS. The server computes with
one thread: several wait for each other in loops that count as work.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Self

from speculoos.measure.client import Ask
from speculoos.measure.server import Command, Server
from speculoos.parts.models import smollm2
from speculoos.parts.servers import llama_server

CACHE = Path.home() / ".cache" / "speculoos"
PROMPT = "Write a long story about a lighthouse keeper who counts the waves."
PAIRS, LEAST, TOKENS = 300, 40, 24
NARROW, ALLOWED = 0.005, 0.01
"""Half-width of both intervals that is enough, and what our client may cost."""
OURS, CURL = "ours", "curl"

Timings = Mapping[str, float]
Cells = dict[str, list[float]]


@dataclass(frozen=True)
class Ratio:
    """Ours over curl's: the median of the pairs, and its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, cells: Cells) -> Self:
        """The median and the two order statistics around it (binomial, by the normal curve)."""
        ratios = sorted(one / other for one, other in zip(cells[OURS], cells[CURL], strict=True))
        count = len(ratios)
        beyond = int(count / 2 - 0.98 * sqrt(count))
        return cls(ratios[count // 2], ratios[beyond], ratios[count - 1 - beyond])

    @property
    def narrow(self) -> bool:
        """Whether more pairs would tell nothing more."""
        return (self.high - self.low) / 2 <= NARROW

    def __str__(self) -> str:
        inside = self.low >= 1 - ALLOWED and self.high <= 1 + ALLOWED
        outside = self.high < 1 - ALLOWED or self.low > 1 + ALLOWED
        said = "within 1 %" if inside else "not within 1 %" if outside else "undecided"
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f}), {said}"


@dataclass
class Seen:
    """Of every client and pair: tokens per second, and tokens per second of processor time."""

    rate: Cells = field(default_factory=lambda: {OURS: [], CURL: []})
    per_cpu_s: Cells = field(default_factory=lambda: {OURS: [], CURL: []})

    @property
    def narrow(self) -> bool:
        """Whether both ratios are known well enough."""
        return Ratio.of(self.rate).narrow and Ratio.of(self.per_cpu_s).narrow


def cpu_s(server: Server) -> float:
    """Processor time of the server so far, of all its threads, in nanoseconds' steps.

    The clock of another process is named by its id (clock_getcpuclockid(3)).
    """
    return time.clock_gettime(~server.child.process.pid << 3 | 2)


def ours(server: Server, text: str, ask: Ask) -> Timings:
    """One answer to our client."""
    return server.client.complete(text, ask).timings


def curls(server: Server, text: str, ask: Ask, folder: Path) -> Timings:
    """The same answer to curl, which writes it to a file; read when it has come."""
    answer, body = folder / "answer", json.dumps(ask.body(text))
    curl = [shutil.which("curl") or "curl", "-s", "-S", "--fail", "-o", str(answer)]
    headers = [f"Authorization: Bearer {server.key}", "Content-Type: application/json"]
    told = [word for header in headers for word in ("-H", header)]
    url = f"http://127.0.0.1:{server.port}/completion"
    subprocess.run([*curl, *told, "-d", body, url], check=True)
    last = answer.read_text(encoding="utf-8").strip().splitlines()[-1]
    timings: Timings = json.loads(last.removeprefix("data: "))["timings"]
    return timings


def ask_once(server: Server, asked: Callable[[], Timings]) -> tuple[float, float]:
    """Tokens per second without the first one, as the record has them, and per processor second."""
    before = cpu_s(server)
    timings = asked()
    tokens, spent_s = timings["predicted_n"] - 1, cpu_s(server) - before
    return tokens / timings["predicted_ms"] * 1000, tokens / spent_s


def compare(server: Server, folder: Path, most: int, *, stream: bool) -> Seen:
    """Pairs of both, until the answer is narrow or there are enough."""
    ask = Ask(TOKENS, temperature=0, seed=1, stream=stream, deadline_s=120)
    text = server.client.render(PROMPT)
    asked: dict[str, Callable[[], Timings]] = {
        OURS: lambda: ours(server, text, ask),
        CURL: lambda: curls(server, text, ask, folder),
    }
    for each in asked.values():
        each()  # not counted
    seen = Seen()
    for pair in range(1, most + 1):
        for name in random.sample(sorted(asked), 2):
            rate, per_cpu_s = ask_once(server, asked[name])
            seen.rate[name].append(rate)
            seen.per_cpu_s[name].append(per_cpu_s)
        if pair >= LEAST and seen.narrow:
            break
    return seen


def main() -> None:
    """Print both ratios of both ways."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    part = llama_server(CACHE)
    args = ("--parallel", "1", "-c", "1024", "--no-webui", "-t", "1")
    with tempfile.TemporaryDirectory() as folder:
        command = Command(part.path, smollm2(CACHE), args, Path(folder, "server.log"), 120)
        with Server(command) as server:
            for stream in (False, True):
                seen = compare(server, Path(folder), most, stream=stream)
                pairs = len(seen.rate[CURL])
                print(  # noqa: T201
                    f"{'stream' if stream else 'plain'}, ours / curl: rate {Ratio.of(seen.rate)}; "
                    f"tokens per processor time {Ratio.of(seen.per_cpu_s)}; {pairs} pairs, about "
                    f"{sum(seen.rate[CURL]) / pairs:.0f} tokens/s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
