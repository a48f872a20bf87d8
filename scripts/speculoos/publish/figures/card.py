"""The picture that stands beside a link to the site: the mark, the question, and what was found."""

from collections.abc import Sequence
from io import BytesIO
from textwrap import wrap

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from speculoos.publish.figures.style import RC
from speculoos.publish.series import Dot
from speculoos.publish.text import Language, number
from speculoos.publish.words import label

SIZE = (1200, 630)
"""Pixels, as those who show links ask for."""
_DPI = 100
_PAPER, _INK, _QUIET, _CRUST = "#fffdf9", "#2b2119", "#6a5a4c", "#5c3010"
_BISCUIT, _EDGE, _DOUGH, _DOT = "#d08a45", "#8f5320", "#6b3a14", "#9a4d10"
_MOST = 6


def draw_card(dots: Sequence[Dot], language: Language) -> bytes:
    """A PNG of `SIZE`: beside the question, the speed-ups that were measured, with intervals."""
    with rc_context({**RC, "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(SIZE[0] / _DPI, SIZE[1] / _DPI), dpi=_DPI, facecolor=_PAPER)
        _words(figure, language)
        _mark(figure.add_axes((0.05, 0.76, 0.16 * SIZE[1] / SIZE[0], 0.16)))
        if dots:
            _found(figure.add_axes((0.62, 0.2, 0.33, 0.55)), dots[:_MOST], language)
        picture = BytesIO()
        figure.savefig(picture, format="png", facecolor=_PAPER, metadata={"Software": None})
    return picture.getvalue()


def _words(figure: Figure, language: Language) -> None:
    figure.add_artist(Rectangle((0, 0), 1, 0.03, color=_CRUST))
    figure.text(0.155, 0.84, "speculoos", size=34, weight="bold", color=_INK, va="center")
    question = "\n".join(wrap(label("card_question", language), 22))
    figure.text(0.05, 0.43, question, size=30, color=_INK, va="center", linespacing=1.4)
    figure.text(0.05, 0.1, label("card_note", language), size=16, color=_QUIET, va="center")


def _mark(axes: Axes) -> None:
    """The biscuit of the site's logo, in its own units."""
    axes.set_xlim(-1, 49)
    axes.set_ylim(49, -1)
    axes.axis("off")
    axes.add_patch(FancyBboxPatch((4, 4), 40, 40, boxstyle="square,pad=0", color=_BISCUIT))
    edge = range(8, 44, 8)
    for near in edge:
        for centre in ((near, 4), (near, 44), (4, near), (44, near)):
            axes.add_patch(Circle(centre, 4.2, color=_BISCUIT))
    frame = FancyBboxPatch((9, 9), 30, 30, boxstyle="round,pad=0,rounding_size=3")
    frame.set(facecolor="none", edgecolor=_EDGE, linewidth=2)
    axes.add_patch(frame)
    for left, top in ((14, 28), (21.5, 21), (29, 13)):
        axes.add_patch(Rectangle((left, top), 5, 35 - top, color=_DOUGH))


def _found(axes: Axes, dots: Sequence[Dot], language: Language) -> None:
    for row, dot in enumerate(sorted(dots, key=lambda each: each.value)):
        if dot.low is not None and dot.high is not None:
            axes.hlines(row, dot.low, dot.high, color=_DOT, linewidth=7)
        axes.plot([dot.value], [row], marker="o", ms=15, color=_DOT)
        axes.annotate(
            number(dot.value, language), (dot.value, row), (0, 16), ha="center", size=18,
            textcoords="offset points", color=_INK,
        )  # fmt: skip
    axes.axvline(1, color=_QUIET, linewidth=2.5, linestyle=(0, (4, 3)), zorder=0)
    axes.set_ylim(-0.6, len(dots) - 0.2)
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, 0.85), max(high, 1.15))
    axes.set_yticks([])
    axes.tick_params(axis="x", length=0, labelsize=16, labelcolor=_INK, pad=8)
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: number(x, language, 1)))
    axes.set_title(label("speedup_unit", language), size=17, color=_QUIET, loc="left", pad=18)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)
    axes.set_facecolor(_PAPER)
