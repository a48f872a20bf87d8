"""Bench and real use side by side: one model, one machine, one setting, two kinds of figures."""

from collections.abc import Sequence

from speculoos.publish.results import Result
from speculoos.publish.series import Dot, Line
from speculoos.publish.tables import Table, labelled
from speculoos.publish.text import ABSENT, Language, number, percent, span
from speculoos.publish.words import label
from speculoos.record import metrics
from speculoos.record.point import Point
from speculoos.record.usage import Range, Usage

RATE, SHARE = 0, 1
"""Places of the two values in a line."""


def beside(results: Sequence[Result], language: Language) -> list[Line]:
    """A line for the bench and one for the use; raises `ValueError` where they do not belong."""
    bench, life = _pair(results)
    found = life.usage
    settings = found.observation.settings if found else None
    if found is None or settings is None:
        raise ValueError(f"{life.id}: does not say what the server was started with")
    point = bench.point(settings.n_max or settings.label)
    if point.settings.spec_type != settings.spec_type:
        other = point.settings.spec_type
        raise ValueError(f"{life.id}: {settings.spec_type}, the bench has {other}")
    return [_bench(point, language), _life(found, language)]


def _pair(results: Sequence[Result]) -> tuple[Result, Result]:
    kinds = [result.kind for result in results]
    if kinds != ["measured", "observed"]:
        raise ValueError('figure "bench_and_life" takes a measured and an observed record')
    bench, life = results
    one, other = bench.measurement, life.measurement
    if one.machine and other.machine and one.machine.id != other.machine.id:
        raise ValueError(f"{life.id}: another machine than {bench.id}")
    if one.model and other.model and one.model.file != other.model.file:
        raise ValueError(f"{life.id}: another model than {bench.id}")
    return bench, life


def _bench(point: Point, language: Language) -> Line:
    blocks = sorted({sample.block for sample in point.samples})
    rates = [metrics.tokens_per_second(s for s in point.samples if s.block == b) for b in blocks]
    names = sorted({sample.prompt for sample in point.samples})
    shares = [metrics.acceptance_rate(s for s in point.samples if s.prompt == n) for n in names]
    return Line(
        label("bench", language),
        _dots(point.tokens_per_second, _range(rates), point.acceptance_rate, _range(shares)),
    )


def _life(found: Usage, language: Language) -> Line:
    dots = _dots(
        found.tokens_per_second, found.rates, found.acceptance_rate, found.acceptance_rates
    )
    return Line(label("life", language), dots, observed=True)


def _dots(
    rate: float | None, rates: Range | None, share: float | None, shares: Range | None
) -> tuple[Dot, ...]:
    values = ((RATE, "tokens_per_second", rate, rates), (SHARE, "acceptance_rate", share, shares))
    return tuple(
        Dot(place, name, value, *(bounds or (None, None)))
        for place, name, value, bounds in values
        if value is not None
    )


def _range(values: Sequence[float | None]) -> Range | None:
    known = [value for value in values if value is not None]
    return (min(known), max(known)) if len(known) > 1 else None


def shown(dot: Dot, value: float, language: Language) -> str:
    """A rate or a share."""
    return percent(value, language) if dot.x == SHARE else number(value, language, 1)


def beside_values(lines: Sequence[Line], language: Language) -> Table:
    """The values behind the figure."""
    heads = ("result", "tokens_per_second", "acceptance_rate")
    rows = [
        [line.label, *(_told(line, place, language) for place in (RATE, SHARE))] for line in lines
    ]
    return labelled("data_table", heads, rows, language)


def _told(line: Line, place: int, language: Language) -> str:
    dot = next((dot for dot in line.dots if dot.x == place), None)
    if dot is None:
        return ABSENT
    if dot.low is None or dot.high is None:
        return shown(dot, dot.value, language)
    ends = (shown(dot, bound, language) for bound in (dot.low, dot.high))
    return f"{shown(dot, dot.value, language)} ({span(ends, language)})"
