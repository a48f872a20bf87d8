"""The header of a GGUF file, read without its values; cut and foreign files."""

import struct
from pathlib import Path

import gguf
import pytest

from record import small_models
from speculoos.record.footprint import FILE_TYPES, read_header
from speculoos.record.footprint.ggml import TYPES
from speculoos.record.problem import BadFileError


def counted(name: bytes, keys: int = 1) -> bytes:
    """A header of so many keys, up to the type of the first one's value."""
    return b"GGUF" + struct.pack("<IQQQ", 3, 0, keys, len(name)) + name


KEY, ALIGNMENT = counted(b"a", 2), counted(b"general.alignment")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model with two types of tensors."""
    path = tmp_path_factory.mktemp("models") / "model.gguf"
    return small_models.write("qwen35", path, gguf.GGMLQuantizationType.Q8_0)


def test_keys_and_tensors_are_those_that_the_writer_of_llama_cpp_wrote(model):
    """Every key, shape and size equals what gguf-py reads."""
    header, other = read_header(model), gguf.GGUFReader(model)
    assert header.architecture == "qwen35"
    assert header.key("ssm.inner_size") == 256
    assert {(t.name, t.shape, t.size_bytes) for t in header.tensors} == {
        (t.name, tuple(int(n) for n in t.shape), int(t.n_bytes)) for t in other.tensors
    }


def test_the_values_of_the_tensors_are_never_read(model, tmp_path):
    """A file whose values are a hole of a terabyte is read at once."""
    start = min(tensor.data_offset for tensor in gguf.GGUFReader(model).tensors)
    hollow = tmp_path / "hollow.gguf"
    hollow.write_bytes(model.read_bytes()[:start])
    with hollow.open("r+b") as file:
        file.truncate(10**12)
    assert len(read_header(hollow).tensors) == len(read_header(model).tensors)


def test_a_file_without_its_last_byte_is_cut(model, tmp_path):
    """What fills it up behind the last value may be missing, the value itself may not."""
    end = max(int(t.data_offset + t.n_bytes) for t in gguf.GGUFReader(model).tensors)
    path = tmp_path / "m.gguf"
    path.write_bytes(model.read_bytes()[:end])
    assert read_header(path).tensors
    path.write_bytes(model.read_bytes()[: end - 1])
    with pytest.raises(BadFileError, match=f"need {end} bytes and it has {end - 1}"):
        read_header(path)


def test_every_type_of_gguf_py_has_its_block_and_size():
    """A type that the format has and the table lacks would stop a whole model."""
    sizes = dict(gguf.GGML_QUANT_SIZES)
    del sizes[gguf.GGMLQuantizationType.Q8_1]  # 40 bytes in gguf 0.19, 36 in ggml.h; in no file
    for kind, (block, size) in sizes.items():
        assert (TYPES[kind].name, TYPES[kind].block, TYPES[kind].size_bytes) == (
            kind.name,
            block,
            size,
        )


def test_every_file_type_of_gguf_py_has_its_name():
    """The name of a quantization comes from a table of our own: it must not fall behind."""
    names = {kind.value: kind.name for kind in gguf.LlamaFileType}
    assert names.keys() == FILE_TYPES.keys()
    for number, name in FILE_TYPES.items():
        assert names[number] in {name, f"MOSTLY_{name}", f"ALL_{name}"}


@pytest.mark.parametrize("share", [0.0, 0.001, 0.02, 0.5, 0.999])
def test_a_cut_file_gives_one_line(model, tmp_path, share):
    """Wherever it was cut: in the magic, in the keys, in the tensors' list or in their values."""
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(model.read_bytes()[: int(model.stat().st_size * share)])
    with pytest.raises(BadFileError, match=r"cut\.gguf: (cut|not a GGUF)") as error:
        read_header(cut)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a GGUF file"),
        (b"PK\x03\x04 something else", "not a GGUF file"),
        (b"GGUF" + struct.pack("<IQQ", 9, 0, 0), "GGUF version 9"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 1), "cut"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2**62), "cut"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 1), "big-endian"),
        (KEY + struct.pack("<IIQ", 9, 9, 1) * 5000, "array of arrays"),
        (KEY + struct.pack("<IIQ", 9, 4, 10**9) + b"....", "cut"),
        (KEY + struct.pack("<II", 4, 7) + KEY[24:] + struct.pack("<II", 4, 7), "twice"),
        (ALIGNMENT + struct.pack("<II", 4, 0), "general.alignment is 0"),
    ],
)
def test_a_foreign_or_damaged_file_gives_one_line(tmp_path, data, said):
    """Counts that no file can hold are no reason to read, or to take memory, for ever."""
    path = tmp_path / "x.gguf"
    path.write_bytes(data)
    with pytest.raises(BadFileError, match=said):
        read_header(path)


def test_a_missing_part_of_a_split_file_is_named(model, tmp_path):
    """Given any part, all are needed; however many are missing, it is one line."""
    (tmp_path / "m-00001-of-00900.gguf").write_bytes(model.read_bytes())
    with pytest.raises(BadFileError, match=r"m-00002-of-00900\.gguf: missing") as error:
        read_header(tmp_path / "m-00001-of-00900.gguf")
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.parametrize("kind", [4, 8])
def test_a_header_that_counts_without_end_is_refused_before_it_is_read(tmp_path, kind):
    """Numbers are skipped, strings counted, though a hollow file holds them all."""
    path = tmp_path / "x.gguf"
    path.write_bytes(KEY + struct.pack("<IIQ", 9, kind, 10**9))
    with path.open("r+b") as file:
        file.truncate(3 * 10**9)
    with pytest.raises(BadFileError, match=r"cut|at most"):
        read_header(path)


def test_the_parts_of_a_split_file_add_up(model, tmp_path):
    """Keys come from the first part, tensors and bytes from all."""
    for number in (1, 2):
        (tmp_path / f"m-0000{number}-of-00002.gguf").write_bytes(model.read_bytes())
    whole = read_header(tmp_path / "m-00002-of-00002.gguf")
    assert whole.size_bytes == 2 * model.stat().st_size
    assert len(whole.tensors) == 2 * len(read_header(model).tensors)
