"""The pages say the thresholds, limits and presets that the code holds, in both languages."""

import re

import pytest

from operate.files import FOLDER, GUARD
from publish.website import ROOT
from speculoos.measure.preset import PRESETS, QUICK_S
from speculoos.measure.schedule import CONFIRMED
from speculoos.publish.memory import N_MAX, SHOWN_CONTEXT
from speculoos.publish.text import LANGUAGES, number, percent
from speculoos.publish.words import label
from speculoos.record.advice import NO_GAIN
from speculoos.record.metrics import CONFIDENCE, LEAST_PROMPTS
from speculoos.record.store import load
from speculoos.record.surroundings import BUSY, BUSY_DURING, LEAST_QUIET, RESTLESS
from speculoos.record.types.memory import LoggedMemory, PublicModels
from speculoos.verbs.measure import MOST_IN_A_GRID, MOST_NAMED

MEMORY = load(ROOT / "docs/memory.yaml", PublicModels).record
LOGGED = load(ROOT / "docs/memory-logged.yaml", LoggedMemory).record


def _whole(value, language):
    return number(value, language, 0)


def _as_is(value, _):
    return str(value)


def _all_of(values, language):
    return {"en": " and ", "fr": " et "}[language].join(map(str, sorted(values)))


def _logged(field):
    """Every value with which a real server was started."""
    return {getattr(start, field) for start in LOGGED.starts}


def _default(option, _):
    """What the guard does where nothing is said."""
    return re.search(rf'"--{option}", .*default=(\d+)', GUARD.read_text("utf-8"))[1]


def _unit(setting, _):
    """What the server's unit for systemd says."""
    return re.search(
        rf"^{setting}=(\d+)", (FOLDER / "llama-server.service").read_text("utf-8"), re.MULTILINE
    )[1]


CLAIMS = [
    ("protocol", percent, BUSY, "more than {} of the processors before the start",
     "plus de {} des processeurs avant le départ"),
    ("protocol", percent, BUSY_DURING, "more than {} during a block", "plus de {} pendant un bloc"),
    ("protocol", percent, BUSY_DURING, "take more than {} is measured again",
     "prennent plus de {} est mesuré de nouveau"),
    ("protocol", _whole, LEAST_QUIET, "once {} quiet blocks are left",
     "dès qu’il reste {} blocs calmes"),
    ("protocol", percent, RESTLESS, "lie more than {} apart", "s’écartent de plus de {}"),
    ("protocol", _whole, MOST_NAMED, "more than {} settings", "Au-delà de {} réglages"),
    ("protocol", _whole, MOST_IN_A_GRID, "more than {} that nobody named",
     "de {} si personne ne les a nommés"),
    ("protocol", _whole, CONFIRMED, "the best {} are then compared",
     "les {} meilleurs sont ensuite comparés"),
    ("protocol", _whole, QUICK_S, "fit into {} seconds", "tiennent dans {} secondes"),
    ("protocol", percent, CONFIDENCE, "a {} interval", "un intervalle à {}"),
    ("protocol", _whole, LEAST_PROMPTS, "at least {} prompts", "au moins {} invites"),
    ("operate", _default, "every", "asks every {} seconds", "toutes les {} secondes"),
    ("operate", _default, "deadline", "waits {} seconds", "une réponse {} secondes"),
    ("operate", _default, "loading", "may take {} seconds", "peut mettre {} secondes"),
    ("operate", _default, "misses", "after {} misses", "après {} échecs"),
    ("operate", _default, "backoff", "rests {} seconds", "patiente {} secondes"),
    ("operate", _default, "limit", "After {} reloads within the hour",
     "Après {} relances dans l’heure"),
    ("operate", _unit, "StartLimitBurst", "{} starts within the hour",
     "{} démarrages dans l’heure"),
    ("gpu-grid", _whole, MEMORY.keep_free_gib, "{} GiB of the card kept free",
     "{} Gio de la carte laissé libre"),
    ("gpu-grid", _whole, N_MAX, "`n_max` {} where", "`n_max` {} quand"),
    ("gpu-grid", _as_is, SHOWN_CONTEXT, "With `-c {}`", "Avec `-c {}`"),
    ("gpu-grid", _as_is, min(_logged("context")), "from `-c {}`", "de `-c {}`"),
    ("gpu-grid", _as_is, max(_logged("context")), "to `-c {}`", "à `-c {}`"),
    ("gpu-grid", _all_of, _logged("slots"), "{} slots", "{} places"),
    ("gpu-grid", _as_is, len(_logged("kv_type")), "{} types of the KV cache",
     "{} types de cache KV"),
    ("gpu-grid", _as_is, len(_logged("ubatch")), "{} sizes of the batch", "{} tailles de lot"),
    ("protocol", number, NO_GAIN, "ends at {} or below", "s’arrête à {} ou au-dessous"),
]  # fmt: skip
"""Page, how the value is written, the value, and its place in either language."""


def _page(name, language):
    return (ROOT / "docs" / language / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("page", "written", "value", "en", "fr"), CLAIMS)
def test_a_page_says_the_value_that_the_code_holds(page, written, value, en, fr):
    """Whoever changes one must change the other."""
    for language, phrase in (("en", en), ("fr", fr)):
        assert phrase.format(written(value, language)) in _page(page, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_presets_is_that_of_the_code(language):
    """Half-width, blocks at least and at most, blocks in place of loaded ones, tokens."""
    lines = _page("protocol", language).partition("| `--quick`")[2].splitlines()
    names = re.findall(r"`--(\w+)`", "`--quick`" + lines[0])
    rows = [[int(n) for n in re.findall(r"\d+", line)] for line in lines[2:7]]
    assert dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) == {
        name: [round(100 * p.narrow), p.least_blocks, p.blocks, p.repeats, p.max_tokens]
        for name, p in PRESETS.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_verdicts_of_the_protocol_are_those_of_the_program(language):
    """In the words that `show` and the results use, each with when it is given."""
    rows = re.findall(r"^\| ([^|`]+) \| [^|]+ \|$", _page("protocol", language), re.MULTILINE)
    verdicts = [label(f"verdict_{name}", language) for name in ("use", "off", "undecided")]
    assert rows[-3:] == verdicts
