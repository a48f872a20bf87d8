"""`speculoos observe` on a router, which counts for each of its models apart."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from verbs.at_work import AtWork


@pytest.fixture(scope="module")
def router(server: Path, tiny: Path) -> Iterator[AtWork]:
    """A router with the tiny model loaded; it ends its child itself."""
    found = AtWork(server, tiny, "--metrics")
    found.command[1:3] = ["--models-dir", tiny.parent]
    found.start()
    assert found.process is not None
    try:
        body = {"model": "tiny", "prompt": "abc", "max_tokens": 8}
        address = f"{found.url}/v1/completions"
        httpx.post(address, json=body, timeout=60, trust_env=False).raise_for_status()
        yield found
    finally:
        found.process.terminate()
        found.process.wait(timeout=30)


def test_one_model_of_a_router_is_observed(router: AtWork, speculoos) -> None:
    """Its name stands behind the address, and nowhere else."""
    done = speculoos("observe", f"{router.url}?model=tiny", "--for", "1s", "--every", "1s")
    assert "tiny.gguf" in done.stdout
    assert "Watched for" in done.stdout


@pytest.mark.parametrize(
    ("query", "why"), [("", "a router counts each model apart"), ("?model=none", "no model none")]
)
def test_a_router_says_which_address_to_write(router: AtWork, speculoos, query, why) -> None:
    """One line, no traceback."""
    done = speculoos("observe", f"{router.url}{query}", "--for", "1s")
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert f"{why}; write {router.url}?model=NAME" in done.stderr
