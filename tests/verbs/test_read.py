"""`speculoos read` on saved logs: tables for people, objects for programs."""

import json
from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "read"


def test_json_is_one_list_with_the_keys_of_the_contract(speculoos):
    """One object per request, unknown as null."""
    done = speculoos("read", DATA / "08_mean_len_cut_end.log", "--json")
    first, second = json.loads(done.stdout)
    assert (first["task"], first["draft_n_accepted"], first["draft_n"]) == (181, 82, 84)
    assert (second["task"], second["speculation"], second["draft_n"]) == (226, "unknown", None)
    assert done.returncode == 0


def test_a_table_ends_with_a_summary_and_hints(speculoos):
    """Requests, tokens, rate, and what to do."""
    done = speculoos("read", DATA / "21_b11434_md_without_spec_type.log")
    assert "2 request(s); 106 tokens" in done.stdout
    assert "[silently-off]" in done.stdout


def test_what_holds_nothing_is_named_and_exits_1(speculoos, tmp_path: Path):
    """One line, no traceback; the other files are still read."""
    (tmp_path / "poem.txt").write_text("Roses are red\n")
    done = speculoos("read", "poem.txt", DATA / "17_timings_response.json")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "poem.txt: neither a log nor an output that speculoos reads"
    ]
    assert "65" in done.stdout
