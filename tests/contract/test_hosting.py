"""Files around the pages: robots.txt and the sitemap as crawlers read them, the icon of initials, files for hosts."""

import html
import re
from collections.abc import Callable
from urllib.parse import unquote
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest
from conftest import Sources
from parsed_pages import THEMES

Make = Callable[[str], Sources]
SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SVG = "{http://www.w3.org/2000/svg}"


def test_robots_may_read_everything_and_find_the_sitemap(site: Make) -> None:
    built = site("").build(base_url="https://example.edu")
    robots = RobotFileParser()
    robots.parse(built.read_page("/robots.txt").splitlines())
    assert robots.can_fetch("Googlebot", "https://example.edu/cv/")
    assert robots.site_maps() == ["https://example.edu/sitemap.xml"]


@pytest.mark.parametrize("address", ["https://example.edu/~ada", "https://ada.github.io/site", ""])
def test_robots_txt_is_written_only_at_the_root_of_a_host(site: Make, address: str) -> None:
    built = site("").build(base_url=address)
    assert "robots.txt" not in built.paths
    assert ("sitemap.xml" in built.paths) is bool(address)


def test_the_sitemap_has_the_dates_of_the_sources(site: Make) -> None:
    built = site("""-- site.yaml --
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
    root = ET.fromstring(built.read_page("/sitemap.xml"))
    actual = {url.findtext(f"{SITEMAPS}loc"): url.findtext(f"{SITEMAPS}lastmod") for url in root}
    assert actual["https://example.edu/"] == "2026-02"
    assert actual["https://example.edu/posts/one/"] == "2025-01-02"
    assert "2024-05" in actual.values()
    for address in actual:
        path = unquote((address or "").removeprefix("https://example.edu/"))
        assert f"{path}index.html" in built.paths


def find_icon(page: str) -> str:
    """Return the URL of a page's icon, or the icon if the URL contains it."""
    (address,) = re.findall(r'<link rel="icon" href="([^"]*)">', page)
    return unquote(html.unescape(address)).removeprefix("data:image/svg+xml;charset=utf-8,")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("name", "initials"),
    [("Ada Example", "AE"), ("Ada de la Example", "AE"), ("Plato", "P"), ("Émilie du Châtelet", "ÉC"), ("王 明", "王明")],
)  # fmt: skip
def test_the_icon_shows_the_initials(site: Make, theme: str, name: str, initials: str) -> None:
    built = site(f"-- content/profile.yaml --\nname: {name}\n").build(theme=theme)
    drawing = ET.fromstring(find_icon(built.read_page("/")))
    assert drawing.findtext(f"{SVG}text") == initials
    assert re.fullmatch("#[0-9a-f]{6}", drawing[0].attrib["fill"])


def test_an_icon_of_the_site_is_used(site: Make) -> None:
    own = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    built = site(f"-- content/favicon.svg --\n{own}\n").build()
    assert find_icon(built.read_page("/")) == "favicon.svg"
    assert "favicon.svg" in built.paths


@pytest.mark.parametrize(
    ("address", "domain"),
    [("https://ada.example.org", "ada.example.org"), ("https://ada.github.io", ""), ("https://example.edu/~ada", "")],
)  # fmt: skip
def test_files_for_hosts_are_written(site: Make, address: str, domain: str) -> None:
    built = site("").build(base_url=address)
    assert built.read_page("/.nojekyll") == ""
    assert ("CNAME" in built.paths) is bool(domain)
    assert not domain or built.read_page("/CNAME") == f"{domain}\n"


def test_files_of_the_site_replace_generated_files(site: Make) -> None:
    built = site("-- content/robots.txt --\nUser-agent: *\nDisallow: /\n").build(
        base_url="https://example.edu"
    )
    robots = RobotFileParser()
    robots.parse(built.read_page("/robots.txt").splitlines())
    assert not robots.can_fetch("Googlebot", "https://example.edu/cv/")
