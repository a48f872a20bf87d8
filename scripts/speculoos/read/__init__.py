"""Reads what others measured: logs of llama-server and the output of its tools.

`read` gives everything at once, `stream` one event at a time in constant
memory, `batches` the same with many requests of a long log at once.
"""

from speculoos.read.batch import Batch
from speculoos.read.reader import batches, read, stream
from speculoos.read.request import Event, Finding, Hint, Reading, Request
from speculoos.read.summary import Summary, tokens_per_second

__all__ = [
    "Batch",
    "Event",
    "Finding",
    "Hint",
    "Reading",
    "Request",
    "Summary",
    "batches",
    "read",
    "stream",
    "tokens_per_second",
]
