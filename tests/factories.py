"""Records for tests, small and valid; every test says what is special about its own."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from speculoos.record.checks import check_paths
from speculoos.record.problem import Problem
from speculoos.record.store import save, sha256_of
from speculoos.record.types import (
    Bilingual,
    Build,
    Cpu,
    Design,
    Machine,
    MachineState,
    Measurement,
    Model,
    Prompt,
    PromptSet,
    Request,
    Run,
    Sample,
    Server,
    Settings,
)

SHA = "a" * 64
OTHER_SHA = "b" * 64
DATE = dt.date(2026, 11, 29)
BASELINE = Settings(spec_type="none")


def mtp(n_max: int) -> Settings:
    """MTP with a depth."""
    return Settings(spec_type="draft-mtp", n_max=n_max)


def sample(**changes: Any) -> Sample:
    """A baseline's sample: 11 tokens in 100 ms."""
    values: dict[str, Any] = {
        "prompt": "one",
        "block": 1,
        "prompt_n": 5,
        "prompt_ms": 10.0,
        "predicted_n": 11,
        "predicted_ms": 100.0,
        "draft_n": 0,
        "draft_n_accepted": 0,
        "verify_steps": 0,
        "accepted_per_position": (),
        "decodes": 11,
        "finish": "limit",
        "output_sha256": SHA,
    }
    given = values | changes
    wall_ms = given["prompt_ms"] + given["predicted_ms"] + 10.0
    return Sample(**{"wall_ms": wall_ms} | given)


def drafted(**changes: Any) -> Sample:
    """A sample with n_max 2: 4 steps, 8 drafted, 5 accepted, 1 plain pass."""
    counts: dict[str, Any] = {
        "draft_n": 8,
        "draft_n_accepted": 5,
        "verify_steps": 4,
        "accepted_per_position": (3, 2),
        "decodes": 6,
    }
    return sample(**counts | changes)


def run(settings: Settings, *samples: Sample, **changes: Any) -> Run:
    """One start of the server."""
    return Run(settings=settings, samples=samples, **changes)


def blocks(rates: dict[Settings, Sequence[float]]) -> tuple[Run, ...]:
    """Runs of one sample each that give these rates, in tokens per second, block by block."""
    count = len(next(iter(rates.values())))
    return tuple(
        run(settings, _at_rate(settings, rates[settings][block], block + 1))
        for block in range(count)
        for settings in rates
    )


def _at_rate(settings: Settings, rate: float, block: int) -> Sample:
    when = {"block": block, "predicted_ms": 10_000 / rate}
    if settings.n_max is None:
        return sample(**when)
    if settings.n_max == 1:
        one = {"draft_n": 4, "draft_n_accepted": 3, "accepted_per_position": (3,), "decodes": 8}
        return drafted(**one, **when)
    return drafted(**when)


def prompt_set() -> PromptSet:
    """Two raw prompts."""
    both = Bilingual(fr="Pour les tests.", en="For tests.")
    prompts = tuple(
        Prompt(id=name, kind="test", language="none", text=name, raw=True)
        for name in ("one", "two")
    )
    return PromptSet(format=1, id="test-1", notes=both, prompts=prompts)


def machine() -> Machine:
    """A machine with two cores."""
    return Machine(
        format=1,
        id="rig",
        label=Bilingual(fr="Machine d’essai", en="Test machine"),
        cpu=Cpu(name="Test CPU", cores=2, threads=2),
        memory_mib=8192,
        os="Test OS 1",
    )


def measurement(*runs: Run, **changes: Any) -> Measurement:
    """A measured record of one block: a baseline and n_max 2, unless runs are given."""
    runs = runs or (run(BASELINE, sample()), run(mtp(2), drafted(predicted_ms=50.0)))
    values: dict[str, Any] = {
        "format": 1,
        "kind": "measured",
        "date": DATE,
        "contributor": "tester",
        "licence": "CC-BY-4.0",
        "machine": MachineState(id="rig"),
        "build": Build(version="test", sha256=SHA),
        "model": Model(
            file="test.gguf",
            sha256=SHA,
            size_bytes=1,
            architecture="mimo2",
            quantization="F32",
            nextn_layers=1,
        ),
        "request": Request(
            endpoint="/completion",
            stream=False,
            temperature=0.0,
            seed=1,
            max_tokens=11,
            reasoning=False,
            cache_prompt=False,
            prompt_set="test-1",
            prompt_set_sha256=SHA,
        ),
        "server": Server(args=("--metrics",)),
        "design": design(runs),
        "runs": runs,
    }
    return Measurement(**values | changes)


def design(runs: Sequence[Run]) -> Design:
    """The design that fits these runs."""
    order: list[list[str]] = []
    for one in runs:
        block = one.samples[0].block if one.samples else 1
        order.extend([] for _ in range(block - len(order)))
        order[block - 1].append(one.settings.label)
    return Design(
        blocks=max(len(order), 1),
        order=tuple(map(tuple, order)),
        order_seed=1,
        warm_up=1,
        cooldown_s=0.0,
        stop_rule="1 block",
        tool_version="0",
        command="speculoos measure --model test.gguf",
    )


def found(*paths: Path) -> list[Problem]:
    """What the rules say, save that one block has no interval: most records here have one."""
    return [problem for problem in check_paths(paths) if problem.rule != "interval"]


def errors(*paths: Path) -> list[Problem]:
    """The errors alone."""
    return [problem for problem in check_paths(paths) if problem.severity == "error"]


def written(root: Path, record: Measurement, name: str = "2026-11-29-test.yaml") -> Path:
    """`record` as a file of a whole collection below `root`; the path of the file."""
    prompts = root / "prompts" / "test-1.yaml"
    save(prompt_set(), prompts)
    save(machine(), root / "rig" / "machine.yaml")
    if record.request is not None:
        request = record.request.model_copy(update={"prompt_set_sha256": sha256_of(prompts)})
        record = record.model_copy(update={"request": request})
    path = root / "rig" / name
    save(record, path)
    return path
