"""What a measurement stores besides counts."""

from pathlib import Path

import pytest

from factories import errors
from speculoos.measure.plan import Plan
from speculoos.measure.prepare import About, head, keep, this_machine
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.run import Sampled, Started, measure, today
from speculoos.parts.servers import ServerPart
from speculoos.record.store import load_measurement, sha256_of
from speculoos.record.types import Measurement


@pytest.fixture(scope="module")
def recorded(tmp_path_factory, server: ServerPart, tiny: Path):
    """One measurement of two blocks, its events and its folder."""
    root = tmp_path_factory.mktemp("run") / "measurements"
    plan = Plan(
        binary=server.path,
        model=tiny,
        spec_type="draft-mtp",
        depths=(1, 2),
        prompts=find_prompt_set("cycle-1", []),
        blocks=2,
        max_tokens=30,
        extra=("-c", "512"),
        logs=root.parent / "logs",
    )
    machine = this_machine(root, None)
    out = root / machine.id / f"{today()}-test.yaml"
    keep(root, machine, plan)
    events = list(measure(plan, head(plan, machine, About()), out))
    return load_measurement(out).record, events, root


def _record(recorded) -> Measurement:
    return recorded[0]


def test_every_block_starts_every_setting_once(recorded):
    """Baseline and candidates in each block, in the order that is recorded."""
    order = _record(recorded).design.order
    assert len(order) == 2
    assert all(sorted(block) == ["baseline", "n_max 1", "n_max 2"] for block in order)


def test_the_texts_of_both_arms_are_compared_token_by_token(recorded):
    """The tiny model says the same with and without speculation: no difference, same hash."""
    samples = [s for run in _record(recorded).runs for s in run.samples]
    assert all(s.first_difference is None for s in samples)
    hashes = {s.prompt: {o.output_sha256 for o in samples if o.prompt == s.prompt} for s in samples}
    assert all(len(found) == 1 for found in hashes.values())


def test_every_run_proves_that_it_is_ours_and_that_speculation_is_on_or_off(recorded):
    """The port is the child's, the model is the one asked for, `/slots` tells the truth."""
    for run in _record(recorded).runs:
        assert run.proof.port_owner == "child"
        assert run.proof.model_path == "match"
        assert run.proof.speculative == (run.settings.n_max is not None)
        assert bool(run.proof.draft_n) == (run.settings.n_max is not None)


def test_memory_of_the_buffers_is_read_off_the_log(recorded):
    """Model, context and compute buffers, and resident memory."""
    for run in _record(recorded).runs:
        assert run.memory.model_mib > 0
        assert run.memory.context_mib > 0
        assert run.memory.compute_mib > 0
        assert run.memory.resident_mib > run.memory.model_mib


def test_model_and_build_are_named_by_their_hashes(recorded, server: ServerPart, tiny: Path):
    """What was measured can be found again."""
    record = _record(recorded)
    assert record.model.sha256 == sha256_of(tiny)
    assert record.model.nextn_layers == 1
    assert record.build.sha256 == sha256_of(server.path)


def test_the_saved_file_passes_every_rule(recorded):
    """`speculoos check` has nothing to say."""
    assert errors(recorded[2]) == []


def test_nothing_private_stands_in_the_files(recorded):
    """No path, no user, no key."""
    root = recorded[2]
    text = "".join(path.read_text() for path in root.rglob("*.yaml"))
    for private in (str(root), "/home", "/root", "/tmp", "Bearer", "api-key"):
        assert private not in text


def test_progress_is_told_start_by_start_and_sample_by_sample(recorded):
    """Six starts and eighteen samples."""
    events = recorded[1]
    assert sum(isinstance(event, Started) for event in events) == 6
    assert sum(isinstance(event, Sampled) for event in events) == 18
