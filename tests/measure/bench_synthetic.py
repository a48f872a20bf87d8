"""Acceptance that a server makes up, read back: SPECULOOS_B11434=PATH bench_synthetic.py.

`--spec-synth-rates` of b11434 accepts each position with a given probability, whatever the text.
What the measurement says must hold those probabilities within its interval; the text is wrong on
purpose, so nothing here is a result. Without the variable nothing is done.
"""

import os
import sys
import tempfile
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

from speculoos.measure.plan import Plan
from speculoos.measure.prepare import About, head, this_machine
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.run import measure
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.store import load_measurement
from speculoos.record.summary import summarise
from speculoos.record.types import Sample

ASKED = ([0.9, 0.6, 0.3], [0.5, 0.2, 0.1])
"""Unconditional: the share of steps whose first i guesses are all accepted."""
SEEDS = range(1, 7)
"""The server draws with the seed of the request: one seed makes every request alike."""
Z = 2.58
"""Half-width of a 99 % interval in standard errors: six figures are looked at."""


def read_back(server: Path, folder: Path, rates: Sequence[float], seed: int) -> Sequence[Sample]:
    """What a measurement of n_max 3 with these rates holds."""
    plan = Plan(
        binary=server,
        model=TinyModel(Acceptance.by_step([1.0] * 3), "qwen35").write(folder / "tiny.gguf"),
        spec_type="draft-mtp",
        depths=(len(rates),),
        prompts=find_prompt_set("cycle-1", []),
        prompt_ids=("start-a",),
        blocks=1,
        seed=seed,
        max_tokens=900,
        extra=("-c", "2048", "-t", "1", "--spec-synth-rates", ",".join(map(str, rates))),
        logs=folder / "logs",
    )
    out = folder / "rig" / f"2026-01-01-{seed}.yaml"
    for _ in measure(plan, head(plan, this_machine(folder, "rig"), About()), out):
        pass
    (point,) = summarise(load_measurement(out).record).points
    return point.samples


def main(server: Path) -> int:
    """What was asked, what came back with its interval, and whether it holds; 1 if one does not."""
    missed = 0
    for rates in ASKED:
        with tempfile.TemporaryDirectory() as name:
            each = [read_back(server, Path(name), rates, seed) for seed in SEEDS]
        samples = [sample for samples in each for sample in samples]
        for at, wanted in enumerate(rates):
            low, high, steps = _shares(samples, at)
            half = Z * sqrt(wanted * (1 - wanted) / steps)
            holds = low - half <= wanted <= high + half
            missed += not holds
            read = f"read {low:.3f} to {high:.3f} in {steps} steps, +-{half:.3f}"
            said = "holds" if holds else "MISSED"
            print(f"position {at + 1}: asked {wanted:.3f}, {read}: {said}")  # noqa: T201
    return 1 if missed else 0


def _shares(samples: Sequence[Sample], at: int) -> tuple[float, float, int]:
    """The share of steps accepted up to a position, at least and at most, and the steps.

    The last drafts of a text are cut short: some steps never reached the position, as many as
    draft tokens are missing at most.
    """
    accepted = sum((s.accepted_per_position or ())[at] for s in samples)
    steps = sum(s.verify_steps or 0 for s in samples)
    short = len(ASKED[0]) * steps - sum(s.draft_n or 0 for s in samples)
    return accepted / steps, accepted / (steps - (short if at else 0)), steps


if __name__ == "__main__":
    named = os.environ.get("SPECULOOS_B11434")
    if named:
        sys.exit(main(Path(named)))
    print("SPECULOOS_B11434 names no server; nothing to read back")  # noqa: T201
