"""An interrupted measurement goes on: nothing twice, nothing lost, nothing mixed."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from factories import errors
from measure.harm import script
from speculoos.measure.plan import Plan
from speculoos.measure.prepare import About, head, keep, this_machine
from speculoos.measure.prompts import find_prompt_set
from speculoos.measure.resume import CannotResumeError, NothingToResumeError, newest, resumed
from speculoos.measure.run import BaselineFailedError, Sampled, measure, today
from speculoos.measure.schedule import is_baseline
from speculoos.parts.servers import ServerPart
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.store import load_measurement, save
from speculoos.record.summary import summarise
from speculoos.record.types import Incident, Measurement


class Attempt:
    """One plan and its file, measured in several sittings."""

    def __init__(self, root: Path, binary: Path, model: Path) -> None:
        self.root = root
        self.plan = Plan(
            binary=binary,
            model=model,
            spec_type="draft-mtp",
            depths=(1, 2),
            prompts=find_prompt_set("cycle-1", []),
            blocks=2,
            max_tokens=12,
            extra=("-c", "512", "-t", "1"),
            logs=root.parent / "logs",
        )
        self.machine = this_machine(root, "rig")
        self.out = root / "rig" / f"{today()}-test.yaml"
        keep(root, self.machine, self.plan)

    def head(self, plan: Plan | None = None) -> Measurement:
        """What would be measured now."""
        return head(plan or self.plan, self.machine, About())

    def sit(self, samples: int | None = None) -> Measurement:
        """Measure until this many samples more are saved, then stop as Ctrl-C does."""
        start = self.head()
        if self.out.exists():
            start = resumed(self.out, self.plan, start)
        events = measure(self.plan, start, self.out)
        seen = 0
        for event in events:
            seen += isinstance(event, Sampled)
            if seen == samples:
                events.close()
        return load_measurement(self.out).record


@pytest.fixture
def attempt(tmp_path: Path, server: ServerPart, tiny: Path) -> Attempt:
    """A measurement of two blocks of three settings and three prompts."""
    return Attempt(tmp_path / "measurements", server.path, tiny)


def _cells(record: Measurement) -> list[tuple[int, str, str]]:
    return [(s.block, run.settings.label, s.prompt) for run in record.runs for s in run.samples]


@pytest.mark.parametrize("first", [1, 6, 17])
def test_a_file_goes_on_where_it_stopped(attempt: Attempt, first: int):
    """Within a run, between two runs, within the last: complete, valid, each prompt once."""
    before = attempt.sit(first)
    assert before.design.stopped == "interrupted"
    after = attempt.sit()
    assert after.design.stopped == "blocks"
    assert summarise(after).blocks == 2
    assert _cells(after)[:first] == _cells(before)
    assert [s for r in after.runs for s in r.samples][:first] == [
        s for r in before.runs for s in r.samples
    ]
    assert len(_cells(after)) == len(set(_cells(after))) == 18
    assert errors(attempt.root) == []


def test_the_order_of_the_blocks_is_the_one_of_a_measurement_in_one_go(attempt: Attempt):
    """The interruption changes nothing but the number of starts."""
    for _ in range(4):
        attempt.sit(5)
    record = load_measurement(attempt.out).record
    planned = [tuple(s.label for s in attempt.plan.order(block)) for block in (1, 2)]
    assert [tuple(dict.fromkeys(row)) for row in record.design.order] == planned
    assert len(record.runs) > 6


def test_the_tokens_beside_the_file_go_away_when_it_is_complete(attempt: Attempt):
    """Hidden, needed to go on, and nothing that stays; a complete file is left as it is."""
    attempt.sit(4)
    assert [path.name for path in attempt.out.parent.glob(".*")] == [f".{today()}-test.tokens.json"]
    assert "interrupted" not in {warn.kind for warn in summarise(attempt.sit()).warnings}
    assert list(attempt.out.parent.glob(".*")) == []
    before = attempt.out.read_bytes()
    assert attempt.sit().design.stopped == "blocks"
    assert attempt.out.read_bytes() == before


def test_a_search_goes_on_within_exploring_and_within_confirming(attempt: Attempt):
    """The candidates stay those that exploring chose; each prompt is asked once a block."""
    depths = tuple(range(1, 7))
    attempt.plan = replace(attempt.plan, search=True, depths=depths, max_tokens=8)
    chosen = []
    while not chosen or chosen[-1].design.stopped == "interrupted":
        chosen.append(attempt.sit(8))
    record = chosen[-1]
    assert len(chosen) > 3
    assert record.design.stopped == "blocks"
    assert len(_cells(record)) == len(set(_cells(record)))
    blocks = [set(row) for row in record.design.order]
    assert blocks[1] == blocks[2] < blocks[0]
    assert errors(attempt.root) == []


def _first_is_the_baseline(attempt: Attempt, *, wanted: bool) -> None:
    """Give the plan an order whose first start is the baseline, or is not."""
    plans = (replace(attempt.plan, order_seed=seed) for seed in range(1, 100))
    attempt.plan = next(p for p in plans if is_baseline(p.order(1)[0]) == wanted)


def test_texts_are_compared_with_a_baseline_of_another_sitting(attempt: Attempt):
    """The baseline's tokens are taken from beside the file."""
    _first_is_the_baseline(attempt, wanted=True)
    attempt.sit(3)
    beside = attempt.out.with_name(f".{attempt.out.stem}.tokens.json")
    kept = json.loads(beside.read_text())
    kept["reference"] = {prompt: [*own[:4], 999_999] for prompt, own in kept["reference"].items()}
    beside.write_text(json.dumps(kept))
    runs = attempt.sit().runs
    assert {s.first_difference for s in runs[0].samples} == {None}
    assert {s.first_difference for run in runs[1:] for s in run.samples} == {4}


