"""Where the tests of the parts find their parts."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def cache() -> Path:
    """Where parts are kept between runs: SPECULOOS_CACHE, or where the command line keeps them."""
    named = os.environ.get("SPECULOOS_CACHE")
    return Path(named) if named else Path.home() / ".cache" / "speculoos"
