"""Between MkDocs and `speculoos.publish`: what must be said in MkDocs' words, and no more.

`SPECULOOS_MEASUREMENTS` adds folders of measurements, separated as `PATH` is.
`SPECULOOS_CHANGED` names the files that a pull request changes, one a line: they get a page.
"""

import json
import os
import re
from pathlib import Path
from typing import Any, cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

from speculoos.publish import preview
from speculoos.publish.dataset import dataset
from speculoos.publish.feed import feed
from speculoos.publish.field import sweeps
from speculoos.publish.figures import draw_card
from speculoos.publish.memory import Memory
from speculoos.publish.pages import Beside, Pages, Place
from speculoos.publish.pages.html import keep_words_whole
from speculoos.publish.pages.render import fill_slots
from speculoos.publish.results import Result, Results
from speculoos.publish.search import split_search
from speculoos.publish.series import recommended
from speculoos.publish.spreadsheet import observed_csv, reported_csv, results_csv
from speculoos.publish.text import LANGUAGES, Language
from speculoos.publish.words import label
from speculoos.record.problem import BadFileError, Problem, shown
from speculoos.record.store import Collection, load, load_collection
from speculoos.record.store.document import Record
from speculoos.record.types.coverage import Coverage
from speculoos.record.types.memory import LoggedMemory, PublicModels
from speculoos.record.types.sources import Reference, Sources

RESULTS_PAGE = "results.md"
SOURCES_PAGE = "sources.md"
PITFALLS_PAGE = "pitfalls.md"
FIELD_FILE = "field-n-max.csv"


class _Site:
    """What one build, with both its languages, holds between two events."""

    pages: Pages
    results: Results
    problems: list[Problem]
    slots: dict[str, dict[str, str]]


_site = _Site()


@event_priority(50)
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Read all measurements, once for both languages."""
    _site.problems, _site.slots = [], {}
    config.extra["card_alt"] = {language: label("card_alt", language) for language in LANGUAGES}
    if not _building(config):
        _site.results = Results(_collections(config), _root(config))
        _site.pages = Pages(
            _site.results,
            _files_at(config),
            _references(config),
            changed=_changed(),
            beside=_beside(config),
        )
        _preview_page(config)
    return config


def _files_at(config: MkDocsConfig) -> str:
    """Where the repository's files can be seen; empty where that is not known."""
    repo = config.extra.get("repo")
    return f"{repo}/blob/{config.extra['ref']}" if repo else ""


def _changed() -> tuple[str, ...]:
    return tuple(os.environ.get("SPECULOOS_CHANGED", "").splitlines())


def _preview_page(config: MkDocsConfig) -> None:
    """A page of what changed, in front of the others; none where nothing is previewed."""
    wanted = "SPECULOOS_CHANGED" in os.environ
    for language in LANGUAGES:
        path = Path(config.docs_dir) / language / preview.PAGE
        if wanted:
            path.write_text(preview.page_text(language), encoding="utf-8")
        else:
            path.unlink(missing_ok=True)
    if wanted and config.nav:
        config.nav = [{label("preview_title", "fr"): preview.PAGE}, *config.nav]


def _references(config: MkDocsConfig) -> dict[str, Reference]:
    return _read(config, "sources.yaml", Sources).sources


def _beside(config: MkDocsConfig) -> Beside:
    logged = _read(config, "memory-logged.yaml", LoggedMemory)
    memory = Memory(logged, _read(config, "memory.yaml", PublicModels))
    found = sweeps((Path(config.docs_dir) / FIELD_FILE).read_text(encoding="utf-8"))
    return Beside(memory, found, _read(config, "coverage.yaml", Coverage))


def _read(config: MkDocsConfig, name: str, kind: type[Record]) -> Record:
    """What a file of `docs/` says; the build stops at one that cannot be read."""
    try:
        return load(Path(config.docs_dir) / name, kind).record
    except BadFileError as error:
        raise PluginError(str(error)) from error


