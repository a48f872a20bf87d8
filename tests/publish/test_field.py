"""The sweeps of others: which are kept, which n_max was best, and how they are drawn."""

import pytest
from bs4 import BeautifulSoup

from publish.website import ROOT
from speculoos.publish.field import searched, sweep_values, sweeps
from speculoos.publish.figures import draw_field_n_max, draw_field_speedup
from speculoos.publish.text import LANGUAGES

HEAD = (
    "series,reference,date,hardware,backend,model,quantization,context,kv_cache,build,spec_type,"
    "n_max,p_min,tokens_per_second,speedup,acceptance_rate"
)
FILE = (ROOT / "docs/field-n-max.csv").read_text(encoding="utf-8")


def _rows(series, *settings, backend="CUDA", kind="draft-mtp"):
    return [
        f"{series},PR 1,2026-08-15,a card,{backend},a model dense,,,,,{kind},{n},{p_min},{rate},"
        f"{rate / 10},"
        for n, p_min, rate in settings
    ]


def _sweeps(*rows):
    return sweeps("\n".join([HEAD, *rows]))


def test_the_best_n_max_is_the_fastest_of_those_tried_without_p_min():
    """A setting with a confidence of its own is another experiment."""
    settings = ((0, "", 10), (1, "0", 14), (2, "0", 17), (3, "0", 16), (3, "0.6", 19))
    (found,) = _sweeps(*_rows("one", *settings))
    assert (found.best_n_max, found.speedup, found.plain, found.tried) == (2, 1.7, 10, 3)


def test_other_servers_other_types_and_baselines_alone_are_left_out():
    """The figures speak of MTP in llama.cpp."""
    whole = ((0, "", 10), (1, "0", 14))
    assert not _sweeps(
        *_rows("vllm", *whole, backend="vLLM 0.27.1"),
        *_rows("eagle", *whole, kind="EAGLE-3"),
        *_rows("alone", (0, "", 10)),
        *_rows("gated", (0, "", 10), (2, "0.75", 14)),
    )


def test_a_sweep_of_two_values_has_no_best_one():
    """It says what it gained, not where the top is."""
    two = _sweeps(*_rows("two", (0, "", 10), (2, "0", 14), (4, "0", 13)))
    assert len(two) == 1
    assert searched(two) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("draw", [draw_field_n_max, draw_field_speedup])
def test_every_sweep_of_the_file_is_a_dot_and_stands_in_the_description(draw, language):
    """Dots of one value stand beside each other, none on top of another."""
    found = tuple(searched(sweeps(FILE)))
    svg = BeautifulSoup(draw(found, "key", language), "html.parser")
    dots = [(use["x"], use["y"]) for use in svg.select("use") if use.get("x")]
    assert len(dots) >= len(found)
    places = [each for each in dots if dots.count(each) > 1]
    assert not places
    described = svg.find("desc").text
    assert all(sweep.hardware in described for sweep in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_has_its_source(language):
    """The table behind the figures names where each sweep was published."""
    found = sweeps(FILE)
    table = sweep_values(found, language)
    assert (
        len(table.rows)
        == len(found)
        == len({sweep.hardware + sweep.reference + str(sweep.plain) for sweep in found})
    )
    assert all(row[-1].text for row in table.rows)


def test_the_title_of_the_figure_is_what_the_file_says():
    """From 2 to 4 in nine sweeps of ten, in the slower half as in the faster one."""
    found = sorted(searched(sweeps(FILE)), key=lambda sweep: sweep.plain)
    best = [sweep.best_n_max for sweep in found]
    half = len(best) // 2
    for part in (best, best[:half], best[-half:]):
        assert sum(2 <= n_max <= 4 for n_max in part) >= 0.9 * len(part)


def test_the_title_of_the_speedups_is_what_the_file_says():
    """Most dense models gain half again; no mixture of experts does."""
    found = sweeps(FILE)
    dense = [sweep.speedup for sweep in found if not sweep.experts]
    assert sum(ratio > 1.4 for ratio in dense) > 0.8 * len(dense)
    assert all(sweep.speedup < 1.4 for sweep in found if sweep.experts)
