"""Single values for running text: `value("machine/date-slug", "speedup", n_max=2)`."""

from collections.abc import Callable

from speculoos.publish.results import Result, UnknownNameError
from speculoos.publish.text import Language, number, percent, rate, times
from speculoos.publish.words import label
from speculoos.record.blocks import asked
from speculoos.record.point import Point


class AbsentValueError(Exception):
    """The measurement is there, but it could not give this value."""


Shown = Callable[[float, Language], str]


def _count(value: float, language: Language) -> str:
    return number(value, language, 0)


def _percent(value: float, language: Language) -> str:
    return percent(value, language)


OF_POINT: dict[str, tuple[Callable[[Point], float | None], Shown]] = {
    "speedup": (lambda p: p.speedup.value if p.speedup else None, times),
    "speedup_low": (lambda p: p.speedup.low if p.speedup else None, number),
    "speedup_high": (lambda p: p.speedup.high if p.speedup else None, number),
    "tokens_per_second": (lambda p: p.tokens_per_second, rate),
    "acceptance_rate": (lambda p: p.acceptance_rate, _percent),
    "mean_acceptance_length": (lambda p: p.mean_acceptance_length, number),
    "step_cost": (lambda p: p.step_cost, number),
    "same_texts": (lambda p: p.same_text[0] if p.same_text else None, _count),
    "compared_texts": (lambda p: p.same_text[1] if p.same_text else None, _count),
    "samples": (lambda p: p.texts, _count),
}
"""Values of one setting; they need `n_max=2`, `n_max="best"` or `n_max="ngram-mod"`."""

OF_RESULT: dict[str, tuple[Callable[[Result], float | None], Shown]] = {
    "baseline_tokens_per_second": (
        lambda r: r.summary.baseline.tokens_per_second if r.summary.baseline else None,
        rate,
    ),
    "blocks": (lambda r: r.summary.blocks, _count),
    "prompts": (
        lambda r: len({prompt for run in r.measurement.runs for prompt in asked(run)}),
        _count,
    ),
    "recommended_n_max": (lambda r: r.summary.recommendation.n_max, _count),
    "best_n_max": (lambda r: r.point("best").n_max, _count),
}
"""Values of a whole measurement."""


def value(result: Result, name: str, setting: int | str | None, language: Language) -> str:
    """The value as text; raises `UnknownNameError` or `AbsentValueError`."""
    if name == "verdict":
        return label(f"verdict_{result.summary.recommendation.verdict}", language)
    if name in OF_RESULT:
        read, shown = OF_RESULT[name]
        return _present(read(result), shown, f"{result.id}: {name}", language)
    if name not in OF_POINT:
        raise UnknownNameError("value", name, [*OF_POINT, *OF_RESULT, "verdict"])
    if setting is None:
        raise AbsentValueError(f'value "{name}" belongs to a setting; add n_max=2 or n_max="best"')
    read_point, shown = OF_POINT[name]
    found = read_point(result.point(setting))
    return _present(found, shown, f"{result.id}: {name} at {setting}", language)


def _present(found: float | None, shown: Shown, what: str, language: Language) -> str:
    if found is None:
        raise AbsentValueError(f"{what} is absent from the file; say in words why")
    return shown(found, language)
