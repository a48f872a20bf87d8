"""Bench and real use: rate and acceptance in two panels, each kind with its own sign."""

from collections.abc import Sequence
from functools import cache

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from speculoos.publish.beside import RATE, SHARE, shown
from speculoos.publish.figures.style import INK, MUTED, PAPER, RC, SERIES, SMALL, canvas, quiet
from speculoos.publish.figures.svg import to_svg
from speculoos.publish.series import Dot, Line
from speculoos.publish.text import Language, colon, number, percent
from speculoos.publish.words import label

_SIGNS = ("o", "D")


@cache
def draw_beside(lines: tuple[Line, ...], key: str, language: Language) -> str:
    """Two panels as `<svg>`: tokens per second, and the share of accepted tokens."""
    with rc_context(RC):
        drawn = canvas(label("tokens_per_second", language), "", [])
        whole = drawn.axes.get_position()
        drawn.axes.set_position((whole.x0, whole.y0, 0.32, whole.height))
        right = drawn.figure.add_axes((0.64, whole.y0, 0.32, whole.height))
        quiet(right)
        title = label("acceptance_rate", language)
        drawn.figure.text(0.56, 1 - 14 / 240, title, color=MUTED, size=SMALL, va="center")
        for axes, place in ((drawn.axes, RATE), (right, SHARE)):
            _panel(axes, place, lines, language)
        described = _described(lines, language)
        return to_svg(drawn.figure, key, label("beside_title", language), described)


def _panel(axes: Axes, place: int, lines: Sequence[Line], language: Language) -> None:
    for row, line in enumerate(lines):
        for dot in (dot for dot in line.dots if dot.x == place):
            _dot(axes, row, dot, language, observed=line.observed)
    axes.set_xticks(range(len(lines)), [line.label for line in lines])
    axes.set_xlim(-0.4, len(lines) - 0.3)
    axes.set_ylim(0, 1 if place == SHARE else axes.get_ylim()[1] * 1.1)
    axes.yaxis.set_major_locator(MaxNLocator(4))
    form = percent if place == SHARE else _whole
    axes.yaxis.set_major_formatter(FuncFormatter(lambda y, _: form(y, language)))


def _whole(value: float, language: Language) -> str:
    return number(value, language, 0)


def _dot(axes: Axes, row: int, dot: Dot, language: Language, *, observed: bool) -> None:
    colour, fill = SERIES[row], PAPER if observed else SERIES[row]
    if dot.low is not None and dot.high is not None:
        style = (0, (2, 2)) if observed else "solid"
        axes.vlines(row, dot.low, dot.high, color=colour, linewidth=2.5, linestyle=style)
    sign = _SIGNS[1 if observed else 0]
    axes.plot([row], [dot.value], marker=sign, ms=8, color=colour, mfc=fill, mew=1.5)
    axes.annotate(
        shown(dot, dot.value, language), (row, dot.value), (9, 0),
        textcoords="offset points", va="center", size=SMALL, color=INK,
    )  # fmt: skip


def _described(lines: Sequence[Line], language: Language) -> str:
    return " ; ".join(
        f"{line.label}{colon(language)}"
        + ", ".join(
            f"{label(dot.name, language)} {shown(dot, dot.value, language)}" for dot in line.dots
        )
        for line in lines
    )
