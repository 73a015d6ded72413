"""Files around the pages: robots.txt and the sitemap as crawlers read them, the icon of initials, files for hosts."""

import html
import re
from collections.abc import Callable
from urllib.parse import unquote
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest
from conftest import Sources, read_site
from matrix import THEMES

Make = Callable[[str], Sources]
SITEMAPS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
SVG = "{http://www.w3.org/2000/svg}"


def test_robots_may_read_everything_and_find_the_sitemap(site: Make) -> None:
    built = site("").build(base_url="https://example.edu")
    robots = RobotFileParser()
    robots.parse(built.read_page("/robots.txt").splitlines())
    assert robots.can_fetch("Googlebot", "https://example.edu/cv/")
    assert robots.site_maps() == ["https://example.edu/sitemap.xml"]


def test_the_sitemap_has_the_dates_of_the_sources(site: Make) -> None:
    built = site(read_site("sitemap")).build(base_url="https://example.edu")
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
def test_the_icon_shows_the_initials(site: Make, theme: str) -> None:
    names = "Ada Example: AE, Ada de la Example: AE, Plato: P, Émilie du Châtelet: ÉC, 王 明: 王明"
    for name, initials in (pair.split(": ") for pair in names.split(", ")):
        built = site(f"-- content/profile.yaml --\nname: {name}\n").build(theme=theme)
        drawing = ET.fromstring(find_icon(built.read_page("/")))
        assert drawing.findtext(f"{SVG}text") == initials
        assert re.fullmatch("#[0-9a-f]{6}", drawing[0].attrib["fill"])
