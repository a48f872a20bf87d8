"""Who uses the keyboard sees where it is, and loses neither the place nor the way."""

import pytest

FOCUS = """() => {
  const at = document.activeElement, box = at.getBoundingClientRect()
  const shown = box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight
  const labels = [at, at.closest(".md-header__option, .tabbed-set > .tabbed-labels")]
  return { name: at.textContent.trim(), shown, tag: at.tagName,
           ring: labels.some((one) => one && getComputedStyle(one).outlineStyle !== "none") }
}"""


def _stops(page, count):
    found = []
    for _ in range(count):
        page.keyboard.press("Tab")
        page.wait_for_timeout(20)
        found.append(page.evaluate(FOCUS))
    return found


def test_the_first_stop_leads_over_the_menu_to_the_text(open_page):
    """One key skips what is the same on every page."""
    page = open_page("guide/")
    (skip,) = _stops(page, 1)
    assert skip["name"] == "Aller au contenu"
    assert skip["shown"]
    page.keyboard.press("Enter")
    assert page.url.endswith("#top")


@pytest.mark.parametrize("url", ["guide/", "en/results/"])
def test_a_link_that_has_the_focus_has_a_ring(open_page, url):
    """On the text as in the header; none is out of sight."""
    links = [stop for stop in _stops(open_page(url), 40) if stop["tag"] == "A"]
    assert len(links) > 20
    assert [link for link in links if not (link["ring"] and link["shown"])] == []


def test_the_menu_of_a_phone_opens_for_the_keyboard(open_page):
    """Its links take the focus in order, so the reader must see them."""
    page = open_page("guide/", "phone")
    page.focus(".md-sidebar--primary .md-nav__link[href]")
    page.keyboard.press("Tab")
    page.wait_for_timeout(500)  # it slides in
    assert page.evaluate(FOCUS)["shown"]
    assert page.evaluate(FOCUS)["ring"]


@pytest.mark.parametrize("url", ["guide/#cost", "en/pitfalls/#no-head"])
def test_switching_the_language_keeps_the_anchor(open_page, address, url):
    """Headings have the same ids in both languages: the reader stays where he reads."""
    page = open_page(url)
    other = url.removeprefix("en/") if url.startswith("en/") else f"en/{url}"
    page.hover(".md-select button")
    page.click(f'.md-select__link[hreflang="{"fr" if url.startswith("en") else "en"}"]')
    page.wait_for_url(address + other)


def test_a_page_loads_only_the_scripts_that_it_uses(soup):
    """The calculator is on one page, the choices of results on another: others carry neither."""
    own = {
        page: {script["src"].rpartition("/")[2] for script in soup(page).select("script[src]")}
        for page in ("guide", "results", "pitfalls")
    }
    forms = {"calculator.js", "server_log.js", "results.js"}
    assert own["guide"] & forms == {"calculator.js", "server_log.js"}
    assert own["results"] & forms == {"results.js"}
    assert own["pitfalls"] & forms == set()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_colours_follow_the_system_until_the_reader_chooses(open_page, scheme):
    """Also when the system changes while the page is open."""
    page = open_page("", scheme=scheme)
    names = {"light": "default", "dark": "slate"}
    assert page.get_attribute("body", "data-md-color-scheme") == names[scheme]
    other = {"light": "dark", "dark": "light"}[scheme]
    page.emulate_media(color_scheme=other)
    page.wait_for_selector(f'body[data-md-color-scheme="{names[other]}"]')


def test_nothing_moves_for_who_asked_for_stillness(browser, address):
    """Neither animations nor transitions that last."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.goto(address + "guide/")
    moving = """() => [...document.querySelectorAll("*")].filter((each) => {
      const style = getComputedStyle(each)
      return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0.01
    }).length"""
    assert page.evaluate(moving) == 0
    context.close()


@pytest.mark.parametrize(("url", "fold"), [("guide/", "__toc"), ("en/guide/", "__nav_11")])
def test_a_fold_of_the_phone_menu_opens_and_closes_for_the_keyboard(open_page, url, fold):
    """Enter on its name leads in, to the first link; Enter on its title leads out again."""
    page = open_page(url, "phone")
    page.focus(f'.md-sidebar--primary .md-nav__link[for="{fold}"]')
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)  # it slides in
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    inside = (
        "(fold) => document.querySelector(`#${fold} ~ .md-nav`).contains(document.activeElement)"
    )
    assert page.evaluate(inside, fold)
    assert page.evaluate(FOCUS)["shown"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert not page.is_checked(f"#{fold}")


def test_a_missing_page_has_a_way_over_the_menu(open_page):
    """As every other page has."""
    page = open_page("nowhere/")
    (skip,) = _stops(page, 1)
    assert skip["name"] == "Aller au contenu"
    page.keyboard.press("Enter")
    assert page.url.endswith("#not-found")


@pytest.mark.parametrize(
    ("url", "names"), [("guide/", "Copier Copié"), ("en/guide/", "Copy Copied")]
)
def test_a_command_is_copied_as_it_stands_by_one_key(browser, address, url, names):
    """The button is named in the page's language, and takes the lines without their wrapping."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(address + url)
    button = page.locator(".sp-copy").first
    before = button.text_content()
    button.press("Enter")
    page.wait_for_timeout(200)
    assert f"{before} {button.text_content()}" == names
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("llama-server -m mod")
    assert "\\\n    --spec-type draft-mtp --spec-draft-n-max 3" in copied
    context.close()
