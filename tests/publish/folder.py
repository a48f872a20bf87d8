"""A folder of measurements with one of each kind of result."""

from publish.records import (
    GAIN,
    HOSTILE,
    LOSS,
    crash,
    machine,
    measurement,
    ngram,
    reported,
    sweep,
)
from speculoos.record.store import save
from speculoos.record.types import Bilingual


def write_folder(root):
    """Write one of each: `odd` has a hostile title, `short` one block, `gone` is withdrawn."""
    save(machine(), root / "bench/machine.yaml")
    gone = Bilingual(fr="mauvais binaire", en="wrong binary")
    for name, record in {
        "2026-gain": measurement(sweep(GAIN)),
        "2026-loss": measurement(sweep(LOSS), title=Bilingual(fr="Plus lent", en="Slower")),
        "2026-short": measurement(sweep(GAIN, blocks=1)),
        "2026-crash": measurement([*sweep(GAIN), crash()]),
        "2026-ngram": ngram(),
        "2026-odd": measurement(sweep(GAIN), title=HOSTILE),
        "2026-gone": measurement(sweep(GAIN), withdrawn=gone),
    }.items():
        save(record, root / f"bench/{name}.yaml")
    save(reported(), root / "reported/other.yaml")
    return root
