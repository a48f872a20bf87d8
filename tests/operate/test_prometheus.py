"""Alerts and dashboard: Prometheus reads them, and a real server has every counter they name."""

import itertools
import json
import re
import subprocess

import httpx
import pytest
import yaml

from operate.files import FOLDER, program
from publish.website import ROOT

_METRIC = re.compile(r"llamacpp:\w+")


@pytest.fixture(scope="module")
def dashboard():
    """What Grafana imports."""
    return json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def rules():
    """Every rule of the file."""
    text = (FOLDER / "alerts.yaml").read_text(encoding="utf-8")
    return [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]


def _targets(dashboard):
    return [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]


def _promtool(*words):
    return subprocess.run(
        [program("promtool"), *map(str, words)], capture_output=True, text=True, check=False
    )


def test_prometheus_reads_the_configuration_and_the_rules():
    """One command judges both: the configuration names the rules."""
    done = _promtool("check", "config", FOLDER / "prometheus.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rules found" in done.stdout


def test_every_alert_fires_when_it_must_and_not_before():
    """Counters that go well, badly or not at all: tests/operate/alerts_test.yaml."""
    done = _promtool("test", "rules", ROOT / "tests/operate/alerts_test.yaml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_has_its_test(rules):
    """An alert that no test raises may never fire."""
    raised = (ROOT / "tests/operate/alerts_test.yaml").read_text(encoding="utf-8")
    tests = yaml.safe_load(raised)["tests"]
    fired = {
        case["alertname"]
        for test in tests
        for case in test["alert_rule_test"]
        if case.get("exp_alerts")
    }
    assert fired == {rule["alert"] for rule in rules if "alert" in rule}


def test_prometheus_reads_every_query_of_the_dashboard(dashboard, tmp_path):
    """As rules of a file of their own, with Grafana's variables filled in."""
    queries = map(_filled, _targets(dashboard))
    made = [{"record": f"q:{n}", "expr": query} for n, query in enumerate(queries)]
    path = tmp_path / "queries.yaml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "q", "rules": made}]}))
    done = _promtool("check", "rules", path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(made)} rules found" in done.stdout


SHOWN = [0.556, 60, 2.667, 0.7, 2, 1, 1, 0]
"""What the queries of the dashboard give for the counters below, in their order."""
_COUNTERS = {
    "n_decode_total": "0+900x120",
    "tokens_predicted_total": "0+2400x120",
    "tokens_predicted_seconds_total": "0+40x120",
    "spec_decode_num_drafts_total": "0+900x120",
    "spec_decode_num_draft_tokens_total": "0+2700x120",
    "spec_decode_num_accepted_tokens_total": "0+1500x120",
    'spec_decode_num_accepted_tokens_per_pos_total{position="0"}': "0+630x120",
    "requests_processing": "2x120",
    "requests_deferred": "1x120",
}


def test_the_dashboard_shows_what_the_counters_say(dashboard, tmp_path):
    """Each query gives one value, and the right one: nothing is lost in a join of labels."""
    labels = '{instance="a", job="llama"}'
    series = [
        {"series": f"llamacpp:{name}{labels}".replace("}{", ", "), "values": values}
        for name, values in _COUNTERS.items()
    ]
    series.append({"series": f"up{labels}", "values": "1x120"})
    shown = [
        {"expr": f"round(sum({_filled(query)}), 0.001)", "eval_time": "1h",
         "exp_samples": [{"labels": "{}", "value": value}]}
        for query, value in zip(_targets(dashboard), SHOWN, strict=True)
    ]  # fmt: skip
    path = tmp_path / "shown.yaml"
    test = {"interval": "1m", "input_series": series, "promql_expr_test": shown}
    path.write_text(yaml.safe_dump({"rule_files": [], "tests": [test]}))
    done = _promtool("test", "rules", path)
    assert done.returncode == 0, done.stdout + done.stderr


def _filled(query):
    """A query as Grafana sends it, its variables replaced."""
    return query.replace("$__rate_interval", "5m").replace("$instance", ".*")


def test_a_real_server_has_every_counter_that_is_named(speculating, newest, rules, dashboard):
    """After one request that drafts; a name with a slip would be silence for ever."""
    server = speculating(newest)
    body = {"prompt": "ab", "n_predict": 40, "temperature": 0}
    httpx.post(f"{server.url}/completion", json=body).raise_for_status()
    page = httpx.get(f"{server.url}/metrics").text
    named = set(_METRIC.findall(" ".join([*_targets(dashboard), *(r["expr"] for r in rules)])))
    if "spec_decode" not in page:
        pytest.skip("no build here counts drafts")
    assert len(named) >= 8
    assert named <= set(_METRIC.findall(page))


def test_a_router_gives_the_counters_of_one_model(serve, newest, tiny, tmp_path):
    """At the address that the configuration makes; and asking for them loads nothing."""
    jobs = yaml.safe_load((FOLDER / "prometheus.yaml").read_text())["scrape_configs"]
    params = {name: value[0] for name, value in jobs[1]["params"].items()}
    preset = tmp_path / "models.ini"
    preset.write_text(f"version = 1\n[fast]\nmodel = {tiny}\nctx-size = 512\n")
    server = serve(newest, "--models-preset", preset, "--metrics")
    assert httpx.get(f"{server.url}/metrics", params=params).status_code == 400
    body = {"prompt": "ab", "max_tokens": 8, "model": "fast"}
    httpx.post(f"{server.url}/v1/completions", json=body, timeout=60).raise_for_status()
    page = httpx.get(f"{server.url}/metrics", params=params)
    assert "llamacpp:tokens_predicted_total 8" in page.text


def test_the_dashboard_has_panels_that_do_not_overlap(dashboard):
    """Each with a title, a description and a place of its own, on a grid 24 wide."""
    taken = set()
    for panel in dashboard["panels"]:
        assert panel["title"]
        assert panel["description"].endswith(".")
        at = panel["gridPos"]
        cells = set(
            itertools.product(range(at["x"], at["x"] + at["w"]), range(at["y"], at["y"] + at["h"]))
        )
        assert not cells & taken
        assert at["x"] + at["w"] <= 24
        taken |= cells
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
