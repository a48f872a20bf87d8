"""What a model's file says of itself."""

from pathlib import Path

import pytest
from gguf import GGUFReader

from speculoos.measure.build import NotUsableError, read_model
from speculoos.parts.models import smollm2


def test_a_header_is_read_as_the_library_of_llama_cpp_reads_it(cache: Path):
    """Architecture, kind of weights and heads of a real model, whose vocabulary is passed over."""
    path = smollm2(cache)
    fields = GGUFReader(path).fields
    model = read_model(path)
    assert model.architecture == fields["general.architecture"].contents()
    assert (model.quantization, model.nextn_layers) == ("Q4_1", 0)
    assert model.size_bytes == path.stat().st_size


@pytest.mark.parametrize("kept", [0, 3, 40, 3_000, 200_000])
def test_a_file_that_is_not_whole_is_told_wherever_it_ends(tiny: Path, tmp_path: Path, kept: int):
    """In its first bytes, its vocabulary or its weights: one sentence, and what to do."""
    path = tmp_path / "cut.gguf"
    path.write_bytes(tiny.read_bytes()[:kept])
    with pytest.raises(NotUsableError, match=r"cut\.gguf: not a whole GGUF file.*get it again"):
        read_model(path)
