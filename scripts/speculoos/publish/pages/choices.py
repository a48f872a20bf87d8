"""What a reader may choose results by: machine, model, type of speculation, verdict."""

from collections.abc import Iterable, Mapping

from speculoos.publish.results import Result
from speculoos.publish.text import ABSENT, Language
from speculoos.publish.words import label
from speculoos.record.types import NO_SPECULATION

SEPARATOR = " | "


def traits(result: Result, language: Language) -> Mapping[str, str]:
    """The values of one result by the name of the choice; several are joined by `SEPARATOR`."""
    model = result.measurement.model
    machine = result.machine_label(language)
    settings = [run.settings for run in result.measurement.runs]
    settings += [claim.settings for claim in result.measurement.claims]
    types = sorted({each.spec_type for each in settings} - {NO_SPECULATION})
    return {
        "machine": "" if machine == ABSENT else machine,
        "model": model.file.removesuffix(".gguf") if model else "",
        "speculation": SEPARATOR.join(types),
        "verdict": _verdict(result),
    }


def _verdict(result: Result) -> str:
    if result.measurement.withdrawn:
        return "withdrawn"
    return f"verdict_{result.summary.recommendation.verdict}" if result.kind == "measured" else ""


def choices(results: Iterable[Result], language: Language) -> dict[str, dict[str, str]]:
    """Every value that occurs, with its text, by the name of the choice."""
    found: dict[str, dict[str, str]] = {}
    for result in results:
        for name, joined in traits(result, language).items():
            for value in filter(None, joined.split(SEPARATOR)):
                shown = label(value, language) if name == "verdict" else value
                found.setdefault(name, {})[value] = shown
    return {
        name: dict(sorted(values.items(), key=lambda v: v[1])) for name, values in found.items()
    }
