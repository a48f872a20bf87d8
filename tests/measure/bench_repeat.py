"""Two measurements of the same thing, again and again: bench_repeat.py [PAIRS].

How many pairs of intervals overlap, on a machine as noisy as it is; at least nine in ten should.
"""

import sys
import tempfile
from pathlib import Path

from speculoos.measure.plan import Plan
from speculoos.measure.prepare import About, head, this_machine
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.run import measure
from speculoos.parts.models import smollm2
from speculoos.parts.mtp_head import merge
from speculoos.parts.servers import llama_server
from speculoos.record.metrics import Interval
from speculoos.record.store import load_measurement
from speculoos.record.summary import Summary, summarise

CACHE = Path.home() / ".cache" / "speculoos"
PAIRS = 10
PROMPTS = ("code-column", "explain-tides", "story-lamp")


def once(plan: Plan, folder: Path, name: str) -> Summary:
    """One whole measurement."""
    out = folder / "rig" / f"2026-01-01-{name}.yaml"
    start = head(plan, this_machine(folder, "rig"), About())
    for _ in measure(plan, start, out):
        pass
    return summarise(load_measurement(out).record)


def overlap(one: Interval, other: Interval) -> bool:
    """Whether two intervals share a value; a missing bound shares none."""
    if None in (one.low, one.high, other.low, other.high):
        return False
    return one.low <= other.high and other.low <= one.high


def main(pairs: int) -> None:
    """Both measurements of every pair, and the count."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = Plan(
            binary=llama_server(CACHE).path,
            model=merge(smollm2(CACHE), CACHE / "smollm2-135m-mtp-q4_1.gguf", "Q4_1"),
            spec_type="draft-mtp",
            depths=(1, 2),
            prompts=find_prompt_set("mixed-1", []),
            prompt_ids=PROMPTS,
            blocks=3,
            max_tokens=24,
            extra=("-c", "1024"),
            logs=folder / "logs",
        )
        good = total = 0
        for pair in range(1, pairs + 1):
            one, other = (once(plan, folder, f"{pair}-{half}") for half in "ab")
            both = [(a.speedup, b.speedup) for a, b in zip(one.points, other.points, strict=True)]
            good, total = good + sum(overlap(*each) for each in both), total + len(both)
            shown = "; ".join(f"{told(first)}, {told(second)}" for first, second in both)
            why = f"{one.recommendation.why}, {other.recommendation.why}"
            print(f"{pair}: {shown}; {why}", flush=True)  # noqa: T201
        print(f"{good} of {total} pairs of intervals overlap")  # noqa: T201


def told(ratio: Interval) -> str:
    """A ratio with its bounds."""
    return f"{ratio.value:.3f} ({ratio.low:.3f} to {ratio.high:.3f})"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
