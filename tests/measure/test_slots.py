"""Several slots at once, on a real server."""

import threading
from pathlib import Path

import pytest

from measure.harm import command
from speculoos.measure.client import Ask
from speculoos.measure.exchange import NoAnswerError
from speculoos.measure.server import Server
from speculoos.measure.slots import ask_together
from speculoos.parts.tiny_counts import expected
from speculoos.parts.tiny_model import Acceptance, TinyModel
from speculoos.record.batches import broken, tokens_per_second
from speculoos.record.types import Batch, Settings

pytestmark = pytest.mark.usefixtures("nothing_left")

MODEL = TinyModel(Acceptance.by_step([0.8, 0.6, 0.4]), "step35")
MTP = Settings(spec_type="draft-mtp", n_max=2)
TEXTS = {f"start-{letter.lower()}": letter for letter in "AKTBLUC"}
TOKENS = 40


def _together(build, folder: Path, slots: int, *args: str) -> Batch:
    model = MODEL.write(folder / "model.gguf")
    ask = Ask(TOKENS, temperature=0, seed=1, stream=build.build == "b10068", deadline_s=60)
    start = command(build, model, folder, "-c", "4096", "--parallel", str(slots), *args)
    with Server(start) as server:
        ask_together(server.client, {"warm-up": "A"}, ask, slots)
        return ask_together(server.client, TEXTS, ask, slots)


@pytest.mark.parametrize("slots", [1, 3])
def test_the_counts_of_a_batch_are_those_of_its_prompts_together(build, tmp_path: Path, slots):
    """The same drafts are made and accepted however many slots answer at once."""
    args = ("--spec-type", "draft-mtp", "--spec-draft-n-max", "2")
    batch = _together(build, tmp_path, slots, *args)
    each = [expected(MODEL, text, 2, TOKENS) for text in TEXTS.values()]
    assert batch.prompts == tuple(TEXTS)
    assert batch.predicted_n == TOKENS * len(TEXTS)
    assert batch.draft_n == sum(counts.draft_n for counts in each)
    assert batch.draft_n_accepted == sum(counts.draft_n_accepted for counts in each)
    assert batch.timings_draft_n is None
    assert list(broken(batch, MTP)) == []


def test_a_batch_without_speculation_drafts_nothing(build, tmp_path: Path):
    """Its rate is that of all slots over the time of the whole batch."""
    batch = _together(build, tmp_path, 3)
    assert not batch.draft_n
    assert list(broken(batch, Settings(spec_type="none"))) == []
    rate = 1000 * TOKENS * len(TEXTS) / batch.wall_ms
    assert tokens_per_second([batch]) == pytest.approx(rate)


def test_a_batch_whose_server_is_ended_is_no_answer(build, tmp_path: Path):
    """Not for the prompts that are answered, and not for those that wait for a slot."""
    model = MODEL.write(tmp_path / "model.gguf")
    ask = Ask(2000, temperature=0, seed=1, stream=False, deadline_s=60)
    with Server(command(build, model, tmp_path, "-c", "4096", "--parallel", "2")) as server:
        threading.Timer(0.02, server.child.end).start()
        with pytest.raises(NoAnswerError):
            ask_together(server.client, TEXTS, ask, 2)
