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


ALONE = "tests/site/test_site_lighthouse.py"
"""What times the machine, and so runs when all else has run, on whichever worker is left."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """A file's tests stay together where several run at once; the site's share one build.

    Marks of groups are not heeded: https://github.com/pytest-dev/pytest-xdist/issues/1386.
    """
    from xdist.scheduler import LoadFileScheduling  # noqa: PLC0415 - only where it is in use

    class Together(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "site" if file.startswith("tests/site/") and file != ALONE else file

        def _assign_work_unit(self, node: object) -> None:
            if ALONE in self.workqueue:
                self.workqueue.move_to_end(ALONE)
            super()._assign_work_unit(node)

        def _reschedule(self, node: object) -> None:
            others = [each for each in self.assigned_work if each is not node]
            if list(self.workqueue) == [ALONE]:
                # a worker keeps its last two tests until it is told what comes next, or nothing
                if any(self._pending_of(self.assigned_work[each]) > 2 for each in others):
                    return
                for each in others:
                    each.shutdown()
            super()._reschedule(node)

    return Together(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """With CI=true a skipped test is a failed one: what is skipped there is never run."""
    report = yield
    skipped = report.skipped and not hasattr(report, "wasxfail")
    if skipped and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"skipped, and CI skips nothing: {report.longrepr[2]}"
    return report
