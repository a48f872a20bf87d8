"""Expected buffers against logged ones: every start of a server is a dot."""

from collections.abc import Sequence
from functools import cache

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator

from speculoos.publish.figures.style import MARKERS, MUTED, RC, SERIES, SMALL, canvas
from speculoos.publish.figures.svg import to_svg
from speculoos.publish.text import Language, number
from speculoos.publish.words import label

Dots = tuple[tuple[float, float], ...]


@cache
def draw_memory(cache_dots: Dots, compute_dots: Dots, key: str, language: Language) -> str:
    """The figure as `<svg>`: logged MiB across, expected MiB up, and the line of equality."""
    kinds = ("kv_cache", "compute_buffers")
    with rc_context(RC):
        drawn = canvas(
            label("memory_expected_unit", language),
            label("memory_logged_unit", language),
            [label(kind, language) for kind in kinds],
        )
        dots = (cache_dots, compute_dots)
        _equality(drawn.axes, [*cache_dots, *compute_dots], language)
        for row, found in enumerate(dots):
            logged, expected = zip(*found, strict=True)
            drawn.axes.plot(
                logged, expected, color=SERIES[row], marker=MARKERS[row], ms=5,
                linestyle="none", markerfacecolor="none",
            )  # fmt: skip
        _scales(drawn.axes, language)
        return to_svg(
            drawn.figure,
            key,
            label("memory_figure", language),
            label("memory_figure_note", language),
        )


def _equality(axes: Axes, dots: Sequence[tuple[float, float]], language: Language) -> None:
    ends = [min(min(dot) for dot in dots) * 0.8, max(max(dot) for dot in dots) * 1.25]
    axes.plot(ends, ends, color=MUTED, linewidth=1.5, linestyle=(0, (4, 3)), zorder=1)
    axes.annotate(
        label("memory_equal", language), (ends[1] / 3, ends[1] / 3), (-8, 6),
        textcoords="offset points", ha="right", va="bottom", size=SMALL, color=MUTED,
    )  # fmt: skip


def _scales(axes: Axes, language: Language) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(LogLocator(10))
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(value, language, 0)))
