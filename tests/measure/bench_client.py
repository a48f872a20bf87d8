"""Decode rate that a server reports with our client against curl: bench_client.py [PAIRS].

Both ask one server the same, in turns and in a random order within each pair; the ratio and its
95 % interval are printed for plain answers and for streams.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from speculoos.measure.client import Ask
from speculoos.measure.server import Command, Server
from speculoos.parts.models import smollm2
from speculoos.parts.servers import llama_server
from speculoos.record.metrics import speedup_intervals

CACHE = Path.home() / ".cache" / "speculoos"
PROMPT = "Write a long story about a lighthouse keeper who counts the waves."
PAIRS, TOKENS = 24, 128


def rate(timings: dict[str, float]) -> float:
    """Tokens per second without the first one, as the record has them."""
    return (timings["predicted_n"] - 1) / timings["predicted_ms"] * 1000


def ours(server: Server, text: str, ask: Ask) -> float:
    """One answer to our client."""
    return rate(server.client.complete(text, ask).timings)


def curls(server: Server, text: str, ask: Ask, folder: Path) -> float:
    """The same answer to curl, which writes it to a file; read when it has come."""
    answer, body = folder / "answer", json.dumps(ask.body(text))
    curl = [shutil.which("curl") or "curl", "-s", "-S", "--fail", "-o", str(answer)]
    headers = [f"Authorization: Bearer {server.key}", "Content-Type: application/json"]
    told = [word for header in headers for word in ("-H", header)]
    url = f"http://127.0.0.1:{server.port}/completion"
    subprocess.run([*curl, *told, "-d", body, url], check=True)
    last = answer.read_text(encoding="utf-8").strip().splitlines()[-1]
    return rate(json.loads(last.removeprefix("data: "))["timings"])


def compare(server: Server, folder: Path, pairs: int, *, stream: bool) -> str:
    """Pairs of both, and the ratio of their rates."""
    ask = Ask(TOKENS, temperature=0, seed=1, stream=stream, deadline_s=120)
    text = server.client.render(PROMPT)
    asked = {
        "ours": lambda: ours(server, text, ask),
        "curl": lambda: curls(server, text, ask, folder),
    }
    rates: dict[str, dict[int, float]] = {name: {} for name in asked}
    for each in asked.values():
        each()  # not counted
    for pair in range(1, pairs + 1):
        for name in random.sample(sorted(asked), 2):
            rates[name][pair] = asked[name]()
    found = speedup_intervals(rates, "curl")["ours"]
    assert found.low is not None
    assert found.high is not None
    mean = sum(rates["curl"].values()) / pairs
    return (
        f"{'stream' if stream else 'plain'}: ours / curl {found.value:.4f}, 95 % interval "
        f"{found.low:.4f} to {found.high:.4f} ({pairs} pairs, about {mean:.0f} tokens/s)"
    )


def main() -> None:
    """Print both ratios."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    part = llama_server(CACHE)
    args = ("--parallel", "1", "-c", "1024", "--no-webui")
    with tempfile.TemporaryDirectory() as folder:
        command = Command(part.path, smollm2(CACHE), args, Path(folder, "server.log"), 120)
        with Server(command) as server:
            for stream in (False, True):
                print(compare(server, Path(folder), pairs, stream=stream), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
