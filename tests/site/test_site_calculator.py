"""The calculator of the guide: the formulas of `metrics`, and the reading of `read`."""

import re
from io import BytesIO
from math import isclose
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from publish.website import ROOT
from read.test_cut_logs import logs
from speculoos.publish.calculator import choices
from speculoos.publish.results import Results
from speculoos.read import read
from speculoos.record import metrics
from speculoos.record.store import load_collection

PAGES = {"fr": "guide/", "en": "en/guide/"}
LOGS = sorted((ROOT / "tests/data/read").glob("*.log"))
COUNTS = ("draft_n", "draft_n_accepted", "predicted_n", "predicted_ms", "mean_acceptance_length")
ROWS = """() => [...document.querySelectorAll('[data-part=rows] tr')].map(row => ({
    best: row.classList.contains('sp-best'),
    values: [...row.querySelectorAll('data')].map(d => d.value === '' ? null : Number(d.value)),
}))"""


@pytest.fixture(scope="module")
def guides(browser, address):
    """The guide in both languages, opened once for all tests, the calculator unfolded."""
    context = browser.new_context()
    opened = {}
    for language, url in PAGES.items():
        page = opened[language] = context.new_page()
        page.goto(address + url)
        page.evaluate("document.querySelector('.sp-calculator details').open = true")
    yield opened
    context.close()


@pytest.fixture
def calculator(guides):
    """Types into the form of a language and gives the rows of its table."""

    def opened(language="en"):
        page = guides[language]
        for name in ("log", "rate", "n_max", "baseline"):
            page.fill(f".sp-calculator [name={name}]", "")

        def reckon(**entered):
            for name, text in entered.items():
                page.fill(f".sp-calculator [name={name}]", text)
            return page.evaluate(ROWS)

        reckon.page = page
        reckon.said = lambda part="answer": page.inner_text(f"[data-part={part}]")
        return reckon

    return opened


def _expected(acceptance, costs):
    """The rows as `metrics` gives them: n_max, tokens, cost, speed-up."""
    rows = []
    for n, cost in enumerate(costs, start=1):
        if len(acceptance) == 1:
            length = metrics.expected_tokens(acceptance[0], n)
        else:
            length = metrics.expected_tokens_by_position(acceptance, n)
        known = cost is not None and length is not None
        rows.append([n, length, cost, metrics.expected_speedup(length, cost) if known else None])
    return rows


def _same(found, expected):
    return [len(row) for row in found] == [len(row) for row in expected] and all(
        (one is None) == (other is None) and (one is None or isclose(one, other, rel_tol=1e-12))
        for row, wanted in zip(found, expected, strict=True)
        for one, other in zip(row, wanted, strict=True)
    )


CASES = [
    ([0.8], [1.2, 1.34, 1.52, 1.66]),
    ([0.0], [1.0, 1.5]),
    ([1.0], [1.0] * 16),
    ([0.5], [0.0001, 100000.0]),
    ([0.9999], [1 + 0.01 * n for n in range(1, 65)]),
    ([0.95, 0.9, 0.85], [1.1, 1.2, 1.3, 1.4]),
    ([0.7, 0.7, 0.0, 0.0], [2.45, 3.48, 4.54]),
    ([0.333], [None, 1.7, None, 2.9]),
]


@pytest.mark.parametrize("language", PAGES)
def test_the_table_is_what_metrics_says(calculator, language):
    """Constant and by position, from nothing accepted to everything, costs that lack."""
    reckon = calculator(language)
    for acceptance, costs in CASES:
        text = {
            "acceptance": " ".join(_typed(a, language) for a in acceptance),
            "costs": " ".join("?" if c is None else _typed(c, language) for c in costs),
        }
        found = reckon(**text)
        expected = _expected(acceptance, costs)
        assert _same([row["values"] for row in found], expected), text
        known = [row[3] for row in expected if row[3] is not None]
        best = [row["values"][0] for row in found if row["best"]]
        assert best == [next(row[0] for row in expected if row[3] == max(known))]


