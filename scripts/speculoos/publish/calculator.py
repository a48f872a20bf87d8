"""What the calculator of the guide offers: step costs of results, and its words as JSON."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from speculoos.publish.results import Result, told_apart
from speculoos.publish.step_costs import step_costs
from speculoos.publish.text import THIN, TIMES, Language
from speculoos.publish.words import label

_SAID = (
    "pays", "hardly", "never", "incomplete", "nothing_known", "read_nothing",
    "read_counts", "read_rate", "took_positions", "took_rate", "took_cost", "lacks_n", "bad_rate",
    "bad_n_max", "bad_baseline",
    "contradicts_n",
)  # fmt: skip


@dataclass(frozen=True)
class Choice:
    """The step costs of one result from n_max 1 on; `?` where none is known."""

    label: str
    costs: str


def choices(results: Iterable[Result], language: Language) -> list[Choice]:
    """Every result that gives step costs without large gaps; withdrawn ones are left out."""
    kept = [result for result in results if not result.measurement.withdrawn]
    names = told_apart([result.title(language) for result in kept], kept, language)
    found = [(name, _costs(result, language)) for name, result in zip(names, kept, strict=True)]
    return [Choice(name, costs) for name, costs in found if costs]


def _costs(result: Result, language: Language) -> str:
    known = {dot.x: dot.value for dot in step_costs(result, language).dots if dot.x}
    depths = range(1, max(known, default=0) + 1)
    if 2 * len(known) < len(depths):
        return ""
    return " ".join(f"{known[n]:.4g}" if n in known else "?" for n in depths)


def sentences(language: Language) -> str:
    """What the calculator says, as JSON for its script."""
    said = {name: label(f"calc_{name}", language) for name in _SAID}
    said["times"] = f"{TIMES}{THIN}{{x}}" if language == "fr" else f"{{x}}{TIMES}"
    return json.dumps(said, ensure_ascii=False)
