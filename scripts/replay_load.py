"""A small replayed load: people who ask a llama-server one thing after another, with pauses.

It stands in for real use where there is none: the same prompts as the benches, mixed at random,
at the temperature of a chat, with answers of any length and pauses between them. It prints counts
only. `speculoos observe` beside it gives an `observed` record that others can repeat:

    llama-server -m model.gguf --port 8080 --metrics --spec-type draft-mtp --spec-draft-n-max 2 &
    python scripts/replay_load.py http://127.0.0.1:8080 --for 2m &
    speculoos observe http://127.0.0.1:8080 --for 2m --out measurements/rig/….yaml
"""

import random
import time
from pathlib import Path

import click
import httpx

from speculoos.options import DURATION
from speculoos.record.store import load_prompt_set
from speculoos.record.types import Prompt

SETS = ("mixed-1", "english-1", "french-1", "prose-1", "code-1")
TEMPERATURE = 0.8
SHORTEST, LONGEST = 24, 160
"""Tokens of an answer."""
LONGEST_PAUSE_S = 1.0


@click.command()
@click.argument("url")
@click.option("--for", "for_s", type=DURATION, default="2m", show_default=True, help="How long.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same load again.")
@click.option("--prompts", type=click.Path(exists=True, path_type=Path), help="Folder of the sets.")
def replay(url: str, for_s: float, seed: int, prompts: Path | None) -> None:
    """Ask a server at URL mixed questions until the time is over."""
    folder = prompts or Path(__file__).parents[1] / "measurements" / "prompts"
    found = [p for name in SETS for p in load_prompt_set(folder / f"{name}.yaml").record.prompts]
    draw = random.Random(seed)  # noqa: S311 - a load, no secret
    until, answers, tokens = time.monotonic() + for_s, 0, 0
    with httpx.Client(base_url=url, timeout=120, trust_env=False) as http:
        while time.monotonic() < until:
            tokens += _ask(http, draw.choice(found), draw)
            answers += 1
            time.sleep(draw.uniform(0, LONGEST_PAUSE_S))
    click.echo(f"{answers} answers, {tokens} tokens")


def _ask(http: httpx.Client, prompt: Prompt, draw: random.Random) -> int:
    body = {
        "messages": [{"role": "user", "content": prompt.text}],
        "max_tokens": draw.randint(SHORTEST, LONGEST),
        "temperature": TEMPERATURE,
        "seed": draw.randrange(2**31),
    }
    answer = http.post("/v1/chat/completions", json=body)
    return int(answer.raise_for_status().json()["timings"]["predicted_n"])


if __name__ == "__main__":
    replay()
