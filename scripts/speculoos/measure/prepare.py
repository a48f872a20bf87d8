"""The head of a record: all that is known before the first server is started."""

from dataclasses import dataclass
from pathlib import Path

from speculoos import __version__
from speculoos.measure import machine as machines
from speculoos.measure.build import read_build, read_model
from speculoos.measure.plan import Plan
from speculoos.measure.run import named, today
from speculoos.record.store import load_machine, save
from speculoos.record.types import (
    Bilingual,
    Design,
    Machine,
    Measurement,
    Request,
    Server,
)


@dataclass(frozen=True)
class About:
    """What only the person can say of a measurement."""

    contributor: str = "anonymous"
    title: Bilingual | None = None
    notes: Bilingual | None = None
    model_source: str | None = None
    server_source: str | None = None


def head(plan: Plan, machine: Machine, about: About) -> Measurement:
    """The record without its runs; raises `NotUsableError` for a binary or a model."""
    return Measurement(
        format=1,
        kind="measured",
        date=today(),
        contributor=about.contributor,
        licence="CC-BY-4.0",
        title=about.title,
        notes=about.notes,
        machine=machines.state(machine),
        build=read_build(plan.binary, about.server_source),
        model=read_model(plan.model, about.model_source),
        draft_model=read_model(plan.draft_model) if plan.draft_model else None,
        request=_request(plan),
        server=Server(args=named(plan.common_args)),
        design=_design(plan),
    )


def _request(plan: Plan) -> Request:
    return Request(
        endpoint="/completion",
        stream=False,
        temperature=plan.temperature,
        seed=plan.seed,
        max_tokens=plan.max_tokens,
        reasoning=False,
        cache_prompt=False,
        prompt_set=plan.prompts.record.id,
        prompt_set_sha256=plan.prompts.sha256,
    )


def _design(plan: Plan) -> Design:
    return Design(
        blocks=plan.blocks,
        order=(),
        order_seed=plan.order_seed,
        warm_up=plan.warm_up,
        cooldown_s=plan.cooldown_s,
        stop_rule=f"{plan.blocks} blocks",
        tool_version=__version__,
        command=plan.command,
    )


def this_machine(root: Path, machine_id: str | None) -> Machine:
    """The machine's description below `root`; written at the first use, kept afterwards."""
    found = machines.describe(machine_id)
    path = root / found.id / "machine.yaml"
    if path.exists():
        return load_machine(path).record
    save(found, path)
    return found


def default_out(root: Path, plan: Plan, machine: Machine) -> Path:
    """`<root>/<machine>/<date>-<model>-<type>.yaml`."""
    name = machines.slug(f"{plan.model.stem} {plan.spec_type}")
    return root / machine.id / f"{today()}-{name}.yaml"
