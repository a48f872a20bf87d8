"""Pitfalls in which a server says nothing, or the wrong thing, provoked on real ones."""

from pathlib import Path

import httpx
import pytest

from measure.harm import command
from speculoos.measure.client import Ask
from speculoos.measure.counters import readings
from speculoos.measure.server import Server, ServerError
from speculoos.parts.models import smollm2
from speculoos.parts.servers import ServerPart, builds, llama_servers
from speculoos.parts.tiny_model import TinyModel

pytestmark = pytest.mark.usefixtures("nothing_left")

ASK = Ask(max_tokens=40, temperature=0, seed=1, stream=False, deadline_s=60)
MTP = ("--spec-type", "draft-mtp", "--spec-draft-n-max", "3")


def _asked(server: Server, path: str, body: object = None) -> httpx.Response:
    """What the server answers to a question that the tool never asks."""
    headers = {"Authorization": f"Bearer {server.key}"}
    url = f"http://127.0.0.1:{server.port}{path}"
    verb = "GET" if body is None else "POST"
    return httpx.request(verb, url, json=body, headers=headers, trust_env=False, timeout=30)


def test_a_draft_model_without_a_type_is_loaded_and_never_used(build, tmp_path: Path):
    """The log says that it is loaded; nothing says that it is idle but `/slots`."""
    model = TinyModel(architecture="step35", head=False).write(tmp_path / "model.gguf")
    start = command(build, model, tmp_path, "--model-draft", str(model), "-lv", "4")
    with Server(start) as server:
        assert "draft_n" not in server.client.complete("A", ASK).timings
        assert [slot["speculative"] for slot in server.client.slots()] == [False]
    assert "loading draft model" in (tmp_path / "server.log").read_text(errors="replace")


def test_a_head_is_ignored_without_the_flag(build, tiny: Path, tmp_path: Path):
    """It answers as if there were none."""
    with Server(command(build, tiny, tmp_path)) as server:
        assert "draft_n" not in server.client.complete("A", ASK).timings


def test_the_properties_say_none_while_the_server_drafts(build, tiny: Path, tmp_path: Path):
    """And a depth that a request names changes nothing."""
    with Server(command(build, tiny, tmp_path, *MTP)) as server:
        drafted = server.client.complete("A", ASK).timings["draft_n"]
        settings = server.client.props()["default_generation_settings"]["params"]
        assert settings["speculative.types"] == "none"
        body = ASK.body("A") | {"speculative.n_max": 1}
        answer = _asked(server, "/completion", body).json()
        assert answer["timings"]["draft_n"] == drafted > 0


def test_a_gauge_starts_again_at_every_reading(build, tiny: Path, tmp_path: Path):
    """The counter beside it stays. b10068 repeats the last window until there is another one."""
    with Server(command(build, tiny, tmp_path)) as server:
        server.client.complete("A", ASK)
        first, second = (readings(_asked(server, "/metrics").text)[0] for _ in range(2))
        assert first["predicted_tokens_seconds"] > 0
        kept = first["predicted_tokens_seconds"] if build.build == "b10068" else 0
        assert second["predicted_tokens_seconds"] == kept
        assert second["tokens_predicted_total"] == first["tokens_predicted_total"] > 0


def test_a_quantised_cache_needs_flash_attention(build, tiny: Path, tmp_path: Path):
    """Without it the server does not start."""
    cache = ("--flash-attn", "off", "--cache-type-v", "q8_0")
    with pytest.raises(ServerError), Server(command(build, tiny, tmp_path, *cache)):
        pass
    log = (tmp_path / "server.log").read_text(errors="replace")
    assert "quantized V cache requires flash_attn" in log or (
        "V cache quantization requires flash_attn" in log
    )


def test_the_rate_of_an_answer_counts_all_tokens_or_all_but_one(build, tiny: Path, tmp_path: Path):
    """b10068 counts the first token, which comes out of the prompt; b10434 does not."""
    with Server(command(build, tiny, tmp_path)) as server:
        timings = server.client.complete("A", ASK).timings
    counted = timings["predicted_per_second"] * timings["predicted_ms"] / 1000
    first = 0 if build.build == "b10068" else 1
    assert counted == pytest.approx(timings["predicted_n"] - first)


@pytest.fixture(params=[build.name for build in builds()])
def quantised(request, cache: Path) -> ServerPart:
    """Each build that computes quantised weights on this processor."""
    return next(part for part in llama_servers(cache) if part.build == request.param)


def test_a_pool_of_ngrams_makes_a_repetition_faster(quantised, cache: Path, tmp_path: Path):
    """Asked again on the same server, one prompt is answered in fewer steps."""
    sizes = {"match": 8, "min": 4, "max": 16}
    ngrams = [word for name, n in sizes.items() for word in (f"--spec-ngram-mod-n-{name}", str(n))]
    start = command(quantised, smollm2(cache), tmp_path, "--spec-type", "ngram-mod", *ngrams)
    with Server(start) as server:
        first, second = (
            server.client.complete("Name ten animals of the sea.", ASK).timings for _ in range(2)
        )
    assert second.get("draft_n_accepted", 0) > first.get("draft_n_accepted", 0)
