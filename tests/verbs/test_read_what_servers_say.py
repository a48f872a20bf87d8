"""What a real server says in each of its ways is read back as it said it."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from speculoos.parts.servers import BUILDS, llama_servers
from speculoos.read import Request, read
from verbs.at_work import AtWork, at_work

MTP = ("--spec-type", "draft-mtp", "--spec-draft-n-max", "3")
NATIVE = {"prompt": "abc", "n_predict": 24}
CHAT = {"messages": [{"role": "user", "content": "abc"}], "max_tokens": 24}
WAYS = {
    "native": ("/completion", NATIVE),
    "several answers": ("/completion", NATIVE | {"n": 2}),
    "several prompts": ("/completion", NATIVE | {"prompt": ["abc", "qrs", "k"]}),
    "chat": ("/v1/chat/completions", CHAT),
    "chat with several answers": ("/v1/chat/completions", CHAT | {"n": 2}),
    "text": ("/v1/completions", {"prompt": ["abc", "qrs"], "max_tokens": 24}),
    "responses": ("/v1/responses", {"input": "abc", "max_output_tokens": 24}),
}
STREAMS = {
    "at once": {},
    "stream": {"stream": True},
    "running counts": {
        "stream": True,
        "timings_per_token": True,
        "stream_options": {"include_usage": True},
    },
}
NAMES = {
    "prompt_n": "prompt_n", "prompt_ms": "prompt_ms", "predicted_n": "predicted_n",
    "predicted_ms": "predicted_ms", "printed_tokens_per_second": "predicted_per_second",
    "draft_n": "draft_n", "draft_n_accepted": "draft_n_accepted",
}  # fmt: skip


@pytest.fixture(scope="module", params=[build.name for build in BUILDS])
def asked(request: pytest.FixtureRequest, cache: Path, tiny: Path) -> Iterator[AtWork]:
    """A server of each pinned build that drafts."""
    parts = {part.build: part.path for part in llama_servers(cache, quantised=False)}
    with at_work(parts[request.param], tiny, *MTP, "--metrics", "--parallel", "4") as server:
        yield server


def say(server: AtWork, path: str, body: dict[str, Any]) -> str:
    """The whole answer as it would be saved."""
    body = body | {"temperature": 0, "cache_prompt": False}
    return httpx.post(f"{server.url}{path}", json=body, timeout=60, trust_env=False).text


def last_timings(text: str) -> list[dict[str, Any]]:
    """The timings that end an answer: of each index the last, however it was sent."""
    objects = [line.removeprefix("data: ") for line in text.splitlines() if '"timings"' in line]
    entries = [entry for o in objects for entry in _listed(json.loads(o))]
    by_index = {_index(entry): entry["timings"] for entry in entries if entry.get("choices") != []}
    return list(by_index.values()) if "data: " in text else [e["timings"] for e in entries]


def _listed(value: Any) -> list[dict[str, Any]]:
    return value if isinstance(value, list) else [value]


def _index(entry: dict[str, Any]) -> int:
    return (entry.get("choices") or [entry])[0].get("index", 0)


def figures(request: Request) -> dict[str, Any]:
    """What a request says, under the server's names."""
    found = {name: getattr(request, own) for own, name in NAMES.items()}
    return {name: value for name, value in found.items() if value is not None}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stream", STREAMS)
def test_an_answer_is_read_as_the_server_said_it(asked: AtWork, way: str, stream: str) -> None:
    """Every figure of every text, once; /v1/responses gives none unless it streams."""
    path, body = WAYS[way]
    text = say(asked, path, body | STREAMS[stream])
    said = [{k: v for k, v in t.items() if k in NAMES.values()} for t in last_timings(text)]
    found = [figures(request) for request in read(BytesIO(text.encode()), "saved").requests]
    assert sorted(found, key=str) == sorted(said, key=str)
    assert bool(said) == ((way, stream) != ("responses", "at once"))


def test_a_page_of_metrics_is_read_as_the_server_said_it(asked: AtWork) -> None:
    """Tokens of every request before, in total."""
    say(asked, "/completion", NATIVE)
    text = httpx.get(f"{asked.url}/metrics", trust_env=False).text
    page = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    (found,) = read(BytesIO(text.encode()), "page").requests
    assert found.predicted_n == int(page["llamacpp:tokens_predicted_total"])
    drafted = page.get("llamacpp:spec_decode_num_draft_tokens_total")
    assert found.draft_n == (None if drafted is None else int(drafted))
    assert (found.speculation == "unknown") == (drafted is None)
