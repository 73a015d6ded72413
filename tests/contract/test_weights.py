"""What a page of each theme may weigh: its styles, scripts, fonts and requests."""

import gzip
import re

import pytest
from conftest import ROOT
from matrix import THEMES, build_sample_site

CSS_LIMITS = (40_960, 11_776)
"""Limits in bytes of the style of a site, and of the compressed style."""
SCRIPT_LIMIT, FONT_LIMIT, RARE_FONT_LIMIT, REQUEST_LIMIT, HOME_LIMIT = 11_776, 81_920, 18_432, 8, 26_624
"""HOME_LIMIT is for compressed files: a homepage without its fonts and the photo, which have their own limits."""
SITES = ("turing", "group", "portrait", "eclipse-1919", "systems-phd-2026", "masters")
"""Sites that have most kinds of pages, and one whose homepage is about one paper."""


@pytest.mark.parametrize("theme", THEMES)
def test_every_page_is_within_its_budgets(theme: str) -> None:
    """Requests of the homepage are counted without images and videos."""
    heavy: list[object] = []
    for site in SITES:
        files = {a.path.rpartition("/")[2]: a.read() for a in build_sample_site(theme, site).artifacts}
        for artifact in build_sample_site(theme, site).artifacts:
            if not artifact.path.endswith(".html"):
                continue
            page, is_home = artifact.read().decode(), artifact.path == "index.html"
            urls = re.findall(r'(?:src|href)="([^"]+\.(?:css|js|woff2))"', page)
            named = {url.rpartition("/")[2] for url in urls}
            styles = [text.encode() for text in re.findall(r"<style>(.*?)</style>", page, re.DOTALL)]
            styles += [files[name] for name in named if name.endswith(".css")]
            scripts = [files[name] for name in named if name.endswith(".js")]
            fonts = {f"{name}.woff2" for name in re.findall(r"([\w.-]+)\.woff2", b"".join(styles).decode())}
            common = {name for name in fonts if not name.startswith("ext")}
            sent = [page.encode(), *scripts, *(files[name] for name in named if name.endswith(".css"))]
            sizes = {
                "style": (sum(map(len, styles)), CSS_LIMITS[0]),
                "compressed style": (sum(len(gzip.compress(text)) for text in styles), CSS_LIMITS[1]),
                "scripts": (sum(map(len, scripts)), SCRIPT_LIMIT),
                "fonts": (sum(len(files[name]) for name in common), FONT_LIMIT),
                "a rare font": (
                    max((len(files[name]) for name in fonts - common), default=0),
                    RARE_FONT_LIMIT,
                ),
                "requests": (1 + len(named | common) if is_home else 0, REQUEST_LIMIT),
                "home": (sum(len(gzip.compress(body)) for body in sent) if is_home else 0, HOME_LIMIT),
            }
            if site not in ("systems-phd-2026", "masters"):
                del sizes["home"]
            if site == "eclipse-1919":
                sizes = {name: sizes[name] for name in ("style", "compressed style") if is_home}
            assert styles
            assert scripts
            heavy += [(site, artifact.path, name, *pair) for name, pair in sizes.items() if pair[0] > pair[1]]
    assert heavy == []


@pytest.mark.parametrize("theme", ["classic", "folio"])
def test_fonts_for_rare_characters_are_loaded_only_for_them(theme: str) -> None:
    artifacts = build_sample_site(theme, "masters").artifacts
    css = "".join(a.read().decode() for a in artifacts if a.path.endswith(".css"))
    faces = {*re.findall(r"@font-face\{[^}]*url\([^}]*\}", css)}
    assert len([face for face in faces if "/ext" in face]) == 2
    for face in faces:
        ranges = re.findall(r"U\+([0-9A-F]+)-([0-9A-F]+)", face)
        covered = {code for first, last in ranges for code in range(int(first, 16), int(last, 16) + 1)}
        expected = {*map(ord, "ĀąČđĒğİıŁłŃőŘşŠšŤůŹžȘșȚț")} if "/ext" in face else set()
        assert expected <= covered
        assert not covered & {*range(0x100), *map(ord, "Œœ")}, "the other fonts have these"


def test_optional_style_sheets_are_small() -> None:
    sizes = {path.name: path.stat().st_size for path in (ROOT / "themes/base/assets").glob("*.css")}
    assert {"code.css", "gallery.css"} <= set(sizes)
    needed = ("style.css", "themed.css", "common.css")
    assert [name for name, size in sizes.items() if size > 2_048 and name not in needed] == []
