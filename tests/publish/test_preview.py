"""What a reviewer of a pull request sees first."""

import json
import re
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from publish.website import ROOT, build, copied
from speculoos.publish import preview

STYLE = "--sp-paper: #fffdf9;\n--sp-ink: #2b2119;\n--sp-ink: #f0e6da;"


@pytest.fixture
def told(results):
    """The comment's data for some results."""
    return lambda *ids: json.loads(preview.comment([results[one] for one in ids]))["results"]


def test_the_comment_holds_verdict_table_and_warnings(told, results):
    """In the words of the English page."""
    (found,) = told("bench/2026-gain")
    assert found["verdict"].startswith("Use it with")
    assert len(found["rows"][0]) == len(found["head"])
    assert len(found["warnings"]) == len(results["bench/2026-gain"].summary.warnings)


def test_a_picture_stands_by_itself(results):
    """Colours of the light scheme, a font and its paper: it is shown outside of the site."""
    ((path, svg),) = preview.pictures([results["bench/2026-gain"]], STYLE).items()
    assert path == "pull-request/bench-2026-gain.svg"
    assert "var(" not in svg
    assert "#2b2119" in svg
    assert "background:#fffdf9" in svg


def test_what_others_report_has_no_picture_of_a_measurement(results):
    """Its claims stand in the table."""
    reported = replace(results["bench/2026-gain"])
    kind = {"kind": "reported", "purpose": None}
    object.__setattr__(reported, "measurement", reported.measurement.model_copy(update=kind))
    assert preview.pictures([reported], STYLE) == {}


def test_the_page_of_a_preview_shows_what_changed_in_both_languages(tmp_path, monkeypatch):
    """First in the navigation, with every changed file and the results read from them."""
    changed = ["measurements/prompts/<b>x.yaml"]
    changed += [f"measurements/{_an_id()}.yaml"]
    monkeypatch.setenv("SPECULOOS_CHANGED", "\n".join(changed))
    # Its page is written among the sources: no other test may meet it there.
    done = build(tmp_path / "site", root=copied(tmp_path / "repository"))
    assert done.returncode == 0, done.stderr
    for prefix in ("", "en/"):
        page = BeautifulSoup(
            (tmp_path / f"site/{prefix}pull-request/index.html").read_text(), "html.parser"
        )
        files = [item.get_text() for item in page.select(".sp-files li")]
        assert files == changed
        assert [card["data-result"] for card in page.select(".sp-result")] == [_an_id()]
        first = page.select_one(".md-tabs__link")
        assert re.search("pull request", first.get_text(), re.IGNORECASE)
    (told,) = json.loads((tmp_path / "site/pull-request.json").read_text())["results"]
    assert (tmp_path / "site" / told["picture"]).is_file()


def _an_id():
    """A measurement of this repository."""
    path = min((ROOT / "measurements").glob("*/*-mtp-*.yaml"))
    return f"{path.parent.name}/{path.stem}"
