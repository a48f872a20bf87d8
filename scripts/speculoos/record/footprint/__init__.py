"""How much memory a model needs, told by the header of its file."""

from speculoos.record.footprint.checked import key_problems
from speculoos.record.footprint.estimate import (
    Estimate,
    Needs,
    Start,
    estimate,
    lacks_head_graph,
    largest_context,
)
from speculoos.record.footprint.ggml import CACHE_TYPES, FILE_TYPES
from speculoos.record.footprint.header import Header, read_header
from speculoos.record.footprint.model import Model
from speculoos.record.footprint.passes import is_known

__all__ = [
    "CACHE_TYPES",
    "FILE_TYPES",
    "Estimate",
    "Header",
    "Model",
    "Needs",
    "Start",
    "estimate",
    "is_known",
    "key_problems",
    "lacks_head_graph",
    "largest_context",
    "read_header",
]
