"""Figures as inline SVG: one drawing for light and dark, the same bytes each time."""

from speculoos.publish.figures.acceptance import draw_acceptance
from speculoos.publish.figures.beside import draw_beside
from speculoos.publish.figures.card import draw_card
from speculoos.publish.figures.field import draw_field_n_max, draw_field_speedup
from speculoos.publish.figures.memory import draw_memory
from speculoos.publish.figures.speedup import draw_speedup
from speculoos.publish.figures.step_cost import draw_step_cost

__all__ = [
    "draw_acceptance",
    "draw_beside",
    "draw_card",
    "draw_field_n_max",
    "draw_field_speedup",
    "draw_memory",
    "draw_speedup",
    "draw_step_cost",
]
