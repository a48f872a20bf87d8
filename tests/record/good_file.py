"""One good file with as many fields as a file can have; tests break it in one place each."""

from pathlib import Path
from typing import Any

import yaml

import factories
from factories import BASELINE, drafted, mtp, run, sample
from speculoos.record.store import load_measurement
from speculoos.record.store.writer import _DUMPER, _shaped
from speculoos.record.types import (
    Bilingual,
    Energy,
    IdlePower,
    Incident,
    MachineState,
    Memory,
    Proof,
    Run,
    Settings,
    Watched,
)

NAME = "2026-11-29-test.yaml"
_MEMORY = Memory(
    model_mib=140.0,
    context_mib=45.0,
    compute_mib=15.0,
    resident_mib=263.0,
    on_cards_mib=1.0,
    device_mib=2.0,
)


def _run(settings: Settings, block: int, at: int, **counts: Any) -> Run:
    made = sample if settings == BASELINE else drafted
    times = {"wall_ms": 120.5 + at, "predicted_ms": 100.25 + at, "block": block}
    watched = Watched(
        window_ms=1000.0,
        cpu_ms=2000.0,
        others_cpu_ms=50.0,
        pressure_ms=5.0,
        quota_ms=0.0,
        throttled=0,
        cpu_mhz=(3000.0, 3100.0),
        gpu_mhz=(1000.0, 1100.0),
        gpu_c=60.0,
        gpu_limits=("power-cap",),
        energy=(Energy(scope="package", joules=12.5),),
    )
    depth = () if settings == BASELINE else ("--spec-type", "draft-mtp", "--spec-draft-n-max", "2")
    proof = Proof(
        port_owner="child",
        model_path="match",
        speculative=settings != BASELINE,
        draft_n=0 if settings == BASELINE else 8,
    )
    one = made(**times, first_difference=3, **counts)
    return run(
        settings, one, args=depth, ready_ms=265.5, memory=_MEMORY, proof=proof, watched=watched
    )


def _crash() -> Run:
    seen = Incident(
        kind="crash", exit_code=134, signal="SIGABRT", line="GGML_ASSERT(x)", after_samples=0
    )
    return run(mtp(2), args=("--spec-type", "draft-mtp"), incident=seen)


def write(root: Path) -> Path:
    """The good file in a collection of its own below `root`."""
    runs = (
        *(_run(BASELINE, 1, 0), _run(mtp(2), 1, 1), _run(mtp(2), 2, 2), _run(BASELINE, 2, 3)),
        _crash(),
    )
    plan = factories.design(runs).model_copy(
        update={
            "blocks": 3,
            "order": (("baseline", "n_max 2"), ("n_max 2", "baseline"), ("n_max 2",)),
            "stopped": "blocks",
            "method": "grid",
            "settings": (BASELINE, mtp(2)),
            "prompts": ("one",),
        }
    )
    record = factories.measurement(*runs, design=plan)
    model = record.model.model_copy(update={"size_bytes": 148_846_688, "source": "somewhere"})
    build = record.build.model_copy(
        update={"number": 10434, "commit": "7e4c0a9", "backend": "CPU", "source": "a package"}
    )
    request = record.request.model_copy(update={"depth": 512})
    state = MachineState(
        id="rig",
        load_before=0.25,
        busy_before=0.05,
        power_limit_w=300.0,
        driver="560.35.03",
        kernel="6.1.0-28-amd64",
        governor="performance",
        cpu_mhz_max=4500.0,
        memory_available_mib=7000,
        display=False,
        gpu_processes=0,
        idle=(IdlePower(scope="package", watts=20.5),),
    )
    changes = {
        "title": Bilingual(fr="Un essai", en="A trial"),
        "notes": Bilingual(fr="Rien de spécial.", en="Nothing special."),
        "model": model,
        "draft_model": model.model_copy(update={"file": "head.gguf"}),
        "build": build,
        "request": request,
        "machine": state,
    }
    return factories.written(root, record.model_copy(update=changes), NAME)


def plain(path: Path) -> Any:
    """What the file says, as plain data."""
    return load_measurement(path).record.model_dump(mode="json", exclude_defaults=True)


def as_text(data: Any) -> str:
    """Plain data in the layout of a file: one sample a line."""
    return str(yaml.dump(_shaped(data), Dumper=_DUMPER, sort_keys=False, width=float("inf")))
