"""Decode rate that a server reports with our client against curl: bench_client.py [ROUNDS].

Every round asks one server the same three times, in a random order: with our client, with curl,
and with curl once more. Two ratios are printed, for plain answers and for streams: ours over
curl's, and curl's over its own, which must be 1. Where it is not, the machine has decided. Each is
the median of all rounds with its 95 % interval by order statistics, for a neighbour that wakes up
spoils a round, and no mean or total forgets that; rounds are added until both are narrow.

What has made such a comparison say more than it knew:
- The model. One that is larger than the processor's caches waits for the memory, which the other
  guests of a host use too: two answers of SmolLM2-135M in a row differ by a fifth, and the median
  of 60 pairs by 3 to 5 %, curl against curl alike. The tiny model stays in the cache. At its rate,
  a hundred times that of a real one, what a client does for a token also costs a hundred times as
  much: who passes here passes everywhere.
- What comes before. A request that follows another at once finds warm caches; behind the start of
  a program, which curl is, they are cold. So a program is started before our request too.
- Threads. Several of a server wait for each other in loops: one disturbed is all disturbed. One
  thread leaves the other processor to the client, as on a machine with a card.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Self

from speculoos.measure.client import Ask
from speculoos.measure.server import Command, Server
from speculoos.parts.servers import llama_server
from speculoos.parts.tiny_model import TinyModel

CACHE = Path.home() / ".cache" / "speculoos"
PROMPT = "Count the waves."
ROUNDS, LEAST, TOKENS = 4000, 200, 64
NARROW, ALLOWED = 0.004, 0.01
"""Half-width of both intervals that is enough, and what our client may cost."""
OURS, CURL, AGAIN = "ours", "curl", "curl again"
PROGRAM = shutil.which("curl") or "curl"

Timings = Mapping[str, float]
Rates = dict[str, list[float]]


@dataclass(frozen=True)
class Ratio:
    """The rates of one over those of the other: the median of the rounds, and its interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, ones: Sequence[float], others: Sequence[float]) -> Self:
        """The median and the two order statistics around it (binomial, by the normal curve)."""
        ratios = sorted(one / other for one, other in zip(ones, others, strict=True))
        count = len(ratios)
        beyond = int(count / 2 - 0.98 * sqrt(count))
        return cls(ratios[count // 2], ratios[beyond], ratios[count - 1 - beyond])

    @property
    def narrow(self) -> bool:
        """Whether more rounds would tell nothing more."""
        return (self.high - self.low) / 2 <= NARROW

    def __str__(self) -> str:
        inside = self.low >= 1 - ALLOWED and self.high <= 1 + ALLOWED
        outside = self.high < 1 - ALLOWED or self.low > 1 + ALLOWED
        said = "within 1 %" if inside else "not within 1 %" if outside else "undecided"
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f}), {said}"


def ours(server: Server, text: str, ask: Ask) -> Timings:
    """One answer to our client, behind the start of a program."""
    subprocess.run([PROGRAM, "--version"], check=True, stdout=subprocess.DEVNULL)
    return server.client.complete(text, ask).timings


def curls(server: Server, text: str, ask: Ask, folder: Path) -> Timings:
    """The same answer to curl, which writes it to a file; read when it has come."""
    answer, body = folder / "answer", json.dumps(ask.body(text))
    curl = [PROGRAM, "-s", "-S", "--fail", "-o", str(answer)]
    headers = [f"Authorization: Bearer {server.key}", "Content-Type: application/json"]
    told = [word for header in headers for word in ("-H", header)]
    url = f"http://127.0.0.1:{server.port}/completion"
    subprocess.run([*curl, *told, "-d", body, url], check=True)
    last = answer.read_text(encoding="utf-8").strip().splitlines()[-1]
    timings: Timings = json.loads(last.removeprefix("data: "))["timings"]
    return timings


def compare(server: Server, folder: Path, most: int, *, stream: bool) -> Rates:
    """Tokens per second without the first one, as the record has them, of every round."""
    ask = Ask(TOKENS, temperature=0, seed=1, stream=stream, deadline_s=120)
    with_curl = lambda: curls(server, PROMPT, ask, folder)  # noqa: E731 - the two are one
    asked: dict[str, Callable[[], Timings]] = {
        OURS: lambda: ours(server, PROMPT, ask),
        CURL: with_curl,
        AGAIN: with_curl,
    }
    for each in asked.values():
        each()  # not counted
    rates: Rates = {name: [] for name in asked}
    for count in range(1, most + 1):
        for name in random.sample(sorted(asked), len(asked)):
            timings = asked[name]()
            rates[name].append((timings["predicted_n"] - 1) / timings["predicted_ms"] * 1000)
        if count >= LEAST and all(ratio.narrow for ratio in ratios(rates).values()):
            break
    return rates


def ratios(rates: Rates) -> dict[str, Ratio]:
    """Ours, and curl's second answer, over curl's first."""
    return {name: Ratio.of(rates[name], rates[CURL]) for name in (OURS, AGAIN)}


def main() -> None:
    """Print both ratios of both ways."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    part = llama_server(CACHE, quantised=False)
    args = ("--parallel", "1", "-c", "1024", "--no-webui", "-t", "1")
    with tempfile.TemporaryDirectory() as folder:
        model = TinyModel(architecture="qwen35").write(Path(folder, "tiny.gguf"))
        command = Command(part.path, model, args, Path(folder, "server.log"), 120)
        with Server(command) as server:
            for stream in (False, True):
                rates = compare(server, Path(folder), most, stream=stream)
                found = ratios(rates)
                middle = sorted(rates[CURL])[len(rates[CURL]) // 2]
                print(  # noqa: T201
                    f"{'stream' if stream else 'plain'}: ours / curl {found[OURS]}; "
                    f"curl again / curl {found[AGAIN]}; {len(rates[CURL])} rounds, "
                    f"{middle:.0f} tokens/s",
                    flush=True,
                )


if __name__ == "__main__":
    main()
