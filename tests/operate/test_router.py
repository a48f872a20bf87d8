"""A real router: its /health is green whatever its models do, and the guard looks at each."""

import signal
import time

import httpx
import psutil
import pytest

from operate.conftest import until
from operate.files import FOLDER


@pytest.fixture
def router(serve, tiny, tmp_path):
    """A router with a good model, another good one, and one that dies at its first request."""
    preset = tmp_path / "models.ini"
    drafting = "[{}]\nspec-type = draft-mtp\nspec-draft-n-max = {}\n"
    preset.write_text(
        f"version = 1\n[*]\nmodel = {tiny}\nctx-size = 512\nparallel = 1\nthreads = 1\n"
        + drafting.format("good", 3) + drafting.format("other", 1) + drafting.format("bad", 0)
    )  # fmt: skip
    return lambda binary, autoload="--no-models-autoload": serve(
        binary, "--models-preset", preset, autoload, "--metrics"
    )


def _states(server):
    found = httpx.get(f"{server.url}/v1/models").json()["data"]
    return {model["id"]: model["status"]["value"] for model in found}


def _load(server, model):
    httpx.post(f"{server.url}/models/load", json={"model": model}).raise_for_status()
    until(lambda: _states(server)[model] == "loaded", f"loaded {model}")


def _process(server, model) -> psutil.Process:
    for child in server.process.children():
        words = child.cmdline()
        if words[words.index("--alias") + 1] == model:
            return child
    raise AssertionError(model)


def test_a_model_that_hangs_under_a_green_health_is_reloaded_alone(router, newest):
    """The router says that all is well; one model gives no token, the other is not touched."""
    server = router(newest)
    _load(server, "good")
    _load(server, "other")
    stopped, other = _process(server, "good"), _process(server, "other")
    stopped.send_signal(signal.SIGSTOP)
    assert server.healthy()
    seen = server.check("--deadline", "0.5")
    assert seen.returncode == 1
    assert "good: stuck: " in seen.stderr
    assert "other: answers" in seen.stderr

    server.guard("--deadline", "0.5", reload=False)
    until(lambda: "good: reload 1 of 2: stuck: " in server.said, "reloaded")
    until(lambda: not stopped.is_running(), "rid of the old process")
    until(lambda: _states(server)["good"] == "loaded", "loaded again")
    assert server.check().returncode == 0
    assert _process(server, "other") == other


def test_a_model_that_dies_at_its_first_request_is_given_up(router, build):
    """The router survives it; the guard reloads twice, and ends when nothing else runs."""
    server = router(build)
    _load(server, "bad")
    assert server.guard("--misses", "1", reload=False).wait(60) == 1
    assert "bad: GIVING UP, 2 reloads did not help; " in server.said
    assert server.healthy()
    _load(server, "good")
    assert server.check().stderr.count("good: answers") == 1


def test_a_router_alone_starts_it_again_without_a_limit(router, build):
    """Every request starts the model anew and ends it: nothing counts."""
    server = router(build, "--models-autoload")
    for number in range(1, 5):
        body = {"model": "bad", "prompt": "ab", "max_tokens": 8}
        assert httpx.post(f"{server.url}/v1/completions", json=body, timeout=60).is_server_error
        log = server.folder / "server.log"
        until(lambda n=number, log=log: log.read_text().count("GGML_ASSERT(") == n, "crashed again")
        until(lambda: _states(server)["bad"] == "unloaded", "gone")


def test_a_model_that_is_not_loaded_is_left_in_peace(router, newest):
    """A question would load it."""
    server = router(newest)
    assert server.check().returncode == 0
    time.sleep(0.5)
    assert set(_states(server).values()) == {"unloaded"}


def test_the_preset_that_the_page_offers_starts(serve, newest, tiny, tmp_path):
    """With another path to the model: what is loaded at the start speculates, the rest waits."""
    preset = tmp_path / "models.ini"
    text = (FOLDER / "models.ini").read_text(encoding="utf-8")
    preset.write_text(text.replace("/srv/models/model.gguf", str(tiny)))
    server = serve(newest, "--models-preset", preset, "--no-models-autoload", "--metrics")
    until(lambda: _states(server).get("fast") == "loaded", "loaded")
    assert _states(server)["plain"] == "unloaded"
    slots = httpx.get(f"{server.url}/slots", params={"model": "fast", "autoload": "false"})
    assert [slot["speculative"] for slot in slots.json()] == [True, True]
    _load(server, "plain")
    slots = httpx.get(f"{server.url}/slots", params={"model": "plain"})
    assert [slot["speculative"] for slot in slots.json()] == [False, False]
