from collections.abc import Iterator

from speculoos.record.checks.rule import Rule
from speculoos.record.problem import Problem
from speculoos.record.store import Collection, Document
from speculoos.record.types import NO_SPECULATION, Measurement


def _check(document: Document[Measurement], _: Collection) -> Iterator[Problem]:
    record = document.record
    if record.kind != "measured":
        return
    baselines = [run for run in record.runs if run.settings.spec_type == NO_SPECULATION]
    if not any(run.samples or run.batches for run in baselines):
        yield document.problem(
            ("runs",),
            "no baseline; a speed-up needs one measured in the same session; measure again, "
            "speculoos starts a baseline in every block by itself",
        )
    for at, run in enumerate(record.runs):
        settings = run.settings
        for field in ("n_max", "n_min", "p_min") if settings.spec_type == NO_SPECULATION else ():
            if (value := getattr(settings, field)) is not None:
                text = f"{value} in a baseline; spec_type none has no {field}, remove it"
                yield document.problem(("runs", at, "settings", field), text)


RULE = Rule("baseline", "A measured record has a baseline, which has no n_max.", _check)
