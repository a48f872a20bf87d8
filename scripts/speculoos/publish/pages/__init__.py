"""Markdown pages with `[[ … ]]` markers into Markdown with values, tables and figures."""

from speculoos.publish.pages.offered import Beside
from speculoos.publish.pages.place import Place
from speculoos.publish.pages.render import Pages, Rendered

__all__ = ["Beside", "Pages", "Place", "Rendered"]
