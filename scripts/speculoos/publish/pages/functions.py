"""What a page may ask for between `[[` and `]]`.

- `value(id, name, n_max=…)`: one number, in the language's signs;
- `figure(name, id, …)`: a figure of one to four measurements;
- `figure("speedup_in_the_field")`, `figure("best_n_max_in_the_field")`: sweeps of others;
- `download(name)`: a link to a file of data;
- `drawing(name)`: a drawing that explains, without data;
- `calculator()`: a form that reckons the expected speed-up in the browser;
- `table(name, id)`: `points`, `costs` or `claims` of a measurement, the overview `results`, or
  the `rules` of a check, or `coverage`: how often intervals hold the truth in simulation;
- `result(id)`: a link to the measurement on the page of results;
- `results(kind)`: every measurement of a kind, with all that is known of it;
- `filter()`: choices by machine, model, type and verdict;
- `changed()`: the same for what a pull request changes, on its preview;
- `source(key)`: a short link to a text of others on the page of sources;
- `sources(kind)`: every text of a kind, in full.

`id` is a measurement's path under `measurements/` without `.yaml`.
`n_max` is a swept value, a setting's label, or `"best"`: the highest speed-up.
"""

import re
from dataclasses import dataclass, field

from jinja2 import Environment
from markupsafe import Markup, escape

from speculoos.publish import calculator, tables, unmeasured
from speculoos.publish.coverage import coverage_table
from speculoos.publish.dataset import FILES
from speculoos.publish.field import sweep_values
from speculoos.publish.figures import draw_memory
from speculoos.publish.findings import memory_finding
from speculoos.publish.memory import CACHE, COMPUTE, Memory, dots, logged_table
from speculoos.publish.pages.choices import choices, traits
from speculoos.publish.pages.kinds import ALL, FIGURES, Kind, note_of, refuse_mixed
from speculoos.publish.pages.offered import DRAWINGS, FIELD, MEMORY_TABLES, TABLES, Beside
from speculoos.publish.pages.place import Place
from speculoos.publish.references import References, anchor
from speculoos.publish.results import Result, Results, UnknownNameError, told_apart
from speculoos.publish.rules import rules
from speculoos.publish.surroundings import surroundings
from speculoos.publish.text import FIXED
from speculoos.publish.values import value
from speculoos.publish.words import label
from speculoos.record.usage import cautions

_MOST_LINES = 4


