"""Keys of a model that no needs can be computed from."""

import pytest

from speculoos.record.footprint import Header, key_problems
from speculoos.record.footprint.ggml import TYPES
from speculoos.record.footprint.header import TensorInfo


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"block_count": 10**9}, "llama.block_count: 1000000000, expected 0 to 512"),
        ({"embedding_length": float("nan")}, "llama.embedding_length: nan, expected a number"),
        ({"attention.head_count": [4]}, "llama.attention.head_count: 1 numbers for 4 blocks"),
        ({"nextn_predict_layers": 9}, "llama.nextn_predict_layers: 9 of 4 blocks"),
    ],
)
def test_a_key_that_no_model_can_have_is_named(changes, said):
    """Instead of a figure that follows from it."""
    keys = {"block_count": 4, "embedding_length": 256, "attention.head_count": 4} | changes
    named = {"general.architecture": "llama"} | {f"llama.{k}": v for k, v in keys.items()}
    tensor = TensorInfo("token_embd.weight", (256, 8), TYPES[0], 0)
    told = [": ".join(each) for each in key_problems(Header(named, (tensor,), 0))]
    assert told == [said]