def _collections(config: MkDocsConfig) -> list[Collection]:
    more = os.environ.get("SPECULOOS_MEASUREMENTS", "").split(os.pathsep)
    folders = [_root(config) / "measurements", *(Path(path).resolve() for path in more if path)]
    found = [load_collection(folder) for folder in dict.fromkeys(folders)]
    problems = [problem for each in found for problem in each.problems]
    _stop_at(sorted(problems))
    return found


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace the markers; errors wait until every page of the language was seen."""
    rendered = _site.pages.render(markdown, _place(markdown, page, config, files))
    _site.problems += rendered.problems
    _site.slots[page.file.src_uri] = dict(rendered.slots)
    return rendered.markdown


def _place(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> Place:
    source = Path(cast("str", page.file.abs_src_path))
    whole = source.read_text(encoding="utf-8-sig")
    before = whole[: len(whole) - len(markdown.rstrip()) - _tail(whole)]
    return Place(
        path=shown(source, _root(config)),
        language=_language(config),
        results_url=_way(page, files, RESULTS_PAGE),
        sources_url=_way(page, files, SOURCES_PAGE),
        pitfalls_url=_way(page, files, PITFALLS_PAGE),
        data_url=get_relative_url("data/", page.url),
        assets_url=get_relative_url("assets/", page.url),
        first_line=before.count("\n") + 1,
    )


def _way(page: Page, files: Files, name: str) -> str:
    """The relative address of another page; empty where it is this one."""
    target = files.get_file_from_path(name)
    return get_relative_url(target.url, page.url) if target and target != page.file else ""


def _tail(text: str) -> int:
    return len(text) - len(text.rstrip())


def on_env(env: Any, config: MkDocsConfig, files: Files) -> Any:  # noqa: ARG001 - MkDocs' names
    """Stop at the errors of all pages of a language together."""
    _stop_at(sorted(_site.problems))
    return env


def _stop_at(problems: list[Problem]) -> None:
    if problems:
        raise PluginError("\n".join(map(str, problems)))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Put the figures in; let each language search its own index, by our worker."""
    output = fill_slots(keep_words_whole(output), _site.slots.get(page.file.src_uri, {}))
    output = output.replace(' tabindex=""', "")  # of the theme, beside a section: no valid HTML
    output = re.sub(r"(/workers/)(search\.\w+\.min\.js)", r"\1messages.js?\2", output, count=1)
    language = _language(config)
    if language == _default(config):
        return output
    home = get_relative_url(f"{language}/", page.url)
    return re.sub(r'("base": ?)"[^"]*"', rf'\1"{home}"', output, count=1)


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Keep the page of the default language where both languages would write the same file."""
    if template_name == "404.html" and _language(config) != _default(config):
        return ""
    return output_content


@event_priority(-200)
def on_post_build(config: MkDocsConfig) -> None:
    """After both languages: one search index each, all results as data, a picture for links."""
    if _building(config):
        return
    site = Path(config.site_dir)
    _split_search(site)
    (site / "data").mkdir(exist_ok=True)
    for name, text in _data(config).items():
        (site / "data" / name).write_text(text, encoding="utf-8")
    for language in LANGUAGES:
        picture = draw_card(recommended(_site.results.values()), language)
        (site / "assets" / f"card-{language}.png").write_bytes(picture)
    if changed := _site.results.at(_changed()):
        _write_comment(config, changed)


def _data(config: MkDocsConfig) -> dict[str, str]:
    """Every file of data by its name: `speculoos.publish.dataset.FILES`."""
    results = list(_site.results.values())
    schema = _root(config) / "measurements" / "schema.json"
    feeds = {f"feed.{each}.xml": feed(results, config.site_url or "", each) for each in LANGUAGES}
    return {
        "results.json": dataset(results),
        "results.csv": results_csv(results),
        "observed.csv": observed_csv(results),
        "reported.csv": reported_csv(results),
        "schema.json": schema.read_text(encoding="utf-8"),
        FIELD_FILE: (Path(config.docs_dir) / FIELD_FILE).read_text(encoding="utf-8"),
        **feeds,
    }


def _write_comment(config: MkDocsConfig, changed: list[Result]) -> None:
    style_sheet = Path(config.docs_dir) / "assets" / "speculoos.css"
    files = preview.pictures(changed, style_sheet.read_text(encoding="utf-8"))
    for path, text in {**files, preview.DATA: preview.comment(changed)}.items():
        target = Path(config.site_dir) / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _split_search(site: Path) -> None:
    whole = site / "search" / "search_index.json"
    french, english = split_search(json.loads(whole.read_text(encoding="utf-8")))
    for path, index in ((whole, french), (site / "en/search/search_index.json", english)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).resolve().parent


def _language(config: MkDocsConfig) -> Language:
    return cast(
        "Language", cast("Any", config.plugins["i18n"]).current_language or _default(config)
    )


def _default(config: MkDocsConfig) -> Language:
    return cast("Language", cast("Any", config.plugins["i18n"]).default_language)


def _building(config: MkDocsConfig) -> bool:
    return bool(cast("Any", config.plugins["i18n"]).building)