def _typed(value, language):
    text = f"{value:.10g}"
    return text.replace(".", ",") if language == "fr" else text


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0.9, 0.8, 0.7", [0.9, 0.8, 0.7]),
        ("0,9 0,8\u00a00,7", [0.9, 0.8, 0.7]),
        ("0,9, 0,8; 0,7", [0.9, 0.8, 0.7]),
        ("0.9,0.8", [0.9, 0.8]),
        ("90 % 80\u202f% 70%", [0.9, 0.8, 0.7]),
        (".9\t.8", [0.9, 0.8]),
        ("1, 0", [1, 0]),
    ],
)
def test_both_decimal_signs_are_read_in_both_languages(calculator, text, values):
    """A point, a comma, commas between numbers, percentages: what a reader pastes."""
    for language in PAGES:
        rows = calculator(language)(acceptance=text, costs="1 1 1")
        wanted = [*_lengths(values), None, None, None][:3]
        assert [row["values"][1] for row in rows] == pytest.approx(wanted)


def _lengths(values):
    return [1 + sum(values[:n]) for n in range(1, len(values) + 1)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("acceptance", ""),
        ("acceptance", "1.2"),
        ("acceptance", "-0.1"),
        ("acceptance", "0.5 0.6"),
        ("acceptance", "0,9,0,8"),
        ("acceptance", "half"),
        ("acceptance", "?"),
        ("costs", ""),
        ("costs", "0 1.2"),
        ("costs", "? ?"),
        ("costs", "1.2 x"),
        ("costs", "1e400"),
    ],
)
def test_what_cannot_be_read_gives_a_message_and_no_number(calculator, name, text):
    """The field is marked, its message is tied to it, and the table goes."""
    reckon = calculator()
    reckon(acceptance="0.8", costs="1.2")
    reckon(**{name: text})
    field = reckon.page.locator(f".sp-calculator [name={name}]")
    assert field.get_attribute("aria-invalid") == "true"
    assert f"calc-{name}-error" in field.get_attribute("aria-describedby")
    assert reckon.page.is_visible(f"#calc-{name}-error")
    assert not reckon.page.is_visible("[data-part=result]")
    assert "missing" in reckon.said()


@pytest.mark.parametrize(
    ("language", "costs", "said"),
    [
        (
            "en",
            "1.5 1.7",
            "It should pay: at n_max 2 a step gives 2.44 tokens and costs 1.70 plain passes, "
            "that is 1.44×.",
        ),
        (
            "fr",
            "1,5 1,7",
            "Cela devrait payer\u202f: avec n_max 2, soit ×\u202f1,44 "
            "(jetons par étape\u202f: 2,44, pour "
            "un coût de 1,70 en passes simples).",
        ),
        ("en", "1.79 2.5", "At best 1.01×, with n_max 1"),
        ("en", "2 4", "It should not pay"),
        ("fr", "2 4", "Cela ne devrait pas payer"),
    ],
)
def test_a_sentence_says_whether_it_pays(calculator, language, costs, said):
    """In the language of the page, in a region that screen readers follow."""
    reckon = calculator(language)
    reckon(acceptance="0.8", costs=costs)
    assert reckon.said().startswith(said)
    assert reckon.page.get_attribute("[data-part=answer]", "role") == "status"


def test_a_result_chosen_in_the_list_fills_its_step_costs_in(calculator):
    """Every measured and reported result that knows its costs, under its own title."""
    results = Results([load_collection(ROOT / "measurements")])
    kept = [*results.of_kind("measured"), *results.of_kind("reported")]
    offered = {choice.label: choice.costs for choice in choices(kept, "en")}
    reckon = calculator()
    assert {"RTX 5090, dense model, 600 W", "RTX 5090, dense model, 400 W"} <= set(offered)
    for title, costs in offered.items():
        reckon.page.select_option(".sp-calculator [name=machine]", label=title)
        assert reckon.page.input_value("[name=costs]").split() == costs.split()
        wanted = [None if cost == "?" else float(cost) for cost in costs.split()]
        assert [row["values"][2] for row in reckon()] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("entered", "said"),
    [
        ({"rate": "2", "n_max": "3"}, "The rate must be a number between 0 and 1"),
        ({"rate": "abc", "n_max": "3"}, "The rate must be a number between 0 and 1"),
        ({"rate": "0.6", "n_max": "0"}, "n_max must be a whole number from 1 to 99"),
        ({"rate": "0.6", "n_max": "100"}, "n_max must be a whole number from 1 to 99"),
        ({"rate": "0.6", "n_max": "3", "baseline": "fast"}, "must be a positive number"),
    ],
)
def test_a_value_that_cannot_be_is_refused_in_a_sentence(calculator, entered, said):
    """What was entered before stays; no field fails in silence."""
    reckon = calculator()
    reckon(acceptance="0.5", costs="1.2 1.4 1.6", **entered)
    assert said in reckon.said("read")


