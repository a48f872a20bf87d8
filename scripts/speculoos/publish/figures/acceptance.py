"""Acceptance by position: how far the guesses hold, with the range over the prompts."""

from collections.abc import Sequence
from functools import cache

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from speculoos.publish.figures.style import INK, MARKERS, PAPER, RC, SERIES, SMALL, canvas
from speculoos.publish.figures.svg import to_svg
from speculoos.publish.series import Dot, Line
from speculoos.publish.text import ABSENT, Language, colon, percent
from speculoos.publish.words import label

_FEW = 8
"""Up to so many positions every dot carries its value."""


@cache
def draw_acceptance(lines: tuple[Line, ...], key: str, language: Language) -> str:
    """Share of the verification steps whose first i draft tokens were all accepted, as `<svg>`."""
    heads = [line.label for line in lines] if len(lines) > 1 else []
    with rc_context(RC):
        unit, x_label = label("acceptance_rate", language), label("position_axis", language)
        drawn = canvas(unit, x_label, heads)
        for row, line in enumerate(lines):
            _line(drawn.axes, row, line, (row - (len(lines) - 1) / 2) * 0.12)
        if len(lines) == 1 and len(lines[0].dots) <= _FEW:
            _values(drawn.axes, lines[0].dots, language)
        _ticks(drawn.axes, lines, language)
        title = label("acceptance_title", language)
        return to_svg(drawn.figure, key, title, described(lines, language))


def described(lines: Sequence[Line], language: Language) -> str:
    """The figure's values as one text."""
    return " ; ".join(
        f"{line.label}{colon(language)}"
        + (", ".join(f"{dot.x} {percent(dot.value, language, 1)}" for dot in line.dots) or ABSENT)
        for line in lines
    )


def _line(axes: Axes, row: int, line: Line, offset: float) -> None:
    colour = SERIES[row]
    xs = [(dot.x or 0) + offset for dot in line.dots]
    fill, marker = (PAPER, "D") if line.observed else (colour, MARKERS[row])
    axes.plot(xs, [dot.value for dot in line.dots], color=colour, linewidth=1, alpha=0.3)
    size = 7 if len(xs) <= 2 * _FEW else 3.5
    for x, dot in zip(xs, line.dots, strict=True):
        if dot.low is not None and dot.high is not None:
            axes.vlines(x, dot.low, dot.high, color=colour, linewidth=2.5, alpha=0.6)
        axes.plot([x], [dot.value], marker=marker, markersize=size, color=colour, mfc=fill)


def _values(axes: Axes, dots: Sequence[Dot], language: Language) -> None:
    for dot in dots:
        axes.annotate(
            percent(dot.value, language), (dot.x, dot.value), (9, 0),
            textcoords="offset points", va="center", size=SMALL, color=INK,
        )  # fmt: skip


def _ticks(axes: Axes, lines: Sequence[Line], language: Language) -> None:
    last = max((dot.x or 0 for line in lines for dot in line.dots), default=1)
    axes.set_xlim(0.5, last + 0.8)
    axes.set_ylim(0, 1.04)
    axes.xaxis.set_major_locator(MaxNLocator(min(last + 1, 8), integer=True, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: percent(y, language)))
