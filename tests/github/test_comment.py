"""The comment on a pull request, written by the script of the workflow itself, on Node.js."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / ".github" / "workflows" / "preview-deploy.yml"
NODE = Path(sys.executable).parent / "node"
ADDRESS = "https://pr-7.previews.pages.dev"
RUN = """
const said = { made: [], changed: [] }
const github = {
  paginate: async () => given.comments,
  rest: { issues: {
    listComments: null,
    createComment: async (what) => said.made.push(what),
    updateComment: async (what) => said.changed.push(what),
  } },
}
const context = { repo: { owner: 'o', repo: 'r' }, payload: { workflow_run: given.run } }
const main = async () => { SCRIPT }
main().then(() => console.log(JSON.stringify(said)))
"""
RESULT = {
    "title": "A model",
    "verdict": "Use it with n_max 2: 1.50× (1.40 to 1.60).",
    "picture": "pull-request/rig-a.svg",
    "alt": "Speed-up by n_max",
    "head": ["setting", "speed-up"],
    "rows": [["n_max 2", "1.50×"]],
    "warnings": ["Busy machine: 30% of the processors."],
}


@pytest.fixture
def comment(tmp_path):
    """What the workflow would post for results that a build left in the site."""

    def write(results, conclusion="success", comments=(), address=ADDRESS):
        site = tmp_path / "site"
        site.mkdir(exist_ok=True)
        (site / "pull-request.json").write_text(json.dumps({"results": results}))
        steps = yaml.safe_load(DEPLOY.read_text())["jobs"]["comment"]["steps"]
        run = {"conclusion": conclusion, "html_url": "https://host.example/run/1"}
        given = json.dumps({"run": run, "comments": list(comments)})
        script = RUN.replace("SCRIPT", steps[-1]["with"]["script"])
        code = f"const given = {given}\n{script}".replace(
            "require('fs')", "process.getBuiltinModule('fs')"
        )
        done = subprocess.run(
            [NODE, "--input-type=module", "-e", code],
            cwd=tmp_path,
            env={"NUMBER": "7", "ADDRESS": address},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return write


def test_it_shows_each_new_result_with_figure_table_warnings_and_link(comment):
    """What a reviewer wants first."""
    (made,) = comment([RESULT])["made"]
    body = made["body"]
    assert made["issue_number"] == 7
    assert f"({ADDRESS}/en/pull-request/)" in body
    assert f"![Speed-up by n_max]({ADDRESS}/pull-request/rig-a.svg)" in body
    assert "| setting | speed-up |\n| --- | --- |\n| n_max 2 | 1.50× |" in body
    assert "- Busy machine: 30% of the processors." in body
    assert RESULT["verdict"] in body


def test_a_second_build_changes_the_same_comment(comment):
    """A pull request of twenty commits has one comment."""
    before = [{"id": 9, "user": {"type": "Bot"}, "body": "<!-- preview --> old"}]
    said = comment([RESULT], comments=before)
    assert [each["comment_id"] for each in said["changed"]] == [9]
    assert said["made"] == []


def test_the_comment_of_a_person_is_left_alone(comment):
    """Even where it starts like ours."""
    before = [{"id": 9, "user": {"type": "User"}, "body": "<!-- preview --> mine"}]
    assert comment([RESULT], comments=before)["changed"] == []


@pytest.mark.parametrize(
    ("bad", "gone"),
    [
        ("@everyone look", "@"),
        ("[free](https://evil.example)", "https://evil"),
        ("www.evil.example", "www."),
        ("<img src=x onerror=alert(1)>", "<img"),
        ("a | b | c", "a | b"),
        ("`rm -rf`", "`"),
        ("line\n# heading", "# heading"),
        ("![x](//evil.example/p.png)", "!["),
    ],
)
def test_a_hostile_text_is_quoted_without_its_signs(comment, bad, gone):
    """No mention, no link, no markup: only words are left."""
    hostile = RESULT | {
        "title": bad,
        "picture": "",
        "head": [bad],
        "rows": [[bad]],
        "warnings": [bad],
    }
    (made,) = comment([hostile], address="")["made"]
    assert gone not in made["body"].split("\n\n", 2)[2]


@pytest.mark.parametrize(
    "picture", ["../../x.svg", "https://evil.example/x.svg", "a.svg) ![", "x.png", "//evil/x.svg"]
)
def test_only_a_picture_of_the_preview_is_shown(comment, picture):
    """A path within the site, or none."""
    (made,) = comment([RESULT | {"picture": picture}])["made"]
    assert "![" not in made["body"]


@pytest.mark.parametrize("results", [None, "x", {"a": 1}, [[]], [{"rows": "x", "head": 3}]])
def test_results_of_another_shape_stop_nothing(comment, results):
    """The link is posted all the same."""
    (made,) = comment(results)["made"]
    assert f"({ADDRESS}/en/pull-request/)" in made["body"]


def test_a_build_that_failed_is_told_with_its_address(comment):
    """The problems stand there, line by line."""
    (made,) = comment([RESULT], conclusion="failure")["made"]
    assert "https://host.example/run/1" in made["body"]
    assert "A model" not in made["body"]
