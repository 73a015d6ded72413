"""The menu of a site: groups of pages, the menu beside a page, and links to the previous and the next page."""

import re
from collections.abc import Callable

import pytest
from conftest import Sources
from matrix import THEMES

Make = Callable[[str], Sources]
CONTENT = """\
-- content/talks.yaml --
- One
-- content/awards.yaml --
- Prize
-- content/pages/lab.md --
The lab.
"""
GROUPED = """\
-- site.yaml --
theme: {{name: {theme}, menu: {menu}, previous_next: true}}
pages:
  - home
  - title: Research
    pages: [talks, awards]
  - lab
"""


def find_urls(html: str) -> list[str]:
    """Return the URLs of links in order."""
    return re.findall(r'<a [^>]*href="([^"]*)"', html)


def find_part(page: str, opening: str, closing: str) -> str:
    """Return the part of a page between two texts; both must be on the page."""
    assert opening in page, opening
    return page.partition(opening)[2].partition(closing)[0]


@pytest.mark.parametrize("theme", THEMES)
def test_a_group_is_a_list_that_opens_in_the_menu_at_the_top(site: Make, theme: str) -> None:
    built = site(CONTENT + GROUPED.format(theme=theme, menu="top")).build()
    assert built.problems == []
    group = find_part(built.read_page("/awards/"), '<li class="menu-group">', "</details>")
    assert '<summary aria-current="true">Research</summary>' in group
    assert find_urls(group) == ["../talks/", "./"]
    assert 'class="side"' not in built.read_page("/awards/")
    assert "/research/index.html" not in built.paths


@pytest.mark.parametrize("theme", THEMES)
def test_the_side_menu_lists_every_page_with_its_group(site: Make, theme: str) -> None:
    built = site(CONTENT + GROUPED.format(theme=theme, menu="side")).build()
    assert built.problems == []
    page = built.read_page("/talks/")
    menu = find_part(page, '<nav id="side-menu"', "</nav>")
    assert find_urls(menu) == ["../", "./", "../awards/", "../lab/"]
    assert re.findall(r'href="([^"]*)" aria-current="page"', menu) == ["./"]
    assert "<span>Research</span>" in menu
    assert 'popovertarget="side-menu"' in page
    assert page.count("<nav ") == 2, "the side menu and the links to neighbours"


def test_the_contents_of_a_long_text_have_two_levels(site: Make) -> None:
    text = "".join(
        f"\n## Part {n}\n\n### Part {n}, first\n\nA.\n\n### Part {n}, second\n\n#### Deep\n" for n in range(4)
    )
    page = site(f"-- content/pages/lab.md --\n{text}").build().read_page("/lab/")
    contents = find_part(page, '<nav class="toc"', "</nav>")
    assert find_urls(contents)[:4] == ["#part-0", "#part-0-first", "#part-0-second", "#part-1"]
    assert contents.count("<ol>") == 5
