"""The files that the page on operating offers, and the programs that judge them."""

import shutil
from types import ModuleType

import pytest

from publish.website import ROOT

FOLDER = ROOT / "docs" / "assets" / "operate"
GUARD = FOLDER / "guard.py"


def load_guard() -> ModuleType:
    """The guard as a module, for what is asked of its parts."""
    module = ModuleType("guard")
    code = compile(GUARD.read_text(encoding="utf-8"), GUARD, "exec")
    exec(code, module.__dict__)  # an import would leave its cache among the site's files
    return module


def program(name: str) -> str:
    """The path of a program that `tests/validators.sh` installs."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name} found; sh tests/validators.sh installs it as root")
    return found
