"""Where a marker stands."""

from dataclasses import dataclass

from speculoos.publish.text import Language


@dataclass(frozen=True)
class Place:
    """A page: its path for messages, its language, and the way to the results and the sources."""

    path: str
    language: Language
    results_url: str = ""
    first_line: int = 1
    sources_url: str = ""
    pitfalls_url: str = ""
    data_url: str = ""
    assets_url: str = "assets/"
