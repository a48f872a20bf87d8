"""Sweeps of others by their speed without speculation: best n_max, or what it gave."""

from collections.abc import Callable, Sequence
from functools import cache

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from speculoos.publish.field import Sweep
from speculoos.publish.figures.style import MARKERS, MUTED, RC, SERIES, canvas
from speculoos.publish.figures.svg import to_svg
from speculoos.publish.text import Language, number, times
from speculoos.publish.words import label

_APART = 0.16
"""Between dots that would cover each other, in steps of n_max."""
_NEAR = 1.12
"""A ratio of speeds below which two dots cover each other."""
_LEVELS = (0, 1, -1, 2, -2, 3, -3, 4, -4)

Spot = tuple[float, float, bool]
"""Where a dot stands, and whether its model is a mixture of experts."""


@cache
def draw_field_n_max(sweeps: tuple[Sweep, ...], key: str, language: Language) -> str:
    """The best n_max as `<svg>`; dots of the same value are set apart, not on top of each other."""
    with rc_context(RC):
        axes, finish = _plotted(sweeps, "field_best", _apart(sweeps), language)
        deepest = max((s.best_n_max for s in sweeps), default=1)
        axes.set_ylim(0.4, deepest + 0.6)
        axes.set_yticks(range(1, deepest + 1))
        return finish(key, "field_n_max_title")


@cache
def draw_field_speedup(sweeps: tuple[Sweep, ...], key: str, language: Language) -> str:
    """The speed-up with the best n_max as `<svg>`; the dashed line is the baseline."""
    spots = [(s.plain, s.speedup, s.experts) for s in sweeps]
    with rc_context(RC):
        axes, finish = _plotted(sweeps, "speedup_unit", spots, language)
        axes.axhline(1, color=MUTED, linewidth=1.5, linestyle=(0, (4, 3)), zorder=1)
        axes.set_ylim(0, max((s.speedup for s in sweeps), default=1) + 0.3)
        axes.set_yticks(range(4))
        return finish(key, "field_speedup_title")


def _plotted(
    sweeps: Sequence[Sweep], unit: str, spots: Sequence[Spot], language: Language
) -> tuple[Axes, Callable[[str, str], str]]:
    heads = [label(name, language) for name in ("field_dense", "field_moe")]
    drawn = canvas(label(unit, language), label("field_plain", language), heads)
    for row, kind in enumerate((False, True)):
        own = [spot for spot in spots if spot[2] is kind]
        drawn.axes.plot(
            [x for x, _, _ in own], [y for _, y, _ in own],
            color=SERIES[row], marker=MARKERS[row], ms=5.5, ls="none", alpha=0.85,
        )  # fmt: skip
    _speeds(drawn.axes, language)

    def finish(key: str, title: str) -> str:
        return to_svg(drawn.figure, key, label(title, language), _described(sweeps, language))

    return drawn.axes, finish


def _apart(sweeps: Sequence[Sweep]) -> list[Spot]:
    placed: list[tuple[float, int, int, bool]] = []
    for sweep in sorted(sweeps, key=lambda s: (s.best_n_max, s.plain)):
        near = [
            level for x, n, level, _ in placed
            if n == sweep.best_n_max and sweep.plain / x < _NEAR
        ]  # fmt: skip
        free = next((level for level in _LEVELS if level not in near), 0)
        placed.append((sweep.plain, sweep.best_n_max, free, sweep.experts))
    return [(x, n + _APART * level, experts) for x, n, level, experts in placed]


def _described(sweeps: Sequence[Sweep], language: Language) -> str:
    told = (
        f"{s.hardware}, {s.model}, {number(s.plain, language, 1)}, n_max {s.best_n_max}, "
        f"{times(s.speedup, language)}"
        for s in sorted(sweeps, key=lambda s: s.plain)
    )
    return " ; ".join(told)


def _speeds(axes: Axes, language: Language) -> None:
    axes.set_xscale("log")
    axes.set_xlim(2, 150)
    axes.xaxis.set_major_locator(FixedLocator([2, 5, 10, 20, 50, 100]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: number(x, language, 0)))
