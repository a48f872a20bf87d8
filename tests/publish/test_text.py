"""Numbers and sentences in both languages."""

import ast
import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speculoos.publish import sentences, text, words
from speculoos.record import advice, faults, summary, surroundings
from speculoos.record.advice import Recommendation
from speculoos.record.types import Incident
from speculoos.record.warn import Warn

THIN = "\u202f"


@pytest.mark.parametrize(
    ("value", "fr", "en"),
    [
        (1.165, "1,17", "1.17"),
        (1234.5, f"1{THIN}234,50", "1,234.50"),
        (-0.001, "0,00", "0.00"),
        (-2, "\u22122,00", "\u22122.00"),
        (1e-300, "0,00", "0.00"),
    ],
)
def test_a_number_follows_its_language(value, fr, en):
    """Half up on the digits that were written, not on their binary neighbour."""
    assert (text.number(value, "fr"), text.number(value, "en")) == (fr, en)


def test_no_number_is_too_large_to_be_written():
    """A ratio of figures that are slips may have hundreds of digits."""
    assert text.number(1e300, "en").startswith("1,000,000,")


def test_units_and_signs_stay_on_the_line_of_their_number():
    """French puts a narrow no-break space before them."""
    assert text.percent(0.41, "fr") == f"41{THIN}%"
    assert text.percent(0.41, "en") == "41%"
    assert text.times(1.17, "fr") == f"\u00d7{THIN}1,17"
    assert " " not in text.rate(45.8, "fr") + text.rate(45.8, "en")


@given(st.floats(-1e9, 1e9, allow_nan=False), st.integers(0, 4))
def test_both_languages_say_the_same_number(value, digits):
    """Only the signs differ."""
    french = text.number(value, "fr", digits).replace(THIN, "").replace(",", ".")
    assert french == text.number(value, "en", digits).replace(",", "")


def test_every_label_has_two_languages():
    """A label without one of them would fail on one site only."""
    for name, texts in words.LABELS.items():
        assert set(texts) == set(text.LANGUAGES), name
        assert all(texts.values()), name


def _slugs(call, position):
    """The texts that the record passes, or assigns to `why` and passes."""
    tree = ast.parse("".join(map(inspect.getsource, (advice, summary, surroundings))))
    found = {
        node.args[position].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call
        if isinstance(node.args[position], ast.Constant)
    }
    if call == "Recommendation":
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "why":
                found |= {node.value.body.value, node.value.orelse.value}
    return found


def test_every_reason_of_a_verdict_has_a_sentence():
    """A slug that summary can give and the site cannot say would fail the build."""
    slugs = _slugs("Recommendation", 1)
    assert len(slugs) >= 5
    assert slugs <= set(sentences.REASONS)


def test_every_warning_has_a_sentence():
    """As for verdicts."""
    slugs = _slugs("Warn", 0)
    assert {"busy-during", "drift", "text-differs"} <= slugs
    assert slugs <= set(sentences.WARNINGS)


def test_sentences_have_both_languages_and_the_same_figures():
    """A figure that one language tells, the other tells."""
    gaps = __import__("string").Formatter().parse
    for table in (sentences.REASONS, sentences.WARNINGS):
        for slug, texts in table.items():
            named = [{name for _, name, _, _ in gaps(texts[lang]) if name} for lang in texts]
            assert set(texts) == {"fr", "en"}, slug
            assert named[0] == named[1], slug


def test_a_verdict_tells_its_interval():
    """The figures of the recommendation fill the sentence."""
    figures = {"speedup": 1.2, "low": 1.1, "high": 1.3, "blocks": 3.0}
    advice = Recommendation("use", "gain", 2, figures)
    assert sentences.verdict(advice, "en") == "Use it with n_max 2: 1.20\u00d7 (1.10 to 1.30)."
    assert f"n_max 2{THIN}: \u00d7{THIN}1,20 (1,10 à 1,30)." in sentences.verdict(advice, "fr")


def test_a_warning_tells_its_figures():
    """Texts stay as they are, shares become percentages."""
    warn = Warn("noisy", {"spread": 0.0712})
    assert f"7,1{THIN}%" in sentences.warning(warn, "fr")


def test_an_incident_says_how_the_server_ended():
    """Kind, exit code and signal as far as they are known."""
    seen = Incident(kind="crash", signal="SIGSEGV", after_samples=2)
    assert (
        sentences.incident(seen, "en")
        == "The server crashed (crash, SIGSEGV); samples before it: 2."
    )


def test_every_known_fault_has_a_sentence():
    """A kind that the record knows is told in words; another one by its slug."""
    known = {fault.kind for fault in vars(faults).values() if isinstance(fault, faults.Fault)}
    known |= {fault.kind for fault in faults.FAULTS}
    assert len(known) >= 8
    assert known <= set(sentences.INCIDENTS)
    new = Incident(kind="something-new", after_samples=0)
    assert "something-new" in sentences.incident(new, "fr")


def test_incidents_have_both_languages():
    """As for verdicts and warnings."""
    assert all(set(texts) == {"fr", "en"} for texts in sentences.INCIDENTS.values())
