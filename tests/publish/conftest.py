"""What the tests of the pages share."""

import pytest

from publish.folder import write_folder
from speculoos.publish.results import Results
from speculoos.record.store import load_collection


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("data") / "measurements")


@pytest.fixture(scope="session")
def results(folder):
    found = load_collection(folder)
    assert not found.problems
    return Results([found])
