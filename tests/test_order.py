"""In which order tests run where two run at a time."""

import os
import subprocess
import sys
from pathlib import Path

ALONE = "tests/site/test_site_lighthouse.py"
TEST = """
import time
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range(4))
def test_it(number):
    with Path({log!r}).open("a") as log:
        log.write("{name}\\n")
    time.sleep(0.05)
"""


def test_what_times_the_machine_starts_when_all_else_has_started(tmp_path):
    """The file comes first by name and by size, and runs last."""
    files = [ALONE, "tests/site/test_a.py", "tests/test_b.py", "tests/test_c.py"]
    log = tmp_path / "log"
    for name in files:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEST.format(log=str(log), name=name))
    assert Path(__file__).parents[1].joinpath(ALONE).is_file()
    own = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
    (tmp_path / "tests" / "conftest.py").write_text(own, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", tmp_path]
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTEST_ADDOPTS": ""},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    ran = log.read_text().splitlines()
    assert len(ran) == 16
    assert ran[-4:] == [ALONE] * 4
