"""The models of the memory tables, and the starts of servers beside them."""

from pathlib import Path

import pytest

from speculoos.publish.memory import BITS, as_model
from speculoos.record.footprint.ggml import TYPES
from speculoos.record.footprint.shapes import parameters
from speculoos.record.store import load
from speculoos.record.types.memory import PublicModels

FILE = Path(__file__).parents[2] / "docs" / "memory.yaml"
MODELS = load(FILE, PublicModels).record.models


@pytest.mark.parametrize("public", MODELS, ids=lambda public: public.name)
def test_the_tensors_add_up_to_the_parameters_that_the_publisher_states(public):
    """A key that was copied wrongly shows here."""
    found = parameters(as_model(public)) / 1e9
    assert found == pytest.approx(public.parameters_billion, rel=0.005)


@pytest.mark.parametrize("public", MODELS, ids=lambda public: public.name)
def test_the_weights_grow_with_the_bits_of_their_type(public):
    """And never beyond what the parameters take in that type by more than the small tensors."""
    sizes = sorted(
        (8 * kind.size_bytes / kind.block, as_model(public, kind).header.size_bytes)
        for kind in TYPES.values()
        if kind.name in BITS
    )
    for bits, size in sizes:
        assert size == pytest.approx(public.parameters_billion * 1e9 * bits / 8, rel=0.08)
    assert [size for _, size in sizes] == sorted({size for _, size in sizes})
