"""Measurements as pages need them: found by address, joined with their machine."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path

from speculoos.publish.text import ABSENT, Language, typeset
from speculoos.publish.words import label
from speculoos.record.checks import check_collection
from speculoos.record.point import Point
from speculoos.record.problem import shown
from speculoos.record.store import Collection
from speculoos.record.summary import Summary, summarise
from speculoos.record.types import Machine, Measurement
from speculoos.record.usage import Usage, usage
from speculoos.record.warn import Warn
from speculoos.record.workloads import session_of

KINDS = ("measured", "parallel", "instrument", "observed", "reported")
"""`parallel` is measured with several slots at once, `instrument` on a model that only proves the
tool."""


class UnknownNameError(Exception):
    """A page asks for something that is not there; the message offers the nearest name."""

    def __init__(self, what: str, name: object, known: Iterable[object]) -> None:
        names = [str(one) for one in known]
        near = get_close_matches(str(name), names, n=1, cutoff=0.5)
        if near:
            hint = f'; did you mean "{near[0]}"?'
        else:
            hint = f"; there is {', '.join(names)}." if names else "; there is none yet."
        super().__init__(f'{what} "{name}" does not exist{hint}')


@dataclass(frozen=True)
class Result:
    """One measurement with its reading; `id` is its path under `measurements/` without `.yaml`."""

    id: str
    path: str
    measurement: Measurement
    machine: Machine | None
    found: tuple[Warn, ...] = ()
    """What the rules warn of."""

    @cached_property
    def summary(self) -> Summary:
        """Points, recommendation and warnings."""
        return summarise(self.measurement)

    @cached_property
    def usage(self) -> Usage | None:
        """What was observed; None for other kinds."""
        observed = self.measurement.observed
        return usage(observed) if observed is not None else None

    @property
    def warnings(self) -> tuple[Warn, ...]:
        """What a reader must know first: of the summary, then of the rules, each kind once."""
        said = {warn.kind for warn in self.summary.warnings}
        return (*self.summary.warnings, *(warn for warn in self.found if warn.kind not in said))

    @property
    def kind(self) -> str:
        """One of `KINDS`."""
        several = "parallel" if self.slots > 1 else None
        return self.measurement.purpose or several or self.measurement.kind

    @property
    def slots(self) -> int:
        """Slots that were asked at once: figures of one and of several never meet."""
        request = self.measurement.request
        return (request.parallel if request else None) or 1

    @property
    def anchor(self) -> str:
        """The id of its heading on the page of results."""
        return self.id.replace("/", "-").replace(".", "-")

    def title(self, language: Language) -> str:
        """Its own title, else model and type of speculation."""
        if self.measurement.title:
            text = getattr(self.measurement.title, language)
            return typeset(re.sub(r"\s*\n\s*", " ", text), language)
        model = self.measurement.model
        name = model.file.removesuffix(".gguf") if model else self.id.rpartition("/")[2]
        types = sorted({p.settings.spec_type for p in self.summary.points})
        if self.usage and self.usage.observation.settings:
            types = [self.usage.observation.settings.spec_type, label("observed_short", language)]
        return " · ".join([name, *types])

    def machine_label(self, language: Language) -> str:
        """The machine's short name; its id where nobody described it."""
        if self.machine:
            return str(getattr(self.machine.label, language))
        return self.measurement.machine.id if self.measurement.machine else ABSENT

    def point(self, setting: int | str) -> Point:
        """The point of an n_max, of a setting's label, or `best`: the highest speed-up.

        What was only explored is never the best.
        """
        points = self.summary.points
        if setting == "best":
            rated = [(p.speedup.value, p) for p in points if p.speedup and not p.explored]
            if rated:
                return max(rated, key=lambda pair: pair[0])[1]
        for point in points:
            if setting in (point.n_max, point.settings.label):
                return point
        names = [p.settings.label if p.n_max is None else p.n_max for p in points]
        raise UnknownNameError(f"{self.id}: setting", setting, [*names, "best"])


class Results(Mapping[str, Result]):
    """Every result by its id, in the order of machine and date; files are shown from `base`."""

    def __init__(self, collections: Iterable[Collection], base: Path | None = None) -> None:
        found = {result.id: result for each in collections for result in _results(each, base)}
        self._results = dict(sorted(found.items()))

    def __getitem__(self, key: str) -> Result:
        if key not in self._results:
            raise UnknownNameError("measurement", key, self._results)
        return self._results[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def at(self, paths: Iterable[str]) -> list[Result]:
        """The results that are read from these files."""
        wanted = frozenset(paths)
        return [result for result in self.values() if result.path in wanted]

    def of_session(self, result: Result) -> list[Result]:
        """The result, and those of its session that asked the same prompts in other ways."""
        session = session_of(result.measurement)
        found = [r for r in self.values() if session_of(r.measurement) == session]
        return found if session is not None else [result]

    def of_kind(self, kind: str) -> list[Result]:
        """One of `KINDS`: they never share a table."""
        if kind not in KINDS:
            raise UnknownNameError("kind", kind, KINDS)
        return [result for result in self.values() if result.kind == kind]


def _results(collection: Collection, base: Path | None) -> Iterator[Result]:
    problems = check_collection(collection)
    for document in collection.measurements:
        measurement = document.record
        address = collection.id_of(document)
        machine = collection.machines.get(measurement.machine.id) if measurement.machine else None
        yield Result(
            id=address,
            path=_path(collection.root, base, address),
            measurement=measurement,
            machine=machine.record if machine else None,
            found=tuple(p.warn for p in problems if p.warn and p.path == shown(document.path)),
        )


def _path(root: Path, base: Path | None, address: str) -> str:
    inside = base is not None and root.is_relative_to(base)
    folder = shown(root, base) if inside else root.name
    return f"{folder}/{address}.yaml"


def told_apart(labels: Sequence[str], results: Sequence[Result], language: Language) -> list[str]:
    """The label of each result, with what tells it from another where two labels are alike."""
    seen = Counter(labels)
    return [
        " · ".join([each, *_telling(result, language)]) if seen[each] > 1 else each
        for each, result in zip(labels, results, strict=True)
    ]


def _telling(result: Result, language: Language) -> Iterator[str]:
    """The machine, if known, and that a result is withdrawn."""
    if result.measurement.machine:
        yield result.machine_label(language)
    if result.measurement.withdrawn:
        yield label("withdrawn", language)


def advised(result: Result) -> Point | None:
    """The setting that is advised, else the best that was measured; none without an interval."""
    wanted = result.summary.recommendation.n_max
    rated = [point for point in result.summary.points if point.speedup and not point.explored]
    chosen = [point for point in rated if wanted is not None and point.n_max == wanted]
    best = max(chosen or rated, key=lambda p: p.speedup.value if p.speedup else 0, default=None)
    return best if best and best.speedup and best.speedup.low is not None else None