LINES = {
    "A": ("draft acceptance rate = 0.50000 (   30 accepted /    60 generated)", 30, 60),
    "B": ("draft acceptance = 0.91717 (  764 accepted /   833 generated)", 764, 833),
    "D": (
        "draft acceptance = 0.64000 (  192 accepted /   300 generated), mean len =  2.92",
        192,
        300,
    ),
}


@pytest.mark.parametrize("wording", LINES)
def test_a_pasted_line_without_n_max_asks_for_it(calculator, wording):
    """The rate alone is known; with n_max it becomes the acceptance of a token."""
    line, accepted, drafted = LINES[wording]
    reckon = calculator()
    reckon(acceptance="0.123", costs="1.1 1.2 1.3", log=line)
    asked = "n_max is missing" in reckon.said("read")
    assert f"{accepted} of {drafted} draft tokens accepted" in reckon.said("read")
    assert asked == (wording != "D")
    rows = reckon(n_max="3")
    length = 2.92 if wording == "D" else 1 + 3 * accepted / drafted
    assert rows[2]["values"][1] == pytest.approx(length, abs=2e-4)


@pytest.mark.parametrize(("rate", "n_max"), [("0.84", 5), ("50 %", 5), ("0", 3), ("1", 4)])
def test_a_rate_alone_becomes_the_acceptance_of_a_token(calculator, rate, n_max):
    """At that n_max a step gives 1 + n times the rate, as `metrics` counts it."""
    rows = calculator("fr")(costs="1 1 1 1 1", rate=rate, n_max=str(n_max))
    share = 0.5 if "%" in rate else float(rate)
    assert rows[n_max - 1]["values"][1] == pytest.approx(1 + n_max * share, abs=2e-3)


def test_positions_are_taken_over_as_they_are_printed(calculator):
    """Wordings C and D with their line of positions."""
    for line in (
        "draft acceptance = 0.64000 ( 192 accepted / 300 generated), mean acceptance length ="
        "  2.92, acceptance rate per position = (0.805, 0.632, 0.483)",
        "draft acceptance = 0.64000 ( 192 accepted / 300 generated), mean len =  2.92\n"
        "     acc per pos = (0.805, 0.632, 0.483)",
    ):
        rows = calculator()(costs="1 1 1 1", log=line)
        assert [row["values"][1] for row in rows[:3]] == pytest.approx([1.805, 2.437, 2.92])
        assert rows[3]["values"][1] is None


def test_the_speed_without_speculation_gives_the_step_cost(calculator):
    """Tokens of a step over the speed-up, by the formula of `metrics`."""
    reckon = calculator("fr")
    rows = reckon(
        log="       eval time =  10000.00 ms /   401 tokens (   24.94 ms per token,    40.10 tokens"
        " per second)\ndraft acceptance = 0.60000 (  240 accepted /   400 generated)",
        n_max="2",
        baseline="25,0",
    )
    cost = metrics.step_cost(1 + 2 * 0.6, 40 / 25)
    assert rows[0]["values"][2] is None
    assert rows[1]["values"][2] == pytest.approx(cost, abs=1e-4)
    assert "40,0 jetons/s" in reckon.said("read")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "eval time =  10000.00 ms / 401 tokens ( 24.94 ms per token, 40.10 tokens per second)",
        "slot print_timing: id  0 | task 7 | n_decoded = 187, tg = 6.71 t/s",
        "statistics draft-mtp: #calls(b,g,a) = 1 50 50, #gen drafts = 50, #acc drafts = 40, "
        "#gen tokens = 150, #acc tokens = 90",
        "draft acceptance = 0.90000 (   30 accepted /    60 generated)",
        "draft acceptance = nan (    0 accepted /     0 generated)",
        "draft acceptance = 0.5",
    ],
)
def test_what_no_line_says_stays_unknown(calculator, line):
    """Progress, totals of a server and counts that contradict their rate change nothing."""
    reckon = calculator()
    before = reckon(acceptance="0.8", costs="1.2 1.4")
    assert reckon(log=line, n_max="2", baseline="20") == before
    assert not line or "unknown" in reckon.said("read")


