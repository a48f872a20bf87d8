"""Two measurements of the same thing, again and again: bench_repeat.py [PAIRS].

How many pairs of intervals overlap, on a machine as noisy as it is; at least nine in ten should.
Both halves of a pair are measured in turns, block by block, so that the machine is the same one.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from speculoos.measure.plan import Plan
from speculoos.measure.prepare import About, head, this_machine
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.resume import resumed
from speculoos.measure.run import Sampled, measure
from speculoos.parts.servers import llama_server
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.metrics import Interval
from speculoos.record.store import load_measurement
from speculoos.record.summary import Summary, summarise
from speculoos.record.types import Measurement

CACHE = Path.home() / ".cache" / "speculoos"
PAIRS = 10


def block_by_block(plan: Plan, start: Measurement, out: Path) -> Iterator[None]:
    """One whole measurement that stops behind every block, as Ctrl-C would, and goes on."""
    for block in range(1, plan.blocks + 1):
        so_far = resumed(out, plan, start) if out.exists() else start
        _sit(plan, so_far, out, whole=block == plan.blocks)
        yield


def _sit(plan: Plan, start: Measurement, out: Path, *, whole: bool) -> None:
    events = measure(plan, start, out)
    left = len(plan.settings) * len(plan.asked)
    for event in events:
        left -= isinstance(event, Sampled)
        if left == 0 and not whole:
            events.close()


def overlap(one: Interval, other: Interval) -> bool:
    """Whether two intervals share a value; a missing bound shares none."""
    if None in (one.low, one.high, other.low, other.high):
        return False
    return one.low <= other.high and other.low <= one.high


def told(found: Summary) -> str:
    """The speed-up with its bounds, and the verdict."""
    ratio = found.points[0].speedup
    return f"{ratio.value:.3f} ({ratio.low:.3f} to {ratio.high:.3f}; {found.recommendation.why})"


def main(pairs: int) -> None:
    """Both measurements of every pair, and the count."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = Plan(
            binary=llama_server(CACHE, quantised=False).path,
            model=TinyModel(Acceptance.by_step([0.8, 0.6, 0.4])).write(folder / "tiny.gguf"),
            spec_type="draft-mtp",
            depths=(2,),
            prompts=find_prompt_set("cycle-1", []),
            blocks=3,
            max_tokens=200,
            extra=("-c", "512"),
            logs=folder / "logs",
        )
        start, good = head(plan, this_machine(folder, "rig"), About()), 0
        for pair in range(1, pairs + 1):
            outs = [folder / "rig" / f"2026-01-01-{pair}-{half}.yaml" for half in "ab"]
            for _ in zip(*(block_by_block(plan, start, out) for out in outs), strict=True):
                pass
            both = [summarise(load_measurement(out).record) for out in outs]
            good += overlap(*(found.points[0].speedup for found in both))
            print(f"{pair}: {', '.join(map(told, both))}", flush=True)  # noqa: T201
        print(f"{good} of {pairs} pairs overlap")  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS)
