"""What the header lets expect, against the buffers that real servers log."""

from pathlib import Path

import pytest

from measure.footprints import Case, logged, predicted
from record import small_models
from speculoos.parts.servers import ServerPart
from speculoos.record.footprint import Start

WITHIN = 0.05
ROUNDING_MIB = 0.02
"""The log gives hundredths of a MiB; small buffers add up from several such lines."""


def differences(server: ServerPart, case: Case, folder: Path) -> list[str]:
    """Buffers that are more than 5 % from what was expected."""
    found, expected = logged(server.path, case, folder), predicted(case, server.build)
    return [
        f"{name}: {expected.get(name, 0)} expected, {found.get(name, 0)} logged"
        for name in expected.keys() | found.keys() - {"repacked"}
        if abs(expected.get(name, 0) - found.get(name, 0))
        > max(WITHIN * found.get(name, 0), ROUNDING_MIB)
    ]


@pytest.mark.parametrize("name", [name for name in small_models.KINDS if name != "glm4moe"])
def test_every_buffer_of_a_small_model_is_within_five_per_cent(name, server, tmp_path):
    """Weights, KV cache, states, compute and output buffers, each on its own."""
    model = small_models.write(name, tmp_path / "model.gguf")
    case = Case(name, model, Start(6000, gpu_layers=0))
    assert differences(server, case, tmp_path) == []


@pytest.mark.parametrize(
    "start",
    [
        Start(512, parallel=2, gpu_layers=0),
        Start(16384, parallel=4, gpu_layers=0),
        Start(8192, parallel=1, key_type="q8_0", value_type="q4_0", gpu_layers=0),
        Start(8192, parallel=1, ubatch=128, gpu_layers=0),
        Start(8192, parallel=4, flash_attn=False, gpu_layers=0),
        Start(8192, parallel=2, kv_unified=True, swa_full=True, batch=300, gpu_layers=0),
    ],
    ids=[
        "short context",
        "four slots",
        "quantised cache",
        "small batch",
        "no flash attention",
        "full windows in one cache",
    ],
)
def test_contexts_slots_cache_types_and_batches_are_counted(start, build: ServerPart, tmp_path):
    """On every build that runs here, with windows in three of four blocks."""
    model = small_models.write("gemma3", tmp_path / "model.gguf")
    assert differences(build, Case("gemma3", model, start), tmp_path) == []


@pytest.mark.parametrize("name", ["qwen35moe", "qwen3next"])
def test_several_experts_behind_a_gated_attention_are_counted(name, build, tmp_path):
    """Their buffers fit exactly into what the attention leaves free, or grow by one of them."""
    model = small_models.write(name, tmp_path / "model.gguf", expert_used_count=4)
    start = Start(4096, parallel=1, gpu_layers=0)
    assert differences(build, Case(name, model, start), tmp_path) == []


@pytest.mark.parametrize("name", ["qwen35", "qwen35moe"])
@pytest.mark.parametrize("n_max", [1, 4])
def test_the_share_of_the_head_is_counted(name, n_max, build: ServerPart, tmp_path):
    """Its cache and buffers, and the recurrent states that the model keeps for its draft."""
    model = small_models.write(name, tmp_path / "model.gguf")
    start = Start(4096, parallel=1, n_max=n_max, mtp=True, gpu_layers=0)
    assert differences(build, Case(name, model, start), tmp_path) == []
