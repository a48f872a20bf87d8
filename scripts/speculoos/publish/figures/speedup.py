"""Speed-up by n_max: one dot a setting, its interval always drawn."""

from collections.abc import Sequence
from functools import cache

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from speculoos.publish.figures.style import INK, MARKERS, MUTED, PAPER, RC, SERIES, SMALL, canvas
from speculoos.publish.figures.svg import to_svg
from speculoos.publish.series import Dot, Line
from speculoos.publish.text import ABSENT, Language, between, colon, number, times
from speculoos.publish.words import label

_FINE = 0.5
"""Axes that span less than this need two decimals."""


@cache
def draw_speedup(lines: tuple[Line, ...], key: str, language: Language) -> str:
    """The figure of one or several measurements as `<svg>`; 1 is the baseline's rate."""
    names = _names(lines)
    title = label("speedup_title" if _numeric(lines) else "speedup_types", language)
    x_label = label("n_max" if _numeric(lines) else "setting", language)
    heads = [line.label for line in lines] if len(lines) > 1 else []
    with rc_context(RC):
        drawn = canvas(label("speedup_unit", language), x_label, heads)
        _reference(drawn.axes)
        for row, line in enumerate(lines):
            _line(drawn.axes, row, line, names, _offset(row, len(lines)))
        if len(lines) == 1:
            _values(drawn.axes, lines[0], names, language)
        _ticks(drawn.axes, names, language)
        return to_svg(drawn.figure, key, title, described(lines, language))


def described(lines: Sequence[Line], language: Language) -> str:
    """The figure's values as one text."""
    return " ; ".join(f"{line.label}{colon(language)}{_told(line, language)}" for line in lines)


def _told(line: Line, language: Language) -> str:
    told = [
        f"{dot.name} {times(dot.value, language)}{bounds_told(dot, language)}" for dot in line.dots
    ]
    told += [f"{name} {label('incident', language)}" for _, name in line.broken]
    return ", ".join(told) or ABSENT


def bounds_told(dot: Dot, language: Language) -> str:
    """The interval in brackets, after its value; empty where there is none."""
    if dot.low is None or dot.high is None:
        return ""
    return f" ({between(dot.low, dot.high, language)})"


def _numeric(lines: Sequence[Line]) -> bool:
    return all(x is not None for line in lines for x, _ in _places(line))


def _places(line: Line) -> list[tuple[int | None, str]]:
    return [(dot.x, dot.name) for dot in line.dots] + list(line.broken)


def _names(lines: Sequence[Line]) -> dict[str, tuple[float, str]]:
    """Where every setting stands on the axis, and its text there."""
    places = [place for line in lines for place in _places(line)]
    if _numeric(lines):
        return {name: (float(x or 0), str(x)) for x, name in places}
    unique = list(dict.fromkeys(name for _, name in places))
    return {name: (float(index), name) for index, name in enumerate(unique)}


def _offset(row: int, rows: int) -> float:
    return (row - (rows - 1) / 2) * 0.12


def _reference(axes: Axes) -> None:
    axes.axhline(1, color=MUTED, linewidth=1.5, linestyle=(0, (4, 3)), zorder=1)


def _line(
    axes: Axes, row: int, line: Line, names: dict[str, tuple[float, str]], offset: float
) -> None:
    colour, marker = SERIES[row], MARKERS[row]
    xs = [names[dot.name][0] + offset for dot in line.dots]
    axes.plot(xs, [dot.value for dot in line.dots], color=colour, linewidth=1, alpha=0.3)
    for x, dot in zip(xs, line.dots, strict=True):
        _dot(axes, x, dot, colour, marker)
    for _, name in line.broken:
        axes.plot([names[name][0] + offset], [1], marker="x", color=colour, markersize=9, mew=2.5)


def _dot(axes: Axes, x: float, dot: Dot, colour: str, marker: str) -> None:
    fill = PAPER
    if dot.low is not None and dot.high is not None:
        axes.vlines(x, dot.low, dot.high, color=colour, linewidth=2.5)
        fill = colour
    axes.plot([x], [dot.value], marker=marker, ms=7, color=colour, mfc=fill, mew=1.5)


def _values(
    axes: Axes, line: Line, names: dict[str, tuple[float, str]], language: Language
) -> None:
    for dot in line.dots:
        axes.annotate(
            number(dot.value, language), (names[dot.name][0], dot.value), (9, 0),
            textcoords="offset points", va="center", size=SMALL, color=INK,
        )  # fmt: skip


def _ticks(axes: Axes, names: dict[str, tuple[float, str]], language: Language) -> None:
    places = dict(names.values())
    axes.set_xticks(list(places), list(places.values()))
    first, last = min(places, default=0), max(places, default=1)
    axes.set_xlim(first - 0.3 - 0.07 * (last - first), last + 0.3 + 0.14 * (last - first))
    low, high = axes.get_ylim()
    room = max(high - low, 0.1) * 0.08
    axes.set_ylim(min(low, 0.9) - room, max(high, 1.1) + room)
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: number(y, language, _digits(axes))))


def _digits(axes: Axes) -> int:
    low, high = axes.get_ylim()
    return 2 if high - low < _FINE else 1
