"""Results as CSV: every setting a row, kinds apart, and no cell that a spreadsheet would run."""

import csv
from dataclasses import replace

import pytest

from publish.records import GAIN, crash, measurement, reported, sweep
from speculoos.publish.results import Result
from speculoos.publish.spreadsheet import reported_csv, results_csv
from speculoos.record.types import Source


def _rows(text):
    return list(csv.DictReader(text.splitlines()))


def _result(record, address="bench/one"):
    return Result(address, f"measurements/{address}.yaml", record, None)


def test_every_setting_is_a_row_with_the_figures_of_its_summary(results):
    """The baseline too; a speed-up has its bounds beside it."""
    result = results["bench/2026-gain"]
    rows = _rows(results_csv([result]))
    assert [row["setting"] for row in rows][1:] == [p.settings.label for p in result.summary.points]
    best = max(result.summary.points, key=lambda p: p.speedup.value)
    row = next(row for row in rows if row["n_max"] == str(best.n_max))
    bounds = [best.speedup.low, best.speedup.value, best.speedup.high]
    names = ("speedup_low", "speedup", "speedup_high")
    assert [float(row[name]) for name in names] == pytest.approx(bounds, abs=1e-6)


def test_what_is_unknown_is_an_empty_cell_and_a_crash_has_its_row():
    """Never a zero."""
    rows = _rows(results_csv([_result(measurement([*sweep(GAIN), crash()]))]))
    broken = [row for row in rows if row["incident"]]
    assert len(broken) == 1
    assert broken[0]["speedup"] == broken[0]["tokens_per_second"] == ""
    assert all(row["withdrawn"] == "false" for row in rows)


def test_what_others_report_is_in_a_file_of_its_own(results):
    """Neither file holds a row of the other."""
    measured, stated = _rows(results_csv(results.values())), _rows(reported_csv(results.values()))
    assert "reported" not in {row["kind"] for row in measured}
    assert {row["id"] for row in stated} == {"reported/other"}
    assert all(row["conditions"] and row["source"] for row in stated)


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_a_text_that_a_spreadsheet_would_run_is_kept_a_text(sign):
    """In a source's title as in the address of a file; a number stays a number."""
    record = reported()
    evil = f"{sign}HYPERLINK(1)"
    source = Source.model_validate({**record.source.model_dump(), "title": evil})
    result = _result(record.model_copy(update={"source": source}), f"{sign}cmd")
    (row, *_) = _rows(reported_csv([result]))
    assert row["source"] == f"'{evil}"
    assert row["id"] == f"'{sign}cmd"


def test_a_tab_or_a_return_in_front_hides_no_formula():
    """Some programs skip it and run what follows."""
    result = _result(measurement(sweep(GAIN)))
    for sign in ("\t=1", "\r=1"):
        text = results_csv([replace(result, id=sign)])
        assert f"'{sign}" in text
