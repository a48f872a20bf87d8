"""Logs as people keep them: picked out by grep, with their command, with logs quoted inside."""

import json

import pytest

from read.log_writer import Truth, bare, keyed
from speculoos.read import read

ONE = Truth(0, 7, 40, 500.0, 96, 2000.0, ((3, 2),) * 20)
COMMAND = (
    "./bin/llama-server {}",
    "  -m tiny.gguf {}",
    "  -ngl 99 {}",
    "  --spec-type draft-mtp {}",
    "  --spec-draft-n-max 3",
)


def found(*lines, end="\n"):
    return read([(line + end).encode() for line in lines], "input")


@pytest.mark.parametrize("sign", ["\\", "^", "`"], ids=["sh", "cmd", "powershell"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_command_of_several_lines_is_one_command(sign, end):
    """Its n_max is that of the requests behind it."""
    command = [line.format(sign) for line in COMMAND]
    (request,) = found(*command, *keyed(ONE, "B"), end=end).requests
    assert request.n_max == 3


def test_a_removed_flag_is_seen_on_any_line_of_a_command():
    """And so is a draft model that no type uses."""
    reading = found("$ llama-server \\", "  -m a.gguf \\", "  --draft-max 8 \\", "  -md b.gguf")
    assert [h.kind for h in reading.hints] == ["removed-flags", "silently-off"]


def test_a_command_quoted_in_markdown_ends_with_its_quote():
    """The heading above a table of mtp-bench.py tells its n_max."""
    row = "  code_python        pred= 192 draft= 200 acc= 120 rate=0.600 tok/s=31.5"
    (request,) = found("`llama-server -m a.gguf --spec-draft-n-max 4`", "", row).requests
    assert request.n_max == 4


def test_draft_lines_that_grep_picked_out_are_a_request_each():
    """Their counts are true; everything else is unknown."""
    lines = [f"draft acceptance rate = {a / d:.5f} ({a:5d} accepted / {d:5d} generated)"
             for a, d in ((3, 9), (40, 50), (7, 7))]  # fmt: skip
    requests = found(*lines).requests
    assert [(r.draft_n_accepted, r.draft_n) for r in requests] == [(3, 9), (40, 50), (7, 7)]
    assert {(r.predicted_n, r.slot) for r in requests} == {(None, None)}


@pytest.mark.parametrize(
    "front",
    ["srv  log_server_r: request:  ", "0.01.000.000 D srv  update_chat_: Parsing chat message: "],
)
def test_a_log_that_somebody_asked_about_is_no_request(front):
    """A server at its most talkative prints what it is asked."""
    other = Truth(0, 3, 10, 100.0, 900, 30000.0, ((3, 1),) * 9)
    quoted = front + "\\n".join(["slot print_timing: id  0 | task 3 | ", *keyed(other, "B")])
    (request,) = found(quoted, *keyed(ONE, "B")).requests
    assert (request.task, request.predicted_n, request.draft_n) == (7, 96, 60)


def test_pages_of_several_servers_are_told_apart_by_their_labels():
    """As Prometheus gives them back, with the position among the labels."""
    lines = [
        f'llamacpp:{name}{{instance="{host}:8080"{more}}} {value}'
        for name, more, values in (
            ("tokens_predicted_total", "", (500, 90)),
            ("spec_decode_num_draft_tokens_total", "", (60, 8)),
            ("spec_decode_num_accepted_tokens_total", "", (30, 5)),
            ("spec_decode_num_drafts_total", "", (20, 4)),
            ("spec_decode_num_accepted_tokens_per_pos_total", ',position="0"', (18, 3)),
            ("spec_decode_num_accepted_tokens_per_pos_total", ',position="1"', (12, 2)),
        )
        for host, value in zip("ab", values, strict=True)
    ]
    first, second = found(*lines).requests
    assert (first.predicted_n, first.draft_n, first.accepted_per_position) == (500, 60, (18, 12))
    assert (second.mean_acceptance_length, second.accepted_per_position) == (2.25, (3, 2))


def test_a_page_of_values_that_are_no_numbers_gives_none():
    """A page that was damaged on its way."""
    lines = ["tokens_predicted_total 1.2.3e", "tokens_predicted_seconds_total NaN"]
    assert found(*(f"llamacpp:{line}" for line in lines)).requests[:1] == ()


def test_servers_of_a_journal_are_told_apart():
    """`journalctl -o json` names the process of each line."""
    first, second = (Truth(0, n, 40, 500.0, 96 + n, 2000.0, ((3, 2),) * 9) for n in (1, 2))
    woven = zip(bare(first, "A"), bare(second, "A"), strict=True)
    entries = (
        {"_PID": str(process), "SYSLOG_IDENTIFIER": "llama-server", "MESSAGE": line}
        for lines in woven
        for process, line in enumerate(lines, 4_000_712)
    )
    requests = found(*map(json.dumps, entries)).requests
    assert {(r.task, r.predicted_n, r.draft_n) for r in requests} == {(1, 97, 27), (2, 98, 27)}
