"""Step cost by n_max: what a step costs, and what it could give at most."""

from collections.abc import Sequence
from functools import cache

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from speculoos.publish.figures.speedup import bounds_told
from speculoos.publish.figures.style import MARKERS, MUTED, PAPER, RC, SERIES, SMALL, canvas
from speculoos.publish.figures.svg import to_svg
from speculoos.publish.series import Line
from speculoos.publish.text import Language, colon, number
from speculoos.publish.words import label


@cache
def draw_step_cost(lines: tuple[Line, ...], key: str, language: Language) -> str:
    """The figure as `<svg>`; the dashed line is the most tokens that a step can give."""
    with rc_context(RC):
        drawn = canvas(
            label("step_cost_unit", language),
            label("n_max", language),
            [line.label for line in lines],
        )
        deepest = max((dot.x or 0 for line in lines for dot in line.dots), default=1)
        _bound(drawn.axes, deepest, language)
        for row, line in enumerate(lines):
            _line(drawn.axes, row, line)
        _ticks(drawn.axes, deepest, language)
        return to_svg(
            drawn.figure, key, label("step_cost_title", language), _described(lines, language)
        )


def _described(lines: Sequence[Line], language: Language) -> str:
    told = (
        f"{line.label}{colon(language)}"
        + ", ".join(
            f"{dot.name} {number(dot.value, language)}{bounds_told(dot, language)}"
            for dot in line.dots
        )
        for line in lines
    )
    return " ; ".join(told)


def _bound(axes: Axes, deepest: int, language: Language) -> None:
    depths = range(deepest + 1)
    most = [depth + 1 for depth in depths]
    axes.plot(list(depths), most, color=MUTED, linewidth=1.5, linestyle=(0, (4, 3)), zorder=1)
    at = deepest * 0.75
    axes.annotate(
        label("step_cost_bound", language), (at, at + 1), (-6, 5),
        textcoords="offset points", ha="right", va="bottom", size=SMALL, color=MUTED,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
    )  # fmt: skip


def _line(axes: Axes, row: int, line: Line) -> None:
    xs = [0, *(dot.x or 0 for dot in line.dots)]
    ys = [1.0, *(dot.value for dot in line.dots)]
    axes.plot(xs, ys, color=SERIES[row], linewidth=1.5, marker=MARKERS[row], ms=6)
    for dot in line.dots:
        if dot.low is not None and dot.high is not None:
            axes.vlines(dot.x or 0, dot.low, dot.high, color=SERIES[row], linewidth=2.5)


def _ticks(axes: Axes, deepest: int, language: Language) -> None:
    axes.set_xticks(range(deepest + 1))
    axes.set_xlim(-0.25, deepest + 0.35)
    axes.set_ylim(0.6, deepest + 1.4)
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: number(y, language, 0)))
