"""Text of strangers on the pages: shown, never run."""

import shutil

import pytest

from publish.records import GAIN, machine, measurement, reported, sweep
from publish.website import ROOT, build
from speculoos.record.store import save
from speculoos.record.types import Bilingual

EVIL = "\"><script>alert(1)</script><img src=x onerror=alert(2)> [[ value('x') ]] $x^2$ `b` =1+1"
BOTH = Bilingual(fr=EVIL, en=EVIL)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The site with two results whose every free text wants to do harm."""
    root = tmp_path_factory.mktemp("hostile") / "measurements"
    shutil.copytree(ROOT / "measurements" / "prompts", root / "prompts")
    cpu = machine().cpu.model_copy(update={"name": EVIL})
    save(
        machine().model_copy(update={"label": BOTH, "os": EVIL, "cpu": cpu}),
        root / "bench/machine.yaml",
    )
    own = {"title": BOTH, "notes": BOTH, "contributor": EVIL}
    save(measurement(sweep(GAIN)).model_copy(update=own), root / "bench/2026-evil.yaml")
    source = reported().source.model_copy(update={"title": "=HYPERLINK(1)", "author": EVIL})
    other = {"title": BOTH, "notes": BOTH, "source": source}
    save(reported().model_copy(update=other), root / "reported/evil.yaml")
    target = root.parent / "site"
    done = build(target, more=root)
    assert done.returncode == 0, done.stderr
    return target


def test_no_page_holds_a_strangers_markup(hostile):
    """It stands there as text: in pages, feeds and the search."""
    pages = [p for p in hostile.rglob("*") if p.suffix in {".html", ".xml", ".svg"}]
    pages += hostile.rglob("search_index.json")
    whole = {page: page.read_text(encoding="utf-8") for page in pages}
    assert any("&lt;script&gt;alert(1)" in text for text in whole.values())
    assert [
        p for p, text in whole.items() if "<script>alert(1)" in text or "<img src=x" in text
    ] == []


def test_no_cell_of_a_table_is_a_formula(hostile):
    """A spreadsheet that opens the data computes nothing of a stranger's."""
    lines = [x for path in hostile.glob("data/*.csv") for x in path.read_text("utf-8").splitlines()]
    cells = [cell.strip('"') for line in lines for cell in line.split(",")]
    assert "'=HYPERLINK(1)" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "@"))]
