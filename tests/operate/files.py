"""The files that the page on operating offers, and the programs that judge them."""

import importlib.util
import shutil
from types import ModuleType

import pytest

from publish.website import ROOT

FOLDER = ROOT / "docs" / "assets" / "operate"
GUARD = FOLDER / "guard.py"


def load_guard() -> ModuleType:
    """The guard as a module, for what is asked of its parts."""
    spec = importlib.util.spec_from_file_location("guard", GUARD)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def program(name: str) -> str:
    """The path of a program that `tests/validators.sh` installs."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} found; sh tests/validators.sh installs it as root")
    return found
