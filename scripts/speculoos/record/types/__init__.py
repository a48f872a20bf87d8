"""The types of the files under `measurements/`: what was seen, in raw counts and milliseconds.

Every type is frozen and refuses unknown keys.
What was not seen is absent (None); 0 means that 0 was seen.
Rates, means and ratios are not stored: `metrics` computes them on read.
"""

from speculoos.record.types.exceptions import Exceptions, Exempt
from speculoos.record.types.machine import (
    Cpu,
    Gpu,
    Machine,
)
from speculoos.record.types.measurement import (
    Batch,
    Build,
    Claim,
    Design,
    Incident,
    Measurement,
    Memory,
    Model,
    Proof,
    Request,
    Run,
    Sample,
    Server,
    Source,
    Words,
)
from speculoos.record.types.observation import (
    Observation,
    Rounding,
    Silence,
    Window,
)
from speculoos.record.types.part import (
    Bilingual,
    Part,
)
from speculoos.record.types.prompts import (
    Prompt,
    PromptSet,
)
from speculoos.record.types.settings import (
    NO_SPECULATION,
    Settings,
)
from speculoos.record.types.surroundings import (
    Energy,
    IdlePower,
    MachineState,
    NoEnergy,
    Scope,
    Watched,
)

__all__ = [
    "NO_SPECULATION",
    "Batch",
    "Bilingual",
    "Build",
    "Claim",
    "Cpu",
    "Design",
    "Energy",
    "Exceptions",
    "Exempt",
    "Gpu",
    "IdlePower",
    "Incident",
    "Machine",
    "MachineState",
    "Measurement",
    "Memory",
    "Model",
    "NoEnergy",
    "Observation",
    "Part",
    "Prompt",
    "PromptSet",
    "Proof",
    "Request",
    "Rounding",
    "Run",
    "Sample",
    "Scope",
    "Server",
    "Settings",
    "Silence",
    "Source",
    "Watched",
    "Window",
    "Words",
]
