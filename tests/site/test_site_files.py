"""What the built site holds, read as files."""

import csv
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from bs4 import BeautifulSoup

from publish.website import PAGES, ROOT, SITE_URL, URLS, build, copied
from speculoos.publish.dataset import FILES

DOCS = ROOT / "docs"
EXTERNAL = re.compile(r"^(?:https?:)?//")


def test_the_repository_builds_strictly_and_says_nothing(built):
    """No warning: not one page, link or anchor is wrong."""
    _, done = built
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def test_the_same_sources_give_the_same_bytes(built, tmp_path):
    """A preview can be compared with what is published."""
    target, _ = built
    again = tmp_path / "site"
    assert build(again).returncode == 0
    assert _hashes(again) == _hashes(target)


def _hashes(folder):
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def test_every_page_exists_in_both_languages(site):
    """French at the root, English under `en/`, the same addresses."""
    pages = {p.parent.relative_to(site).as_posix() for p in site.rglob("index.html")}
    french = {page for page in pages if page != "en" and not page.startswith("en/")}
    english = {page.removeprefix("en").lstrip("/") or "." for page in pages - french}
    assert french == english
    assert {(page.strip("/") or ".") for page in PAGES} <= french


@pytest.mark.parametrize("page", PAGES)
def test_both_languages_have_the_same_headings_and_figures(soup, page):
    """Ids, levels and order; figures with their kind; as many tables and verdicts."""
    shapes = [_shape(soup(prefix + page)) for prefix in ("", "en/")]
    assert shapes[0] == shapes[1]


def _shape(html):
    article = html.select_one("article")
    headings = [(h.name, h.get("id")) for h in article.select("h1, h2, h3, h4")]
    assert all(id_ for _, id_ in headings)
    return (
        headings,
        [figure["data-figure"] for figure in article.select("figure")],
        [len(table.select("tr")) for table in article.select("table")],
        [verdict["class"] for verdict in article.select(".sp-verdict")],
        [block["data-result"] for block in article.select(".sp-result")],
    )


@pytest.mark.parametrize("page", PAGES)
def test_both_languages_ask_for_the_same_values(page):
    """A value that stands in one language only is a sentence that was not translated."""
    name = f"{page.strip('/') or 'index'}.md"
    markers = [
        re.findall(r"\[\[.*?\]\]", (DOCS / lang / name).read_text(encoding="utf-8"), re.DOTALL)
        for lang in ("fr", "en")
    ]
    own = ("ma-machine/2026-11-29-mon-modele", "my-machine/2026-11-29-my-model")
    assert [marker.replace(*own) for marker in markers[0]] == markers[1]


@pytest.mark.parametrize("url", URLS)
def test_no_marker_is_left_over(soup, url):
    """Another generator would publish them raw and say that all is well."""
    html = BeautifulSoup(str(soup(url)), "html.parser")
    for code in html.select("code, pre, script"):
        code.decompose()
    assert "[[" not in html.text
    assert not html.select(".sp-slot")


