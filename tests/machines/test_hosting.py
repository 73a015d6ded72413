"""What stands around the pages: robots.txt and the sitemap as robots read them, the icon of initials, files for hosts."""

import html
import re
from collections.abc import Callable
from urllib.parse import unquote
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest
from conftest import Built, Sources
from machine_pages import THEMES

Make = Callable[[str], Sources]
SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SVG = "{http://www.w3.org/2000/svg}"


def file(made: Built, path: str) -> str:
    return next(a.read().decode() for a in made.build.artifacts if a.path == path)


def test_robots_may_read_all_and_find_the_sitemap(site: Make) -> None:
    made = site("").build(base_url="https://example.edu")
    robots = RobotFileParser()
    robots.parse(file(made, "robots.txt").splitlines())
    assert robots.can_fetch("Googlebot", "https://example.edu/cv/")
    assert robots.site_maps() == ["https://example.edu/sitemap.xml"]


@pytest.mark.parametrize("address", ["https://example.edu/~ada", "https://ada.github.io/site", ""])
def test_robots_are_told_nothing_where_they_do_not_ask(site: Make, address: str) -> None:
    made = site("").build(base_url=address)
    assert "robots.txt" not in made.paths
    assert ("sitemap.xml" in made.paths) is bool(address)


def test_pages_are_as_new_as_their_sources_say(site: Make) -> None:
    made = site("""-- site.yaml --
updated: 2026-02
-- content/posts/one.md --
---
title: One
date: 2024-05-06
updated: 2025-01-02
---
Text.
-- content/posts/ñandú-&-more.md --
---
title: Two
date: 2024-05
---
Text.
""").build(base_url="https://example.edu")
    root = ET.fromstring(file(made, "sitemap.xml"))
    found = {url.findtext(f"{SITEMAPS}loc"): url.findtext(f"{SITEMAPS}lastmod") for url in root}
    assert found["https://example.edu/"] == "2026-02"
    assert found["https://example.edu/posts/one/"] == "2025-01-02"
    assert "2024-05" in found.values()
    for address in found:
        path = unquote((address or "").removeprefix("https://example.edu/"))
        assert f"{path}index.html" in made.paths


def icon(page: str) -> str:
    """The icon that a page names, its address decoded where it is the icon itself."""
    (address,) = re.findall(r'<link rel="icon" href="([^"]*)">', page)
    return unquote(html.unescape(address)).removeprefix("data:image/svg+xml;charset=utf-8,")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("name", "initials"),
    [("Ada Example", "AE"), ("Ada de la Example", "AE"), ("Plato", "P"), ("Émilie du Châtelet", "ÉC"), ("王 明", "王明")],
)  # fmt: skip
def test_the_icon_is_of_initials(site: Make, theme: str, name: str, initials: str) -> None:
    made = site(f"-- content/profile.yaml --\nname: {name}\n").build(theme=theme)
    drawing = ET.fromstring(icon(made.page("/")))
    assert drawing.findtext(f"{SVG}text") == initials
    assert re.fullmatch("#[0-9a-f]{6}", drawing[0].attrib["fill"])


def test_an_icon_of_ones_own_is_taken(site: Make) -> None:
    own = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    made = site(f"-- content/favicon.svg --\n{own}\n").build()
    assert icon(made.page("/")) == "favicon.svg"
    assert "favicon.svg" in made.paths


@pytest.mark.parametrize(
    ("address", "domain"),
    [("https://ada.example.org", "ada.example.org"), ("https://ada.github.io", ""), ("https://example.edu/~ada", "")],
)  # fmt: skip
def test_hosts_find_what_they_look_for(site: Make, address: str, domain: str) -> None:
    made = site("").build(base_url=address)
    assert file(made, ".nojekyll") == ""
    assert ("CNAME" in made.paths) is bool(domain)
    assert not domain or file(made, "CNAME") == f"{domain}\n"


def test_files_of_ones_own_stand_in_place_of_these(site: Make) -> None:
    made = site("-- content/robots.txt --\nUser-agent: *\nDisallow: /\n").build(
        base_url="https://example.edu"
    )
    robots = RobotFileParser()
    robots.parse(file(made, "robots.txt").splitlines())
    assert not robots.can_fetch("Googlebot", "https://example.edu/cv/")
