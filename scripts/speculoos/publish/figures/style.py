"""Colours, sizes and axes that all figures share.

Figures are drawn with sentinel colours; `svg.py` replaces them by variables of the style sheet, so
that one drawing follows the switch between light and dark.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

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
WRAP = 44
"""Letters that fit beside a key."""

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
    "text.parse_math": False,  # a title may hold dollars
}


@dataclass(frozen=True)
class Canvas:
    """A figure and its axes, with `heads` lines of text above them."""

    figure: Figure
    axes: Axes


def canvas(unit: str, x_label: str, heads: Sequence[str]) -> Canvas:
    """Empty axes: the unit stands above, as text that reads without turning the head."""
    rows = [(i, text) for i, head in enumerate(heads) for text in wrap(head, WRAP)]
    top = 30 + LINE_OF_TEXT * len(rows)
    height = HEIGHT + LINE_OF_TEXT * len(rows)
    with rc_context(RC):
        figure = Figure(figsize=(WIDTH / 72, height / 72))
        axes = figure.add_axes((46 / WIDTH, 42 / height, 1 - 62 / WIDTH, 1 - (42 + top) / height))
        figure.text(8 / WIDTH, 1 - 14 / height, unit, color=MUTED, size=SMALL, va="center")
        for row, (series, text) in enumerate(rows, start=1):
            y = 1 - (14 + LINE_OF_TEXT * row) / height
            figure.text(24 / WIDTH, y, text, color=SERIES[series], size=SMALL, va="center")
            if row == 1 or rows[row - 2][0] != series:
                _key(figure, series, y)
        axes.set_xlabel(x_label, size=SMALL)
    quiet(axes)
    return Canvas(figure, axes)


def _key(figure: Figure, series: int, y: float) -> None:
    colour, marker = SERIES[series], MARKERS[series]
    figure.add_artist(
        Line2D([14 / WIDTH], [y], marker=marker, color=colour, markersize=6, ls="none")
    )


def quiet(axes: Axes) -> None:
    """No frame, no ticks, a thin grid behind."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, labelsize=TEXT, pad=6)
    axes.grid(axis="y", color=GRID, linewidth=1)
    axes.set_axisbelow(True)
