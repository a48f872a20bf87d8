"""What Lighthouse says of the pages that are read most; the runner leaves the machine to it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from publish.website import FLAGS

JUDGED = ("", "guide/", "results/", "en/", "en/guide/", "en/results/")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TRIES = 5
"""Performance is timed: a machine that does something else gets another try, and must pass it."""


def _lighthouse(npm, chromium, url, target):
    """Scores of 0 to 100 by category, and every audit that took points."""
    command = [
        Path(sys.executable).with_name("node"), npm / "lighthouse/cli/index.js", url, "--quiet",
        "--output=json", f"--output-path={target}", f"--only-categories={','.join(CATEGORIES)}",
        f"--chrome-flags={' '.join(FLAGS)}", "--no-enable-error-reporting",
    ]  # fmt: skip
    env = os.environ | {"CHROME_PATH": chromium}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads(target.read_text(encoding="utf-8"))
    scores = {name: round(report["categories"][name]["score"] * 100) for name in CATEGORIES}
    failed = [
        (audit["id"], audit.get("displayValue", ""))
        for audit in report["audits"].values()
        if audit["score"] is not None and audit["score"] < 1
    ]
    return scores, failed


@pytest.mark.parametrize("url", JUDGED)
def test_lighthouse_finds_a_page_fast_and_faultless(npm, chromium, address, tmp_path, url):
    """On a phone with a slow line, simulated: 95 of 100 for speed, 100 for all the rest."""
    for each in range(TRIES):
        scores, failed = _lighthouse(npm, chromium, address + url, tmp_path / f"{each}.json")
        if scores["performance"] >= 95:
            break
    assert scores.pop("performance") >= 95, failed
    assert set(scores.values()) == {100}, (scores, failed)