def test_texts_that_came_before_their_baseline_are_compared_in_another_sitting(attempt: Attempt):
    """Their own tokens are taken from beside the file."""
    _first_is_the_baseline(attempt, wanted=False)
    attempt.sit(1)
    beside = attempt.out.with_name(f".{attempt.out.stem}.tokens.json")
    kept = json.loads(beside.read_text())
    (early,) = kept["early"]
    early[2][4] = 999_999
    beside.write_text(json.dumps(kept))
    first, *others = [s for run in attempt.sit().runs for s in run.samples]
    assert first.first_difference == 4
    assert {s.first_difference for s in others} == {None}


@pytest.mark.parametrize("first", ["failed at once", "failed after a sample"])
def test_a_baseline_that_failed_is_tried_again(attempt: Attempt, tmp_path: Path, first: str):
    """The others need it: the failure stays in the file, and nothing is asked twice."""
    wrong = tmp_path / "wrong.sh"
    kept = 0 if first == "failed at once" else 1
    _first_is_the_baseline(attempt, wanted=True)
    if kept:
        attempt.sit(1)
        _end_with(attempt.out, Incident(kind="crash", signal="SIGSEGV", after_samples=1))
    else:
        script(wrong, f'[ "$1" = --version ] && exec "{attempt.plan.binary}" --version', "exit 1")
        with pytest.raises(BaselineFailedError):
            list(measure(replace(attempt.plan, binary=wrong), attempt.head(), attempt.out))
    record = attempt.sit()
    assert record.runs[0].incident.kind == "crash"
    assert [len(run.samples) for run in record.runs[:2]] == [kept, 3 - kept]
    assert len(_cells(record)) == len(set(_cells(record))) == 18
    assert summarise(record).blocks == 2
    assert errors(attempt.root) == []


def _end_with(path: Path, incident: Incident) -> None:
    """As if the last run had ended so."""
    record = load_measurement(path).record
    *runs, last = record.runs
    failed = last.model_copy(update={"incident": incident})
    save(record.model_copy(update={"runs": (*runs, failed)}), path)


