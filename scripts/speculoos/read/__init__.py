"""Reads what others measured: logs of llama-server and the output of its tools.

`read` gives everything at once, `stream` one event at a time in constant memory.
"""

from speculoos.read.reader import read, stream
from speculoos.read.request import Event, Finding, Hint, Reading, Request
from speculoos.read.summary import Summary, tokens_per_second

__all__ = [
    "Event",
    "Finding",
    "Hint",
    "Reading",
    "Request",
    "Summary",
    "read",
    "stream",
    "tokens_per_second",
]
