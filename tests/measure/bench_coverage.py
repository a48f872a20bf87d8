"""How often an interval holds the truth, by the rule that ended the measurement.

    bench_coverage.py [SIMULATIONS]

On machines that exist only as formulas, from quiet to restless; the figures of the protocol's rule
about stopping come from here.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measure.simulated import Machine, machine, measured
from speculoos.measure.plan import Plan
from speculoos.measure.prompts import find_prompt_set
from speculoos.record.metrics import Interval

BLOCKS, LEAST, NARROW = 5, 3, 0.02
NOISES = (0.005, 0.01, 0.015, 0.02, 0.03, 0.06)
"""Of a start of the server, as a share of its rate; that of a request is twice as large."""
PLAN = Plan(
    binary=Path("llama-server"),
    model=Path("model.gguf"),
    spec_type="draft-mtp",
    depths=(1, 2, 3),
    prompts=find_prompt_set("mixed-1", []),
    blocks=BLOCKS,
)
Found = dict[str, Interval]


def _at_once(blocks: list[Found]) -> Found:
    """The first interval that is narrow enough."""
    return next((found for found in blocks if _narrow(found)), blocks[-1])


def _one_more(blocks: list[Found]) -> Found:
    """The one of a block later."""
    ended = next((i for i, found in enumerate(blocks) if _narrow(found)), BLOCKS)
    return blocks[min(ended + 1, len(blocks) - 1)]


def _fixed(blocks: list[Found]) -> Found:
    """The one of all the blocks."""
    return blocks[-1]


RULES: dict[str, Callable[[list[Found]], Found]] = {
    "at the first narrow block": _at_once,
    "one block later": _one_more,
    "after all blocks": _fixed,
}


def _best(found: Found) -> tuple[str, Interval]:
    return max(found.items(), key=lambda pair: pair[1].value)


def _narrow(found: Found) -> bool:
    half = _best(found)[1].half_width
    return half is not None and half <= NARROW


def _holds(found: Found, on: Machine) -> bool:
    label, interval = _best(found)
    truth = on.rate(int(label.removeprefix("n_max "))) / on.rate(0)
    return (interval.low or 0) <= truth <= (interval.high or 0)


def _simulated(seed: int, noise: float) -> tuple[Machine, list[Found]]:
    """A machine, and what is found on it after each block that may be the last."""
    on = replace(
        machine(seed, PLAN), rng=random.Random(seed), start_noise=noise, request_noise=2 * noise
    )
    history, _ = measured(PLAN, on)
    return on, [history.speedups(PLAN, block) for block in range(LEAST, BLOCKS + 1)]


def main(simulations: int) -> None:
    """Print the share of intervals that hold the truth, one row for each noise."""
    _print("noise", *RULES)
    for noise in NOISES:
        made = [_simulated(seed, noise) for seed in range(simulations)]
        held = (sum(_holds(rule(blocks), on) for on, blocks in made) for rule in RULES.values())
        _print(f"{noise:.1%}", *(f"{hits / simulations:.1%}" for hits in held))


def _print(*cells: str) -> None:
    sys.stdout.write("   ".join(f"{cell:25}" for cell in cells).rstrip() + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
