"""The head of a record: all that is known before the first server is started."""

import shutil
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Literal

from speculoos import __version__
from speculoos.measure import machine as machines
from speculoos.measure.build import NotUsableError, read_build, read_model
from speculoos.measure.hashes import Watching, unwatched
from speculoos.measure.plan import Plan
from speculoos.measure.run import named, today
from speculoos.measure.watch import Watch
from speculoos.record.store import load_machine, save, sha256_of
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
    purpose: Literal["instrument"] | None = None


def head(
    plan: Plan, machine: Machine, about: About, watching: Watching = unwatched, until: float = inf
) -> Measurement:
    """The record without its runs; raises `NotUsableError` for a binary or a model.

    `watching` is told how far the models are read; the binary tells its version before `until`.
    """
    since = Watch()
    build = read_build(plan.binary, about.server_source, until)
    model = read_model(plan.model, about.model_source, watching)
    draft = read_model(plan.draft_model, None, watching) if plan.draft_model else None
    return Measurement(
        format=1,
        kind="measured",
        date=today(),
        contributor=about.contributor,
        licence="CC-BY-4.0",
        title=about.title,
        notes=about.notes,
        purpose=about.purpose,
        machine=machines.state(machine, since=since),
        build=build,
        model=model,
        draft_model=draft,
        request=_request(plan),
        server=Server(args=named(plan.common_args)),
        design=_design(plan),
    )


def planned(record: Measurement, plan: Plan) -> Measurement:
    """A record without runs, under another plan of the same server and models."""
    return record.model_copy(update={"request": _request(plan), "design": _design(plan)})


def _request(plan: Plan) -> Request:
    return Request(
        endpoint="/completion",
        stream=False,
        temperature=plan.temperature,
        seed=plan.seed,
        max_tokens=plan.max_tokens,
        reasoning=plan.workload.reasoning,
        depth=plan.workload.depth or None,
        parallel=plan.parallel if plan.parallel > 1 else None,
        cache_prompt=False,
        prompt_set=plan.prompts.record.id,
        prompt_set_sha256=plan.prompts.sha256,
    )


def _design(plan: Plan) -> Design:
    return Design(
        blocks=plan.last_block,
        order=(),
        order_seed=plan.order_seed,
        warm_up=plan.warm_up,
        cooldown_s=plan.cooldown_s,
        stop_rule=plan.stop_rule,
        stopped="interrupted",
        method="search" if plan.search else "grid",
        settings=plan.settings,
        prompts=plan.prompt_ids,
        tool_version=__version__,
        command=plan.command,
    )


def this_machine(root: Path, machine_id: str | None) -> Machine:
    """The machine as `root` describes it already, else as it is found to be."""
    found = machines.describe(machine_id)
    path = root / found.id / "machine.yaml"
    return load_machine(path).record if path.exists() else found


def keep(root: Path, machine: Machine, plan: Plan) -> None:
    """Write `machine.yaml` at the first use, and the prompt set that is used, below `root`.

    Raises `NotUsableError` where another set of the same id lies there: a set is never edited.
    """
    described = root / machine.id / "machine.yaml"
    if not described.exists():
        save(machine, described)
    prompts = root / "prompts" / f"{plan.prompts.record.id}.yaml"
    if not prompts.exists():
        prompts.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(plan.prompts.path, prompts)
    elif sha256_of(prompts) != plan.prompts.sha256:
        raise NotUsableError(f"{prompts} is another set of that id; give yours an id of its own")


def default_out(root: Path, plan: Plan, machine: Machine) -> Path:
    """`<root>/<machine>/<date>-<model>-<type>.yaml`, and the workload unless it is plain."""
    slots = f" {plan.parallel} slots" if plan.parallel > 1 else ""
    name = machines.slug(f"{plan.model.stem} {plan.spec_type}{slots}{plan.workload.words}")
    return root / machine.id / f"{today()}-{name}.yaml"