def test_a_file_whose_tokens_were_lost_still_goes_on(attempt: Attempt):
    """Equality is known by the hash of the text."""
    attempt.sit(4)
    next(attempt.out.parent.glob(".*.tokens.json")).unlink()
    record = attempt.sit()
    assert len(_cells(record)) == 18
    assert errors(attempt.root) == []


Change = Callable[[Attempt], Plan]
CHANGES: dict[str, tuple[Change, str]] = {
    "tokens": (lambda a: replace(a.plan, max_tokens=13), "request.max_tokens: 12 in the file, 13"),
    "blocks": (lambda a: replace(a.plan, blocks=3), "design.blocks: 2 in the file, 3 now"),
    "order": (lambda a: replace(a.plan, order_seed=2), "design.order_seed: 1 in the file, 2 now"),
    "depths": (lambda a: replace(a.plan, depths=(1,)), "design.settings: none/baseline"),
    "arguments": (lambda a: replace(a.plan, extra=("-c", "256")), "server.args: "),
    "speculative arguments": (
        lambda a: replace(a.plan, extra=(*a.plan.extra, "--spec-draft-p-min", "0.5")),
        "args: --spec-type draft-mtp",
    ),
    "model": (
        lambda a: replace(a.plan, model=TinyModel(Acceptance.by_step([0.1])).write(a.root / "m")),
        "model.sha256: ",
    ),
    "prompts": (
        lambda a: replace(a.plan, prompts=find_prompt_set("mixed-1", [])),
        "request.prompt_set: cycle-1 in the file, mixed-1 now",
    ),
}


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory, server: ServerPart, tiny: Path) -> Attempt:
    """A measurement that was interrupted in its third run."""
    attempt = Attempt(tmp_path_factory.mktemp("stopped") / "measurements", server.path, tiny)
    attempt.sit(8)
    return attempt


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_that_would_mix_two_measurements_is_refused(stopped: Attempt, what: str):
    """One line says what was in the file and what is now; the file stays as it was."""
    before = stopped.out.read_bytes()
    change, line = CHANGES[what]
    plan = change(stopped)
    with pytest.raises(CannotResumeError) as caught:
        resumed(stopped.out, plan, stopped.head(plan))
    assert line in str(caught.value)
    assert stopped.out.read_bytes() == before


def test_several_changes_are_named_at_once(stopped: Attempt):
    """One line each."""
    plan = replace(stopped.plan, max_tokens=13, blocks=3)
    with pytest.raises(CannotResumeError) as caught:
        resumed(stopped.out, plan, stopped.head(plan))
    assert len(str(caught.value).splitlines()) == 3


def test_a_summary_of_an_interrupted_file_says_so(stopped: Attempt):
    """And how to go on."""
    record = load_measurement(stopped.out).record
    assert "interrupted" in [warn.kind for warn in summarise(record).warnings]


def test_the_newest_file_of_this_plan_is_found(attempt: Attempt):
    """Without a name: one that can go on, else one that is complete."""
    place = (attempt.out, attempt.plan, attempt.head())
    with pytest.raises(NothingToResumeError):
        newest(*place)
    attempt.sit(4)
    assert newest(*place) == attempt.out
    attempt.sit()
    assert newest(*place) == attempt.out


@pytest.mark.parametrize("name", ["test-reasoning", "test-deep-4096", "test-2-slots", "tests"])
def test_another_way_of_asking_is_never_taken_for_this_one(stopped: Attempt, name: str):
    """Its file may be the only one that is unfinished: the name goes on with words."""
    sibling = stopped.out.with_stem(stopped.out.stem.replace("test", name))
    sibling.write_bytes(stopped.out.read_bytes())
    own = stopped.out.with_stem(stopped.out.stem + "-2")
    own.write_bytes(stopped.out.read_bytes())
    os.utime(sibling, (2**32, 2**32))
    assert newest(stopped.out, stopped.plan, stopped.head()) in {stopped.out, own}
    changed = replace(stopped.plan, max_tokens=13)
    assert newest(stopped.out, changed, stopped.head(changed)) in {stopped.out, own}
    sibling.unlink()
    own.unlink()
