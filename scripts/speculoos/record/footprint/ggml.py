"""The types of numbers in a GGUF file: how many stand in a block, and its bytes.

Read off `ggml.h` and `gguf-py` of b11434; removed types have no entry.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class GgmlType:
    """A type of numbers: `size_bytes` for every `block` of them."""

    name: str
    block: int
    size_bytes: int

    def bytes_of(self, numbers: int) -> int:
        """Bytes of so many numbers, in whole blocks."""
        return -(-numbers // self.block) * self.size_bytes


_K = 256
"""Numbers in a super-block of the K and IQ types."""

TYPES = {
    0: GgmlType("F32", 1, 4),
    1: GgmlType("F16", 1, 2),
    2: GgmlType("Q4_0", 32, 18),
    3: GgmlType("Q4_1", 32, 20),
    6: GgmlType("Q5_0", 32, 22),
    7: GgmlType("Q5_1", 32, 24),
    8: GgmlType("Q8_0", 32, 34),
    9: GgmlType("Q8_1", 32, 36),
    10: GgmlType("Q2_K", _K, 84),
    11: GgmlType("Q3_K", _K, 110),
    12: GgmlType("Q4_K", _K, 144),
    13: GgmlType("Q5_K", _K, 176),
    14: GgmlType("Q6_K", _K, 210),
    15: GgmlType("Q8_K", _K, 292),
    16: GgmlType("IQ2_XXS", _K, 66),
    17: GgmlType("IQ2_XS", _K, 74),
    18: GgmlType("IQ3_XXS", _K, 98),
    19: GgmlType("IQ1_S", _K, 50),
    20: GgmlType("IQ4_NL", 32, 18),
    21: GgmlType("IQ3_S", _K, 110),
    22: GgmlType("IQ2_S", _K, 82),
    23: GgmlType("IQ4_XS", _K, 136),
    24: GgmlType("I8", 1, 1),
    25: GgmlType("I16", 1, 2),
    26: GgmlType("I32", 1, 4),
    27: GgmlType("I64", 1, 8),
    28: GgmlType("F64", 1, 8),
    29: GgmlType("IQ1_M", _K, 56),
    30: GgmlType("BF16", 1, 2),
    34: GgmlType("TQ1_0", _K, 54),
    35: GgmlType("TQ2_0", _K, 66),
    39: GgmlType("MXFP4", 32, 17),
    40: GgmlType("NVFP4", 64, 36),
    41: GgmlType("Q1_0", 128, 18),
    42: GgmlType("Q2_0", 64, 18),
}

CACHE_TYPES = {
    found.name.lower(): found
    for found in TYPES.values()
    if found.name in {"F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "IQ4_NL", "Q5_0", "Q5_1"}
}
"""What `--cache-type-k` and `--cache-type-v` take."""

FILE_TYPES = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    19: "IQ2_XXS",
    20: "IQ2_XS",
    21: "Q2_K_S",
    22: "IQ3_XS",
    23: "IQ3_XXS",
    24: "IQ1_S",
    25: "IQ4_NL",
    26: "IQ3_S",
    27: "IQ3_M",
    28: "IQ2_S",
    29: "IQ2_M",
    30: "IQ4_XS",
    31: "IQ1_M",
    32: "BF16",
    36: "TQ1_0",
    37: "TQ2_0",
    38: "MXFP4_MOE",
    39: "NVFP4",
    40: "Q1_0",
    1024: "GUESSED",
}
"""How `general.file_type` names the numbers of most tensors; the enum of `gguf-py` of b11434.

It is written out here because its package takes a third of a second to import.
"""
