from collections.abc import Callable, Iterator
from dataclasses import dataclass

from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import Measurement

Check = Callable[[Document[Measurement], Collection], Iterator[Problem]]


@dataclass(frozen=True)
class Rule:
    """One rule: its name, what it demands in one sentence, and the check.

    A check yields a problem per fault; it looks at one measurement and what lies around it.
    """

    name: str
    demands: str
    check: Check
