"""What a record still lacks, as comments to fill in: each with what belongs there."""

from collections.abc import Iterator

from speculoos.record.types import Measurement
from speculoos.record.types.settings import UNKNOWN

_MACHINE = """\
machine:
  id: rig                  # a folder of measurements/; its machine.yaml describes the machine
"""
_BUILD = """\
build:
  version: b10434          # what llama-server --version says
"""
_MODEL = """\
model:
  file: model.gguf         # a name, never a path
  quantization: Q4_K_M     # and architecture, size_bytes, sha256, nextn_layers where known
"""
_NOTES = """\
notes:                     # what a reader must know: who used it, for what, since when
  fr: 'Serveur de chat de deux personnes, raisonnement activé.'
  en: 'Chat server of two people, reasoning on.'
"""
_CAVEAT = """\
notes:                     # the caveat: one machine, few runs, conditions that are not known …
  fr: 'Une seule machine, trois invites, un seul passage.'
  en: 'One machine, three prompts, one single run.'
"""
_SOURCE = """\
source:
  title: the title of the page, of the discussion or of the file
  link: https://example.org/page
  author: its author
  consulted: 2026-11-30    # the day on which it was read
"""
_SETTINGS = "in observed.settings: {spec_type: draft-mtp, n_max: 3}   # {spec_type: none} without\n"
_TYPE = "instead of `spec_type: unknown`: draft-mtp, draft-simple, ngram-mod … or none\n"


def lacking(record: Measurement) -> dict[str, str]:
    """The parts that a person must still give, each with an example of it."""
    return dict(_lacking(record))


def _lacking(record: Measurement) -> Iterator[tuple[str, str]]:
    if record.kind == "reported":
        wanted = {"source": _SOURCE, "notes": _CAVEAT}
    else:
        wanted = {"machine": _MACHINE, "build": _BUILD, "model": _MODEL, "notes": _NOTES}
    yield from ((key, text) for key, text in wanted.items() if getattr(record, key) is None)
    settings = record.observed.settings if record.observed else None
    if record.observed is not None and settings is None:
        yield "observed.settings", _SETTINGS
    told = [settings, *(claim.settings for claim in record.claims)]
    if any(each is not None and each.spec_type == UNKNOWN for each in told):
        yield "settings.spec_type", _TYPE


def template(record: Measurement) -> str:
    """Comments that ask for all that is missing at once; empty where nothing is."""
    missing = lacking(record)
    if not missing:
        return ""
    lines = "".join(missing.values()).splitlines()
    head = "Missing: write these below with your own values, without the #, then speculoos check."
    if record.contributor == "anonymous":
        lines.append("contributor: anonymous may become a name of your choice")
    return "".join(f"# {line}\n" for line in (head, *lines))
