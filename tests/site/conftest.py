"""The site, built once, served on loopback, and looked at with a real browser."""

import functools
import http.server
import os
import shutil
import sys
import threading
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright

from publish.folder import write_folder
from publish.host import Host
from publish.search_box import WATCHED
from publish.website import FLAGS, SIZES, build

WHOLE = """
    * { content-visibility: visible !important }
    *, ::before, ::after { transition: none !important }
"""
"""What waits below the screen is laid out too, and nothing is on its way when a judge looks."""


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The repository's own pages and measurements, and how the build went."""
    target = tmp_path_factory.mktemp("own") / "site"
    return target, build(target)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The same pages with one more of each kind of result."""
    folder = write_folder(tmp_path_factory.mktemp("more") / "measurements")
    target = tmp_path_factory.mktemp("full") / "site"
    done = build(target, more=folder)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="session")
def soup(site):
    """A page of the built site by its address."""

    @functools.cache
    def read(url):
        path = site / url
        path = path / "index.html" if path.is_dir() else path
        return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")

    return read


@pytest.fixture(scope="session")
def address(site):
    """The site served on a free port of this machine."""
    handler = functools.partial(Host, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium, or the one that SPECULOOS_CHROMIUM names."""
    path = os.environ.get("SPECULOOS_CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("no chromium found; install one or set SPECULOOS_CHROMIUM")
    return path


@pytest.fixture(scope="session")
def npm():
    """What `make test` installs from npm."""
    folder = Path(sys.prefix) / "node/node_modules"
    if not folder.is_dir():
        pytest.skip("nothing from npm is installed; `make test` does it")
    return folder


@pytest.fixture(scope="session")
def browser(chromium):
    """A browser for all tests; each page gets a profile of its own."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture
def open_page(browser, address):
    """A new page with everything that it says and asks for."""
    contexts = []

    def opened(url="", size="desk", scheme="light"):
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme
        )
        contexts.append(context)
        context.add_init_script(WATCHED)
        page = context.new_page()
        page.said, page.asked = [], []
        page.on("console", lambda m: page.said.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.on(
            "response",
            lambda r: page.said.append(f"{r.status} {r.url}") if r.status >= 400 else None,
        )
        page.goto(address + url, wait_until="load")
        page.add_style_tag(content=WHOLE)
        return page

    yield opened
    for context in contexts:
        context.close()
