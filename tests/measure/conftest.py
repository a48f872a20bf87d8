"""Real servers and tiny models for the tests of the wing that measures."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from measure.harm import HERE, children, listening
from speculoos.measure.plan import Plan
from speculoos.measure.prepare import About, head, this_machine
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.run import Event, measure
from speculoos.parts.servers import ServerPart, llama_servers
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.store import load_measurement
from speculoos.record.types import Measurement

Measure = Callable[..., tuple[Measurement, list[Event]]]


@pytest.fixture(scope="session")
def servers(cache: Path) -> tuple[ServerPart, ...]:
    """Every pinned build that computes F32 weights on this processor, newest first."""
    return llama_servers(cache, quantised=False)


@pytest.fixture(scope="session")
def server(servers: tuple[ServerPart, ...]) -> ServerPart:
    """The newest build that runs here."""
    return servers[0]


@pytest.fixture(params=HERE)
def build(request, servers: tuple[ServerPart, ...]) -> ServerPart:
    """Each build that runs here, in turn: a fault may look different in each."""
    return next(part for part in servers if part.build == request.param)


@pytest.fixture
def nothing_left(tmp_path: Path) -> Iterator[None]:
    """Whatever happens: no process of ours runs on, and no port of ours answers."""
    before = psutil.Process().children()  # as the browser of the site's tests
    yield
    assert children(before) == []
    until = time.monotonic() + 10  # the last threads of a killed server close its port
    while listening(tmp_path) and time.monotonic() < until:
        time.sleep(0.05)
    assert listening(tmp_path) == []


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model with a head, of an architecture that every build drafts with."""
    model = TinyModel(Acceptance.by_step([0.8, 0.6, 0.4]), "qwen35")
    return model.write(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture
def measured(tmp_path: Path) -> Measure:
    """Measure a plan into a file of its own; the record that was saved, and every event.

    `then` is called with each event, while the server runs: it may do harm.
    """

    def run(
        binary: Path,
        model: Path,
        then: Callable[[Event], object] = lambda _: None,
        **changes: object,
    ) -> tuple[Measurement, list[Event]]:
        values = {
            "spec_type": "draft-mtp",
            "depths": (1, 3),
            "prompts": find_prompt_set("cycle-1", []),
            "blocks": 1,
            "max_tokens": 40,
            "extra": ("-c", "512", "-t", "1"),
            "logs": tmp_path / "logs",
        }
        plan = Plan(binary=binary, model=model, **{**values, **changes})
        machine = this_machine(tmp_path / "measurements", "rig")
        out = tmp_path / "measurements" / "rig" / "2026-11-29-test.yaml"
        out.unlink(missing_ok=True)
        events: list[Event] = []
        for event in measure(plan, head(plan, machine, About()), out):
            events.append(event)
            then(event)
        return load_measurement(out).record, events

    return run