@pytest.mark.parametrize("url", URLS)
def test_a_page_names_itself_and_its_other_language(site, soup, url):
    """Language, description, canonical address, absolute alternates with a default."""
    html = soup(url)
    assert html.html["lang"] == ("en" if url.startswith("en/") else "fr")
    assert len(html.select_one('meta[name="description"]')["content"]) > 50
    assert html.select_one('link[rel="canonical"]')["href"] == SITE_URL + url
    assert html.select_one('meta[property="og:url"]')["content"] == SITE_URL + url
    page = url.removeprefix("en/")
    links = {link["hreflang"]: link["href"] for link in html.select("head link[hreflang]")}
    assert links == {
        "fr": SITE_URL + page,
        "en": f"{SITE_URL}en/{page}",
        "x-default": SITE_URL + page,
    }
    # An exact `rel="alternate"` would make the theme fetch a sitemap beside the page.
    assert 'rel="alternate"' not in (site / url / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("url", URLS)
def test_a_page_brings_its_card(site, soup, url):
    """Title and description of its own, and a picture of its language that is really there."""
    told = {meta["property"]: meta["content"] for meta in soup(url).select('meta[property^="og:"]')}
    assert told["og:title"] in soup(url).title.text
    assert told["og:description"] == soup(url).select_one('meta[name="description"]')["content"]
    picture = told["og:image"].removeprefix(SITE_URL)
    assert picture == f"assets/card-{soup(url).html['lang']}.png"
    head = (site / picture).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    size = (int.from_bytes(head[16:20]), int.from_bytes(head[20:24]))
    assert size == (int(told["og:image:width"]), int(told["og:image:height"])) == (1200, 630)
    assert told["og:image:alt"]


def test_descriptions_differ_between_pages(soup):
    """One text for all would describe none."""
    texts = [soup(url).select_one('meta[name="description"]')["content"] for url in URLS]
    assert len(set(texts)) == len(URLS)


@pytest.mark.parametrize("url", [*URLS, "404.html"])
def test_a_page_loads_nothing_from_elsewhere(soup, url):
    """No font, no script, no picture of another host; links are free."""
    for tag, attribute in (("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")):
        for node in soup(url).select(f"{tag}[{attribute}]"):
            if "canonical" in node.get("rel", []) or node.get("hreflang"):
                continue
            assert not EXTERNAL.match(node[attribute]), node


def test_the_missing_page_is_french_and_greets_in_english_too(soup):
    """Both languages write one file: the default's stays."""
    html = soup("404.html")
    assert html.html["lang"] == "fr"
    assert html.select_one('p[lang="en"] a')["href"].endswith("/en/")


def test_each_language_searches_its_own_pages(site, soup):
    """Two indexes, each with places below its own base."""
    french = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    english = json.loads((site / "en/search/search_index.json").read_text(encoding="utf-8"))
    assert (french["config"]["lang"], english["config"]["lang"]) == (["fr"], ["en"])
    places = [{doc["location"] for doc in index["docs"]} for index in (french, english)]
    assert places[0] == places[1]
    assert not any(place.startswith("en/") for place in places[0])
    for url, base in (("", "."), ("results/", ".."), ("en/", "./"), ("en/results/", "../")):
        config = json.loads(soup(url).select_one("#__config").string)
        assert config["base"] == base, url


def test_no_drawing_enters_the_search(site):
    """A search for a number of an axis would find nothing but noise."""
    for index in ("search/search_index.json", "en/search/search_index.json"):
        assert "<svg" not in (site / index).read_text(encoding="utf-8")


def test_the_data_of_all_results_is_published(site):
    """One file that a program reads, with every result of the page."""
    data = json.loads((site / "data/results.json").read_text(encoding="utf-8"))
    ids = {entry["id"] for entry in data["results"]}
    assert {"bench/2026-gain", "bench/2026-crash", "reported/other"} <= ids


def test_every_file_of_data_is_built_and_linked_from_its_page(site, soup):
    """In both languages, each with the feed of its own; what is linked is there."""
    built = {path.name for path in (site / "data").iterdir() if path.is_file()} - {"index.html"}
    linked = set()
    for url, own in (("data/", "feed.fr.xml"), ("en/data/", "feed.en.xml")):
        names = [Path(a["href"]).name for a in soup(url).select("article a[download]")]
        assert {name.replace(own, "feed.xml") for name in names} == set(FILES)
        linked |= set(names)
    assert linked == built


@pytest.mark.parametrize("url", URLS)
def test_every_page_names_the_feed_of_its_language(site, soup, url):
    """A feed reader that is given any address finds it."""
    (link,) = soup(url).select('head link[type="application/atom+xml"]')
    language = "en" if url.startswith("en/") else "fr"
    assert (site / url / link["href"]).resolve() == (site / f"data/feed.{language}.xml").resolve()


def test_the_files_of_data_say_the_same_and_can_be_read(site):
    """Every result of the JSON is in one of the CSV files and in both feeds; numbers are equal."""
    data = site / "data"
    entries = json.loads((data / "results.json").read_text(encoding="utf-8"))["results"]
    names = ("results.csv", "observed.csv", "reported.csv")
    rows = [row for name in names for row in _rows(data / name)]
    assert {row["id"] for row in rows} == {entry["id"] for entry in entries}
    for row in _rows(data / "results.csv"):
        entry = next(each for each in entries if each["id"] == row["id"])
        points = [point for point in (entry["baseline"], *entry["points"]) if point]
        point = next(each for each in points if each["setting"] == row["setting"])
        for name in ("speedup", "speedup_low", "step_cost", "tokens_per_second"):
            assert (float(row[name]) if row[name] else None) == point[name]
    for language in ("fr", "en"):
        assert len(fromstring((data / f"feed.{language}.xml").read_text(encoding="utf-8"))) > len(
            entries
        )
    schema = json.loads((data / "schema.json").read_text(encoding="utf-8"))
    assert schema == json.loads((ROOT / "measurements/schema.json").read_text(encoding="utf-8"))


def _rows(path):
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_every_link_of_the_built_site_leads_somewhere(site):
    """MkDocs does not see links in raw HTML; lychee does, fragments included."""
    lychee = Path(sys.executable).with_name("lychee")
    done = subprocess.run(
        [lychee, "--offline", "--include-fragments", "--index-files", "index.html",
         "--root-dir", str(site), "--no-progress", *map(str, site.rglob("index.html"))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_a_wrong_marker_stops_the_build_with_page_and_line(tmp_path):
    """Every error of the language together."""
    copied(tmp_path)
    for page in ("index.md", "protocol.md"):
        path = tmp_path / "docs/fr" / page
        path.write_text(path.read_text(encoding="utf-8") + '\n[[ tabel("results") ]]\n', "utf-8")
    done = build(tmp_path / "site", root=tmp_path)
    assert done.returncode != 0
    for page in ("index.md", "protocol.md"):
        line = len((tmp_path / "docs/fr" / page).read_text(encoding="utf-8").splitlines())
        said = f'docs/fr/{page}:{line}: marker "tabel" does not exist; did you mean "table"?'
        assert said in done.stderr
    assert "Traceback" not in done.stderr