@pytest.mark.parametrize("path", LOGS, ids=lambda p: p.name)
def test_a_log_is_read_as_the_package_reads_it(calculator, path):
    """Every public sample: the same requests that drafted, with the same counts and n_max."""
    raw = path.read_bytes()
    found = _read(calculator().page, raw.decode("utf-8", "replace"))
    assert found == _drafted(raw)


def _drafted(raw):
    return [
        [getattr(request, name) for name in COUNTS]
        for request in read(BytesIO(raw), "pasted.log").requests
        if request.draft_n
    ]


def _read(page, text):
    names = ("drafted", "accepted", "predicted_n", "predicted_ms", "length")
    found = page.evaluate("text => serverLog.read(text)", text)["requests"]
    return [[request[name] for name in names] for request in found]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(case=logs(), kept=st.lists(st.booleans(), min_size=40, max_size=40))
def test_a_cut_and_mixed_log_is_read_as_the_package_reads_it(guides, case, kept):
    """Any wording, prefix and order, lines lost; a draft line alone is read for itself besides."""
    lines = [line for line, keep in zip(case[1], kept * len(case[1]), strict=False) if keep]
    text = "\n".join(lines) + "\n"
    alone = _read(guides["en"], text)
    for row in _drafted(text.encode()):
        assert row in alone
        alone.remove(row)
    assert all(row[2] is None for row in alone)


def test_the_counts_that_the_command_of_the_guide_prints_are_read(calculator):
    """`"draft_n":75` and its neighbour, or the whole answer."""
    for text in (
        '"draft_n":75\n"draft_n_accepted":30',
        '{"timings": {"draft_n": 75, "draft_n_accepted": 30}}',
    ):
        reckon = calculator()
        reckon(log=text)
        assert "30 of 75 draft tokens accepted (40.0%)" in reckon.said("read")


def test_every_field_is_reached_by_the_keyboard(calculator):
    """In the order of the page; Enter in a field sends nothing away."""
    page = calculator().page
    page.focus("[name=acceptance]")
    page.keyboard.press("Enter")
    reached = []
    for _ in range(9):
        reached.append(
            page.evaluate("document.activeElement.name || document.activeElement.tagName")
        )
        page.keyboard.press("Tab")
    assert reached[:8] == [
        "acceptance", "machine", "costs", "SUMMARY", "log", "rate", "n_max", "baseline",
    ]  # fmt: skip
    assert page.url.endswith("/en/guide/")


@pytest.mark.parametrize("language", PAGES)
def test_without_scripts_the_formula_stands_there(browser, address, language):
    """No dead form: one sentence in its place."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + PAGES[language])
    assert not page.is_visible(".sp-calculator")
    assert "(1 + a + a² + … + aⁿ)" in page.inner_text("noscript p")
    context.close()


def test_its_script_asks_for_nothing_and_writes_no_style():
    """It works without a server, and under a policy that allows no inline code."""
    for name in ("calculator.js", "server_log.js"):
        text = (ROOT / "docs/assets" / name).read_text(encoding="utf-8")
        assert not re.search(r"fetch|XMLHttp|import|eval\(|innerHTML|\.style|cookie|Storage", text)
    assert Path(ROOT / "docs/assets/calculator.js").stat().st_size < 12_000
