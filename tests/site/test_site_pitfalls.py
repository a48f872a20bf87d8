"""The pitfalls: every warning of the tool finds its own, every claim of a reproduction its test."""

import re

import pytest
import yaml

from publish.search_box import found_by_pasting, found_by_typing
from publish.website import ROOT
from speculoos.publish import sentences
from speculoos.publish.cautions import WARNINGS
from speculoos.publish.observed_cautions import OBSERVED
from speculoos.read.request import MESSAGES
from speculoos.record import faults

PAGES = {lang: ROOT / "docs" / lang / "pitfalls.md" for lang in ("fr", "en")}
FIELDS = {
    "fr": ["Symptôme", "Cause", "Vérifier", "Remède", "Qui l’a payé", "Builds"],
    "en": ["Symptom", "Cause", "How to check", "Remedy", "Who paid for it", "Builds"],
}
CLAIM = {"fr": "Reproduit sur ", "en": "Reproduced on "}
SAID_IN_FULL = {"incident", "withdrawn"}
"""Warnings that are no pitfall: one names the kind of an incident, one carries its reason."""
REPRODUCED = {
    "broken-draft-model": "test_a_wrong_start_is_told_by_its_kind",
    "broken-model": "test_a_missing_empty_or_cut_model_is_told",
    "bad-request": "test_a_refused_request_is_answered_in_the_words_of_its_pitfall",
    "context-too-small": "test_a_prompt_that_does_not_fit_is_told",
    "draft-mismatch": "test_a_draft_model_of_another_vocabulary_is_told",
    "endpoint-off": "test_a_refused_request_is_answered_in_the_words_of_its_pitfall",
    "extra-file": "test_a_file_beside_the_model_is_not_taken_for_the_model",
    "flash-attention": "test_a_quantised_cache_needs_flash_attention",
    "file-changed": "test_a_file_replaced_during_a_measurement_is_noticed",
    "illegal-instruction": "test_a_build_for_another_processor_is_told",
    "invalid-argument": "test_a_wrong_start_is_told_by_its_kind",
    "invalid-samples": "test_a_depth_beyond_the_context_gives_samples_that_do_not_count",
    "key-refused": "test_a_refused_request_is_answered_in_the_words_of_its_pitfall",
    "killed": "test_a_server_that_dies_in_a_request_is_told_by_how_it_died",
    "missing-library": "test_a_binary_without_its_libraries_is_told",
    "n-max-too-large": "test_a_draft_deeper_than_the_batch_is_a_crash_that_is_recorded",
    "n-max-zero": "test_a_wrong_start_is_told_by_its_kind",
    "no-head": "test_a_model_without_a_head_is_told_and_the_baseline_still_measured",
    "no-model": "test_a_router_without_a_model_is_told",
    "no-reasoning": "test_a_template_without_reasoning_is_known",
    "nothing-drafted": "test_a_run_that_never_drafts_is_an_incident_that_keeps_its_samples",
    "old-build": "test_a_head_is_ignored_without_the_flag",
    "other-server": "test_the_server_of_another_is_never_measured",
    "out-of-memory": "test_memory_that_runs_out_is_told",
    "port-taken": "test_the_server_of_another_is_never_measured",
    "rate-mismatch": "test_the_rate_of_an_answer_counts_all_tokens_or_all_but_one",
    "removed-flag": "test_a_wrong_start_is_told_by_its_kind",
    "silently-off": "test_a_draft_model_without_a_type_is_loaded_and_never_used",
    "stopped": "test_a_server_that_somebody_stops_is_told",
    "unknown-spec-type": "test_a_wrong_start_is_told_by_its_kind",
    "warm-ngrams": "test_a_pool_of_ngrams_makes_a_repetition_faster",
    "window-gauge": "test_a_gauge_starts_again_at_every_reading",
    "wrong-witness": "test_the_properties_say_none_while_the_server_drafts",
}
"""Pitfalls that a test provokes on a real server, and the test."""


def _text(language):
    return PAGES[language].read_text(encoding="utf-8")


def _pitfalls(language):
    """Every pitfall by its anchor: the text below its heading."""
    parts = re.split(r"^(#{2,3}) .*\{#([a-z0-9-]+)\}$", _text(language), flags=re.MULTILINE)
    found = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    return {anchor: text for level, anchor, text in found if level == "###"}


def _aliases(language):
    return set(re.findall(r'<span id="([a-z-]+)"></span>', _text(language)))