@dataclass
class Functions:
    """The functions of one page; figures wait in `slots` until the page is HTML."""

    results_by_id: Results
    place: Place
    repo: str
    env: Environment
    references: References
    changed_paths: tuple[str, ...] = ()
    beside: Beside = field(default_factory=Beside)
    slots: dict[str, str] = field(default_factory=dict)

    def value(self, id: str, name: str, n_max: int | str | None = None) -> Markup:  # noqa: A002
        """One number."""
        return escape(value(self.results_by_id[id], name, n_max, self.place.language))

    def figure(self, name: str, *ids: str) -> Markup:
        """A figure with its values, its files and its commands."""
        if name == "memory_logged" and self.beside.memory is not None:
            return self._memory_figure(self.beside.memory)
        if name in FIELD and not ids:
            return self._field(name)
        if name not in ALL:
            raise UnknownNameError("figure", name, [*ALL, *FIELD])
        if not 1 <= len(ids) <= _MOST_LINES:
            raise ValueError(f'figure "{name}" takes one to {_MOST_LINES} measurements')
        results = [self.results_by_id[one] for one in ids]
        refuse_mixed(name, results)
        if len({result.slots for result in results}) > 1:
            raise ValueError(f'figure "{name}": one slot and several never stand together')
        return self._figure(name, results)

    def drawing(self, name: str) -> Markup:
        """A drawing made for the pages, in the colours of the figures."""
        if name not in DRAWINGS:
            raise UnknownNameError("drawing", name, DRAWINGS)
        slot = self._slot()
        self.slots[slot] = self._html(f"{name}.html", slot=slot)
        return _waiting(slot)

    def calculator(self) -> Markup:
        """The calculator, with the step costs of every result that has some."""
        kinds = (("calc_reported", "reported"), ("calc_measured", "measured"))
        language, slot = self.place.language, self._slot()
        offered = [
            (group, calculator.choices(self.results_by_id.of_kind(kind), language))
            for group, kind in kinds
        ]
        self.slots[slot] = self._html(
            "calculator.html",
            groups=[(group, found) for group, found in offered if found],
            words=calculator.sentences(language),
        )
        return _waiting(slot)

    def table(self, name: str, id: str | None = None) -> Markup:  # noqa: A002
        """`results`: every measured result; `rules`; else what the settings of one say.

        `memory_cards`, `memory_logged` …: what fits, and how that was checked.
        """
        if name in MEMORY_TABLES:
            return self._memory(name)
        if name == "coverage":
            return self._coverage()
        if name == "rules":
            return self._table(rules(self.place.language))
        if name == "results":
            return self._overview()
        if name not in TABLES:
            known = [*TABLES, *MEMORY_TABLES, "coverage", "results", "rules"]
            raise UnknownNameError("table", name, known)
        if id is None:
            raise ValueError(f'table "{name}" needs a measurement')
        return self._table(TABLES[name](self.results_by_id[id], self.place.language))

    def result(self, id: str) -> Markup:  # noqa: A002
        """A link to a measurement on the page of results."""
        result = self.results_by_id[id]
        title = result.title(self.place.language)
        return Markup('<a href="{}#{}">{}</a>').format(self.place.results_url, result.anchor, title)

    def source(self, key: str) -> Markup:
        """A text of others by its short name, linked to where it is named in full."""
        short = self.references[key].short.replace(" ", FIXED)
        link = Markup('<a class="sp-cite" href="{}#{}">{}</a>')
        return link.format(self.place.sources_url, anchor(key), short)

    def sources(self, kind: str) -> Markup:
        """Every text of a kind, in full."""
        return self._html("sources.html", sources=self.references.of_kind(kind))

    def results(self, kind: str) -> Markup:
        """Every result of a kind under its own heading."""
        found = self.results_by_id.of_kind(kind)
        if not found:
            return Markup("<p>{}</p>").format(label("no_result", self.place.language))
        titles = self._titles(found)
        return Markup("\n\n").join(map(self._result, found, titles))

    def filter(self) -> Markup:
        """Choices that narrow the page of results down to machines like the reader's."""
        found = choices(self.results_by_id.values(), self.place.language)
        return self._html("filter.html", choices=found)

    def changed(self) -> Markup:
        """The files that a pull request changes, and every result that is read from one."""
        found = self.results_by_id.at(self.changed_paths)
        files = self._html("changed.html", paths=self.changed_paths)
        return Markup("\n\n").join([files, *map(self._result, found, self._titles(found))])

    def _titles(self, results: list[Result]) -> list[str]:
        language = self.place.language
        return told_apart([result.title(language) for result in results], results, language)

    def _memory_figure(self, memory: Memory) -> Markup:
        slot, language = self._slot(), self.place.language
        svg = draw_memory(dots(memory, CACHE), dots(memory, COMPUTE), slot, language)
        self.slots[slot] = self._html(
            "figure.html",
            name="memory_logged",
            svg=Markup(svg),  # noqa: S704 - drawn by us
            title=memory_finding([*dots(memory, CACHE), *dots(memory, COMPUTE)], language),
            note=label("memory_figure_note", language),
            values=logged_table(memory, language),
            results=[],
        )
        return _waiting(slot)

    def _memory(self, name: str) -> Markup:
        if self.beside.memory is None:
            raise ValueError(f'table "{name}": docs/memory.yaml was not read')
        return self._table(MEMORY_TABLES[name](self.beside.memory, self.place.language))

    def _coverage(self) -> Markup:
        if self.beside.coverage is None:
            raise ValueError('table "coverage": docs/coverage.yaml was not read')
        return self._table(coverage_table(self.beside.coverage, self.place.language))

    def _overview(self) -> Markup:
        found = self.results_by_id.of_kind("measured")
        if not found:
            return Markup("<p>{}</p>").format(label("no_result", self.place.language))
        return self._table(tables.overview(found, self.place.language))

    def _result(self, result: Result, name: str) -> Markup:
        shown = [name for name, kind in FIGURES.items() if self._drawable(kind, result)]
        body = self._html(
            "result.html",
            result=result,
            summary=result.summary,
            figures=[self._figure(name, [result]) for name in shown],
            points=tables.points(result, self.place.language),
            costs=tables.other_costs(result, self.place.language),
            ways=tables.ways(self.results_by_id.of_session(result), self.place.language),
            surroundings=surroundings(result, self.place.language),
            claims=unmeasured.claims(result, self.place.language),
            observed=unmeasured.observed(result, self.place.language),
            cautions=list(cautions(result.usage)) if result.usage else [],
            traits=traits(result, self.place.language),
        )
        title = _heading(name)
        if result.measurement.withdrawn:
            title = Markup("<del>{}</del>").format(title)
        return Markup("### {} {{#{}}}\n\n{}").format(title, result.anchor, body)

    def _drawable(self, kind: Kind, result: Result) -> bool:
        if result.kind == "instrument" and kind is FIGURES["speedup_by_n_max"]:
            return False
        if result.kind == "observed" and kind is not FIGURES["acceptance_by_position"]:
            return False
        (line,) = kind.series([result], self.place.language)
        return bool(line.dots or line.broken)

    def _figure(self, name: str, results: list[Result]) -> Markup:
        kind, language = ALL[name], self.place.language
        lines = kind.series(results, language)
        slot = self._slot()
        self.slots[slot] = self._html(
            "figure.html",
            name=name,
            svg=Markup(kind.draw(tuple(lines), slot, language)),  # noqa: S704 - drawn by us
            title=kind.title(lines, language),
            note=label(note_of(kind, lines), language),
            values=kind.values(lines, language),
            results=results,
        )
        return _waiting(slot)

    def _field(self, name: str) -> Markup:
        language, slot = self.place.language, self._slot()
        kind = FIELD[name]
        sweeps = tuple(kind.chosen(self.beside.sweeps))
        self.slots[slot] = self._html(
            "figure.html",
            name=name,
            svg=Markup(kind.draw(sweeps, slot, language)),  # noqa: S704 - drawn by us
            title=kind.title(sweeps, language),
            note=f"{label(f'{kind.words}_note', language)} {label('field_note', language)}",
            values=sweep_values(sweeps, language),
            results=[],
            download=self.download("field-n-max.csv"),
        )
        return _waiting(slot)

    def download(self, name: str) -> Markup:
        """A link to one of the files of data that are built with the site."""
        if name not in FILES:
            raise UnknownNameError("file", name, FILES)
        built = name.replace("feed", f"feed.{self.place.language}")
        return Markup('<a href="{}{}" download><code>{}</code></a>').format(
            self.place.data_url, built, built
        )

    def _slot(self) -> str:
        return f"figure-{len(self.slots) + 1}"

    def _table(self, table: tables.Table) -> Markup:
        return self._html("table.html", table=table)

    def _html(self, template: str, **names: object) -> Markup:
        common = {"language": self.place.language, "repo": self.repo}
        text = self.env.get_template(template).render(
            **common,
            results_url=self.place.results_url,
            pitfalls_url=self.place.pitfalls_url,
            assets_url=self.place.assets_url,
            **names,
        )
        whole = re.sub(r"\n\s*\n", "\n", text.strip())  # a blank line ends HTML in Markdown
        return Markup(whole)  # noqa: S704 - the templates escape


def _waiting(slot: str) -> Markup:
    return Markup('<div class="sp-slot" data-slot="{}"></div>').format(slot)


def _heading(title: str) -> Markup:
    """A title as Markdown text: its signs mean nothing."""
    return escape(re.sub(r"([\\`*_{}\[\]#])", r"\\\1", title))
