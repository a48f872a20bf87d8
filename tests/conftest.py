"""What all tests share: the parts, and the rule that nothing is skipped where CI says so."""

import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest


@pytest.fixture(scope="session")
def cache() -> Path:
    """Where parts are kept between runs: SPECULOOS_CACHE, or where the command line keeps them."""
    named = os.environ.get("SPECULOOS_CACHE")
    return Path(named) if named else Path.home() / ".cache" / "speculoos"


@pytest.fixture(scope="session", autouse=True)
def _no_server_survives() -> Iterator[None]:
    """No llama-server that a test started is left at the end."""
    yield
    left = [p.pid for p in psutil.Process().children(recursive=True) if "llama-server" in p.name()]
    assert not left, f"llama-server still runs: {left}"


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """With CI=true a skipped test is a failure: what is skipped there is never run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = len(reporter.stats.get("skipped", [])) if reporter else 0
    if skipped and os.environ.get("CI") == "true" and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"CI: {skipped} skipped test(s) count as failed", red=True)
