"""Colours, sizes and axes that all figures share.

Figures are drawn with sentinel colours; `svg.py` replaces them by variables of the style sheet, so
that one drawing follows the switch between light and dark.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

INK, MUTED, GRID, PAPER = "#010101", "#020202", "#030303", "#040404"
SERIES = ("#0a0101", "#0a0202", "#0a0303", "#0a0404")
MARKERS = ("o", "s", "^", "D")

VARIABLES = {
    INK: "--sp-ink",
    MUTED: "--sp-muted",
    GRID: "--sp-grid",
    PAPER: "--sp-paper",
    **{colour: f"--sp-series-{index}" for index, colour in enumerate(SERIES, start=1)},
}

WIDTH, HEIGHT = 340, 240
"""View box: on a phone of 360 px the figure shrinks to about nine tenths of it."""
TEXT = 12.5
SMALL = 11.5
LINE_OF_TEXT = 17

RC: Any = {
    "svg.fonttype": "none",
    "font.size": TEXT,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": MUTED,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.unicode_minus": True,
}


@dataclass(frozen=True)
class Canvas:
    """A figure and its axes, with `heads` lines of text above them."""

    figure: Figure
    axes: Axes


def canvas(unit: str, x_label: str, heads: Sequence[str]) -> Canvas:
    """Empty axes: the unit stands above, as text that reads without turning the head."""
    top = 24 + LINE_OF_TEXT * len(heads)
    height = HEIGHT + LINE_OF_TEXT * len(heads)
    with rc_context(RC):
        figure = Figure(figsize=(WIDTH / 72, height / 72))
        axes = figure.add_axes((46 / WIDTH, 42 / height, 1 - 62 / WIDTH, 1 - (42 + top) / height))
        figure.text(8 / WIDTH, 1 - 14 / height, unit, color=MUTED, size=SMALL, va="center")
        for row, head in enumerate(heads):
            y = 1 - (14 + LINE_OF_TEXT * (row + 1)) / height
            figure.text(24 / WIDTH, y, head, color=SERIES[row], size=SMALL, va="center")
            _key(figure, row, y)
        axes.set_xlabel(x_label, size=SMALL)
    _quiet(axes)
    return Canvas(figure, axes)


def _key(figure: Figure, row: int, y: float) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415 - used here alone

    figure.add_artist(
        Line2D([14 / WIDTH], [y], marker=MARKERS[row], color=SERIES[row], markersize=6, ls="none")
    )


def _quiet(axes: Axes) -> None:
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, labelsize=TEXT, pad=6)
    axes.grid(axis="y", color=GRID, linewidth=1)
    axes.set_axisbelow(True)


def label_axis(axes: Axes, which: str, text: FuncFormatter) -> None:
    """Ticks in the signs of a language."""
    (axes.xaxis if which == "x" else axes.yaxis).set_major_formatter(text)
