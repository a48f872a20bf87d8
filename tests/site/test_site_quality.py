"""What outside judges say of the built site: the Nu Html Checker, the scales."""

import json
import subprocess

import pytest

LIGHT_ENOUGH = 150_000
NO_ERRORS = (
    # Firefox keeps a ticked box over a reload; the theme forbids it so that no drawer stays open.
    r".*Attribute .autocomplete. is only allowed when the input type is.*",
    r"Trailing slash on void elements has no effect.*",  # MkDocs writes them
)


def test_every_page_is_valid_html(npm, site):
    """The checker of the W3C finds no error and warns of nothing."""
    command = [
        "java", "-Xss4m", "-jar", npm / "vnu-jar/build/dist/vnu.jar", "--stdout", "--format",
        "json", "--skip-non-html", "--also-check-svg", "--filterpattern", "|".join(NO_ERRORS), site,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["messages"] == [], done.stderr


@pytest.mark.parametrize("url", ["", "guide/", "en/", "en/guide/"])
def test_a_page_is_light(open_page, url):
    """Everything that a first visit loads, as it travels, without the index of the search."""
    page = open_page(url)
    page.wait_for_load_state("networkidle")
    sizes = page.evaluate(
        """() => Object.fromEntries(performance.getEntriesByType('resource')
            .concat(performance.getEntriesByType('navigation'))
            .map(each => [each.name, each.encodedBodySize]))"""
    )
    assert all(sizes.values()), sizes
    counted = {name: size for name, size in sizes.items() if "search_index" not in name}
    assert sum(counted.values()) <= LIGHT_ENOUGH, counted
