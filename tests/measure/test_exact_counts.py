"""The instrument, against models whose every draft token is known beforehand."""

from pathlib import Path

import pytest

from speculoos.measure.prompts import find_prompt_set
from speculoos.parts.servers import ServerPart
from speculoos.parts.tiny_counts import Counts, expected
from speculoos.parts.tiny_model import Acceptance, Architecture, TinyModel
from speculoos.record.identities import broken

PATTERNS = {
    "always": Acceptance.always(),
    "never": Acceptance.never(),
    "falling": Acceptance.by_step([0.9, 0.7, 0.5, 0.3]),
    "uneven": Acceptance.by_step([0.5, 0.9, 0.2, 0.8, 0.6], seed=7),
}
DEPTHS = (1, 3, 8)
ARCHITECTURES: tuple[Architecture, ...] = ("mimo2", "qwen35")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_saved_counts_are_the_computed_ones(
    measured, server: ServerPart, tmp_path: Path, pattern: str, architecture: Architecture
):
    """Drafted, accepted, steps and positions in the YAML file, for n_max 1, 3 and 8: exactly."""
    if architecture == "mimo2" and server.build == "b10068":
        architecture = "step35"  # b10068 knows no MTP graph for mimo2
    model = TinyModel(PATTERNS[pattern], architecture)
    record, _ = measured(server.path, model.write(tmp_path / "m.gguf"), depths=DEPTHS)
    _assert_exact(record, model)


def test_a_build_without_counters_is_read_off_its_stream(
    measured, servers: tuple[ServerPart, ...], tmp_path: Path
):
    """Builds before the counters of speculation carry the same counts with every token."""
    oldest = servers[-1]
    assert oldest.build == "b10068"
    model = TinyModel(PATTERNS["falling"], "qwen35")
    record, _ = measured(oldest.path, model.write(tmp_path / "m.gguf"), depths=DEPTHS)
    assert record.request.stream
    assert all(sample.decodes is None for run in record.runs for sample in run.samples)
    _assert_exact(record, model)


def _assert_exact(record, model: TinyModel) -> None:
    texts = {p.id: p.text for p in find_prompt_set("cycle-1", []).record.prompts}
    seen = 0
    for run in record.runs:
        for sample in run.samples:
            assert list(broken(sample, run.settings)) == []
            if run.settings.n_max is None:
                assert not sample.draft_n
                continue
            counts = Counts(
                sample.draft_n,
                sample.draft_n_accepted,
                sample.verify_steps,
                sample.accepted_per_position,
            )
            wanted = expected(model, texts[sample.prompt], run.settings.n_max, sample.predicted_n)
            assert counts == wanted, (run.settings.label, sample.prompt)
            seen += 1
    assert seen == len(DEPTHS) * len(texts)