def _kinds():
    """Every kind that the tool can name: faults, hints of logs, warnings, refusals."""
    known = {f.kind for f in vars(faults).values() if isinstance(f, faults.Fault)}
    known |= {fault.kind for fault in faults.FAULTS}
    said = set(WARNINGS) | set(OBSERVED) | set(MESSAGES) | set(sentences.INCIDENTS)
    return (known | said) - SAID_IN_FULL


@pytest.mark.parametrize("language", PAGES)
def test_every_kind_that_the_tool_names_has_its_anchor(language):
    """A warning without a pitfall would leave its reader alone."""
    assert _kinds() <= set(_pitfalls(language)) | _aliases(language)


def test_both_languages_have_the_same_anchors():
    """Each once: a second name of a pitfall is no pitfall of its own."""
    assert list(_pitfalls("fr")) == list(_pitfalls("en"))
    assert _aliases("fr") == _aliases("en")
    assert not _aliases("en") & set(_pitfalls("en"))


def test_every_link_from_the_program_leads_to_an_anchor():
    """Messages of the program and of the server's faults, wherever they are written."""
    code = "\n".join(p.read_text("utf-8") for p in (ROOT / "scripts").rglob("*.py"))
    linked = set(re.findall(r"pitfalls(?:\.md|/)?#([a-z][a-z-]+)", code))
    assert linked <= set(_pitfalls("en")) | _aliases("en")


@pytest.mark.parametrize("language", PAGES)
def test_every_pitfall_tells_what_to_see_why_and_what_to_do(language):
    """The same six fields, in the same order, none of them empty."""
    found = _pitfalls(language)
    assert len(found) >= 25
    for anchor, text in found.items():
        assert re.findall(r"^(.+)\n:   \S", text, re.MULTILINE) == FIELDS[language], anchor


@pytest.mark.parametrize("language", PAGES)
def test_what_is_said_to_be_reproduced_is_reproduced_by_a_test(language):
    """The claim stands exactly where a test provokes the failure on a real server."""
    claimed = {anchor for anchor, text in _pitfalls(language).items() if CLAIM[language] in text}
    assert claimed == set(REPRODUCED)
    tests = "\n".join(p.read_text("utf-8") for p in (ROOT / "tests/measure").glob("test_*.py"))
    for name in REPRODUCED.values():
        assert f"def {name}(" in tests, name


MESSAGES_OF_SERVERS = ROOT / "tests/data/server_messages.yaml"


def _messages():
    """Every line of a server with the anchor of its pitfall."""
    lines = yaml.safe_load(MESSAGES_OF_SERVERS.read_text(encoding="utf-8"))
    return [(anchor, message) for anchor, messages in lines.items() for message in messages]


@pytest.mark.parametrize("home", ["", "en/"])
def test_a_message_of_a_server_finds_its_pitfall_first(open_page, home):
    """Pasted into the search as the server prints it."""
    page = open_page(home)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    wrong = {}
    for anchor, message in _messages():
        found = found_by_pasting(page, message)
        first = next((place for place in found if "#" in place), "")
        if not first.endswith(f"/{home}pitfalls/#{anchor}"):
            wrong[message] = first
    assert wrong == {}


LOG = """
0.00.097.310 W model has unused tensor blk.2.nextn.eh_proj.weight (size = 32768 bytes) -- ignoring
0.00.731.494 E spec common_specu: the target and draft vocabs are not compatible
0.00.731.608 E srv    load_model: failed to initialize speculative decoding context: draft model \
vocab type must match target model to use speculation
0.00.812.003 I srv  llama_server: model loaded
"""


@pytest.mark.parametrize("home", ["", "en/"])
def test_of_a_log_the_error_counts(open_page, home):
    """Pasted with the lines around it, warnings of another pitfall among them."""
    page = open_page(home)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    found = [place for place in found_by_pasting(page, LOG) if "#" in place]
    assert found[0] == f"/{home}pitfalls/#draft-mismatch"


@pytest.mark.parametrize("home", ["", "en/"])
@pytest.mark.parametrize("typed", ["no-head", "pitfalls#no-head"])
def test_the_anchor_that_a_warning_names_finds_its_pitfall(open_page, home, typed):
    """As the program prints it, or only its last part."""
    found = [place for place in found_by_typing(open_page(home), typed) if "#" in place]
    assert found[0] == f"/{home}pitfalls/#no-head"
