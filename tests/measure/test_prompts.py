"""Prompt sets that are shipped, and the texts that are sent for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from measure.harm import command
from speculoos.measure.filler import filler
from speculoos.measure.prompts import Workload, find_prompt_set, knows_reasoning, warm_up_text
from speculoos.measure.server import Server
from speculoos.parts import tiny_gguf
from speculoos.parts.tiny_model import TinyModel, chat_prompt
from speculoos.record.types import Prompt

SETS = Path(__file__).parents[2] / "measurements" / "prompts"
NAMES = sorted(path.stem for path in SETS.glob("*.yaml"))
TEMPLATE = "{% if enable_thinking %}<think>{% endif %}{{ messages[0].content }}\nassistant:"
ASK = Prompt(id="one", kind="test", language="en", text="Say A")


def _prompts(name: str) -> tuple[Prompt, ...]:
    return find_prompt_set(name, [SETS]).record.prompts


@pytest.mark.parametrize("name", NAMES)
def test_a_set_is_whole(name: str):
    """It loads, its id is its name, no prompt stands in it twice."""
    prompts = _prompts(name)
    assert find_prompt_set(name, [SETS]).record.id == name
    assert len({prompt.id for prompt in prompts}) == len({p.text for p in prompts}) == len(prompts)
    assert all(prompt.text.strip() in {prompt.text, prompt.text[:-1]} for prompt in prompts)


CLASSES = {
    "rewrite-1": {"rewrite"},
    "code-1": {"code"},
    "explain-1": {"explain"},
    "prose-1": {"prose"},
    "summarise-1": {"summarise"},
    "structure-1": {"list", "json"},
}


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_of_work_is_of_one_kind(name: str):
    """Figures are reported by kind, so a class holds nothing else."""
    assert {prompt.kind for prompt in _prompts(name)} == CLASSES[name]


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "rewrite-1"])
def test_a_class_is_asked_in_both_languages(name: str):
    """As many prompts in French as in English."""
    languages = [prompt.language for prompt in _prompts(name)]
    assert languages.count("fr") == languages.count("en") == len(languages) / 2


def test_the_two_languages_are_asked_for_the_same_kinds():
    """Eight prompts each, kind by kind: what differs is the language."""
    french, english = _prompts("french-1"), _prompts("english-1")
    assert {p.language for p in french} == {"fr"}
    assert {p.language for p in english} == {"en"}
    assert [p.kind for p in french] == [p.kind for p in english]
    assert len(french) == 8


def test_only_the_long_set_is_long():
    """Words, which are about three quarters of the tokens: a slow machine must get through."""
    for name in NAMES:
        for prompt in _prompts(name):
            words = len(prompt.text.split())
            assert (900 < words < 1800) if name == "summarise-1" else words < 200, prompt.id


@pytest.fixture
def thinking(build, tmp_path: Path, monkeypatch) -> Iterator[Server]:
    """A real server with a model whose chat template reacts to `enable_thinking`."""
    monkeypatch.setattr(tiny_gguf, "CHAT_TEMPLATE", TEMPLATE)
    model = TinyModel(architecture="qwen35").write(tmp_path / "thinking.gguf")
    with Server(command(build, model, tmp_path)) as server:
        yield server


@pytest.fixture
def plain(build, tiny: Path, tmp_path: Path) -> Iterator[Server]:
    """A real server with a model whose chat template knows nothing of reasoning."""
    with Server(command(build, tiny, tmp_path, "-c", "4096")) as server:
        yield server


def test_reasoning_is_asked_for_where_the_template_can(thinking: Server):
    """The same prompt, once with and once without: the texts differ by what the template adds."""
    client = thinking.client
    assert knows_reasoning(client)
    with_it = Workload(reasoning=True).texts(client, [ASK])["one"]
    without = Workload(reasoning=False).texts(client, [ASK])["one"]
    assert with_it == f"<think>{without}"
    assert not warm_up_text(client, [ASK]).startswith("<think>")


def test_a_template_without_reasoning_is_known(plain: Server):
    """Asking for reasoning changes nothing, and the tool can say so."""
    assert not knows_reasoning(plain.client)
    assert Workload(reasoning=True).texts(plain.client, [ASK]) == {"one": chat_prompt("Say A")}


@pytest.mark.parametrize("depth", [0, 500, 3000])
def test_a_depth_is_about_that_many_tokens(plain: Server, depth: int):
    """Counted by the server's own tokenizer, in front of the prompt, the same in every arm."""
    text = Workload(depth=depth).texts(plain.client, [ASK])["one"]
    added = plain.client.tokens(text) - plain.client.tokens(chat_prompt("Say A"))
    assert abs(added - depth) <= 0.05 * depth + 100 * (depth > 0)
    assert text.endswith(chat_prompt("Say A").removeprefix("user: "))
    assert text == Workload(depth=depth).texts(plain.client, [ASK])["one"]


def test_a_raw_prompt_gets_its_depth_without_a_template(plain: Server):
    """A model of known acceptance still ends on its own last letter."""
    raw = ASK.model_copy(update={"raw": True, "text": "A"})
    text = Workload(depth=300).texts(plain.client, [raw])["one"]
    assert text.endswith("\n\nA")
    assert "assistant" not in text


def test_the_filler_repeats_no_line():
    """A line that came twice would be drafted by any n-gram."""
    lines = [line for line in filler(20_000, lambda text: len(text.split())).splitlines() if line]
    assert len(lines) == len(set(lines)) > 500
