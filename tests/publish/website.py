"""Where the site's sources are, and how it is built."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = tuple(
    "" if name == "index" else f"{name}/"
    for name in re.findall(
        r"^ +- (?:[^:#]+: )?([\w-]+)\.md$",
        (ROOT / "mkdocs.yml").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
"""The addresses of all pages, from the navigation."""
URLS = tuple(prefix + page for prefix in ("", "en/") for page in PAGES)
SIZES = {"desk": (1280, 900), "phone": (360, 740)}
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SITE_URL = "https://speculoos.example/"


def copied(folder):
    """A copy of all that a site is built of, which a test may change."""
    for name in ("docs", "overrides", "measurements", "scripts"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "mkdocs.yml", folder)
    return folder


def build(target, more="", root=ROOT):
    """Run `mkdocs build --strict`; what it printed, its exit code."""
    env = os.environ | {
        "NO_MKDOCS_2_WARNING": "1",
        "SITE_URL": SITE_URL,
        "SOURCE_DATE_EPOCH": "1800000000",
        "SPECULOOS_MEASUREMENTS": str(more),
        "PYTHONPATH": str(ROOT / "scripts"),
    }
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    return subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
