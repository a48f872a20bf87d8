"""llama-bench writes its rows in five ways; each says the same."""

import json
from io import BytesIO

import pytest

from speculoos.read import read

COLUMNS = ("build_commit", "build_number", "model_type", "n_prompt", "n_gen", "n_depth",
           "test_time", "avg_ns", "stddev_ns", "avg_ts", "stddev_ts")  # fmt: skip
ROWS = (
    ("0123456", 7001, 'tiny 1B "Q8_0", test', 512, 0, 0, "2026-02-03", 250_000_000, 9, 2048.0, 0.5),
    ("0123456", 7001, 'tiny 1B "Q8_0", test', 0, 64, 256, "2026-02-03", 1_600_000_000, 9, 40.0, 0),
)
NOISE = "load_backend: loaded CPU backend from libggml-cpu.so\n"


def _csv() -> str:
    lines = [",".join('"' + str(v).replace('"', '""') + '"' for v in row) for row in ROWS]
    return "\n".join([",".join(COLUMNS), *lines]) + "\n"


def _sql() -> str:
    table = "CREATE TABLE IF NOT EXISTS llama_bench (\n  build_commit TEXT\n);\n\n"
    rows = (", ".join(f"'{v}'" for v in row) for row in ROWS)
    names = ", ".join(COLUMNS)
    return table + "".join(f"INSERT INTO llama_bench ({names}) VALUES ({r});\n" for r in rows)


def _objects() -> list[dict[str, object]]:
    return [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]


FORMS = {
    "csv": _csv(),
    "sql": _sql(),
    "jsonl": "".join(f"{json.dumps(row)}\n" for row in _objects()),
    "json": json.dumps(_objects(), indent=2),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("front", ["", NOISE, "```\n"], ids=["bare", "log", "quoted"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_each_form_gives_the_same_rows(form, front, end):
    """Whatever the backend prints in front of them."""
    found = read(BytesIO((front + FORMS[form]).replace("\n", end).encode()), "input")
    assert found.forms[-1] == "llama_bench"
    assert [
        (r.label, r.prompt_n, r.prompt_ms, r.predicted_n, r.predicted_ms, r.build, r.speculation)
        for r in found.requests
    ] == [
        ("pp512", 512, 250.0, None, None, "b7001-0123456", "none"),
        ("tg64 @ d256", None, None, 64, 1600.0, "b7001-0123456", "none"),
    ]
    assert [r.printed_tokens_per_second for r in found.requests] == [2048.0, 40.0]


@pytest.mark.parametrize("form", FORMS)
def test_a_last_row_that_was_cut_is_left_out_and_said(form):
    """A number that lost digits would be a wrong number."""
    found = read([FORMS[form].rstrip()[:-12]], "input")
    assert [r.label for r in found.requests] == ["pp512"]
    assert "cut" in {h.kind for h in found.hints}


def test_the_names_of_tests_of_2023_have_a_space():
    """`pp 512` became `pp512`."""
    table = [
        "| model | backend | test | t/s |",
        "| ----- | ------- | ---- | --: |",
        "| tiny | CPU | pp 256 | 80.10 ± 0.20 |",
        "| tiny | CPU | tg 32 | 9.05 ± 0.01 |",
    ]
    found = read([f"{line}\n" for line in table], "input").requests
    assert [(r.prompt_n, r.predicted_n) for r in found] == [(256, None), (None, 32)]
