"""How often an interval holds the truth, by the rule that ended the measurement.

    bench_coverage.py [SIMULATIONS [docs/coverage.yaml]]

On machines that exist only as formulas, from quiet to restless. With a file named, the rates go
there: the protocol shows them beside its rule about stopping.
"""

import random
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
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
    "at_once": _at_once,
    "one_more": _one_more,
    "all_blocks": _fixed,
}
HEAD = """\
# How often a 95 % interval of the best setting holds the true value, by the rule that ended the
# measurement: simulated, on machines that exist only as formulas.
# Written by `python tests/measure/bench_coverage.py {simulations} docs/coverage.yaml`.
format: 1
date: {date}
simulations: {simulations}
rows:
"""


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


def _row(noise: float, simulations: int) -> str:
    """The share of intervals that hold the truth, by rule, as a line of the file."""
    made = [_simulated(seed, noise) for seed in range(simulations)]
    shares = {"noise": noise}
    for name, rule in RULES.items():
        shares[name] = sum(_holds(rule(blocks), on) for on, blocks in made) / simulations
    return "- {" + ", ".join(f"{name}: {share:g}" for name, share in shares.items()) + "}\n"


def main(simulations: int, out: Path | None) -> None:
    """Print one row for each noise, and write all of them where a file is named."""
    head = HEAD.format(date=datetime.now(tz=UTC).date(), simulations=simulations)
    rows = []
    for noise in NOISES:
        rows.append(_row(noise, simulations))
        sys.stdout.write(rows[-1])
        sys.stdout.flush()
    if out:
        out.write_text(head + "".join(rows), encoding="utf-8")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 200, Path(given[1]) if len(given) > 1 else None)
