"""The tiny model on every real server that runs here: reported counts equal computed ones."""

from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from parts.running_server import Server, running
from speculoos.parts.servers import ServerPart, builds, get
from speculoos.parts.tiny_counts import Counts, expected
from speculoos.parts.tiny_model import (
    Acceptance,
    Architecture,
    TinyModel,
    chat_prompt,
    continuation,
)

PATTERNS = {
    "always": Acceptance.always(),
    "falling": Acceptance.by_step([0.75, 0.5, 0.25]),
    "odd": Acceptance.wrong_at((letter, 1 + letter % 5) for letter in range(0, 48, 3)),
}
BUILDS = {build.name: build for build in builds(quantised=False)}
ARCHITECTURES: dict[str, tuple[Architecture, ...]] = {
    "b10434": ("mimo2", "qwen35", "step35"),
    "b10068": ("qwen35", "step35"),
}
REQUESTS = [("Say the letters: A", 100), ("Bonjour, ça va ? é", 37), ("x\n", 3), ("y", 2)]


@pytest.fixture(scope="module", params=list(BUILDS))
def part(request: pytest.FixtureRequest, cache: Path) -> ServerPart:
    return get(BUILDS[request.param], cache)


def speculating(
    part: ServerPart, model: TinyModel, path: Path, n_max: int
) -> AbstractContextManager[Server]:
    arguments = ["-c", "1024", "--spec-type", "draft-mtp", "--spec-draft-n-max", str(n_max)]
    return running(part.path, model.write(path), *arguments)


@pytest.mark.parametrize("n_max", [1, 3, 8])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_server_reports_the_counts_that_were_computed(
    part: ServerPart, pattern: str, n_max: int, tmp_path: Path
):
    """Drafted, accepted and, where the build counts them, steps and positions: all exactly."""
    for architecture in ARCHITECTURES[part.build]:
        model = TinyModel(PATTERNS[pattern], architecture)
        with speculating(part, model, tmp_path / f"{architecture}.gguf", n_max) as server:
            for prompt, length in REQUESTS:
                counts = expected(model, prompt, n_max, length)
                assert_counts(server, prompt, length, counts)


def assert_counts(server: Server, prompt: str, length: int, counts: Counts) -> None:
    before = server.speculation()
    answer = server.complete(prompt, length)
    after = server.speculation()
    timings = answer["timings"]
    assert answer["content"] == continuation(prompt, length)
    assert (timings["prompt_n"], timings["predicted_n"]) == (len(prompt.encode()), length)
    # absent, not 0, where nothing was drafted
    assert timings.get("draft_n") == (counts.draft_n or None)
    assert timings.get("draft_n_accepted", 0) == counts.draft_n_accepted
    if before and after:
        assert after[0] - before[0] == counts.verify_steps
        for position, count in enumerate(counts.accepted_per_position):
            assert after[1].get(position, 0) - before[1].get(position, 0) == count


def test_a_server_without_speculation_says_the_same_text(part: ServerPart, tmp_path: Path):
    """The head is ignored, and the text does not depend on it."""
    model = TinyModel(Acceptance.never())
    with running(part.path, model.write(tmp_path / "tiny.gguf"), "-c", "1024") as server:
        answer = server.complete("Say the letters: A", 60)
    assert answer["content"] == continuation("Say the letters: A", 60)
    assert "draft_n" not in answer["timings"]


def test_a_model_without_a_head_speaks_too(part: ServerPart, tmp_path: Path):
    """It is an ordinary model, in each architecture that the build can draft with."""
    for architecture in ARCHITECTURES[part.build]:
        model = TinyModel(architecture=architecture, head=False)
        path = model.write(tmp_path / f"{architecture}.gguf")
        with running(part.path, path, "-c", "512") as server:
            assert server.complete("A", 20)["content"] == continuation("A", 20)


def test_a_chat_walks_the_cycle_too(part: ServerPart, tmp_path: Path):
    """The chat template of the file is the one that `chat_prompt` follows."""
    model = TinyModel(Acceptance.by_step([0.9, 0.6]))
    with speculating(part, model, tmp_path / "tiny.gguf", 3) as server:
        answer = server.chat("Hello", 50)
    counts = expected(model, chat_prompt("Hello"), 3, 50)
    assert answer["choices"][0]["message"]["content"] == continuation(chat_prompt("Hello"), 50)
    assert answer["timings"]["draft_n_accepted"] == counts.draft_n_accepted


def test_a_chance_is_the_same_at_every_draft_step(part: ServerPart, tmp_path: Path):
    """At temperature 1 each guess is right with probability 0.7, so S_i is about 0.7 ** i."""
    model = TinyModel(chance=0.7)
    sampling = {"temperature": 1, "top_k": 0, "top_p": 1, "min_p": 0, "seed": 1}
    with speculating(part, model, tmp_path / "tiny.gguf", 3) as server:
        timings = server.complete("A", 900, **sampling)["timings"]
        steps, accepted = server.speculation() or (timings["draft_n"] / 3, {})
    # four standard errors of a share of some 400 steps
    assert timings["draft_n_accepted"] / steps == pytest.approx(0.7 + 0.49 + 0.343, abs=0.25)
    for position, count in accepted.items():
        assert count / steps == pytest.approx(0.7 ** (position + 1), abs=0.1)
