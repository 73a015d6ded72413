"""The icons of links: found by host and label, drawn in the page, and shown in one row if there are many."""

import re
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from conftest import ROOT, Sources

from tenure.html.icons import load_icons, render_icon

Make = Callable[[str], Sources]


@pytest.mark.parametrize("name", sorted(load_icons()))
def test_every_icon_is_an_svg_that_is_not_read_aloud(name: str) -> None:
    drawing = ET.fromstring(render_icon(name))
    assert drawing.attrib["aria-hidden"] == "true"
    (path,) = drawing
    assert re.fullmatch(r"[Mm][\d\s.,MmLlHhVvCcSsQqTtAaZzeE-]+", path.attrib["d"])
    assert len(drawing.attrib["viewBox"].split()) == 4


def test_brand_marks_name_their_source_and_the_licence_lists_it() -> None:
    licence = (ROOT / "tenure/html/icons-LICENSE.txt").read_text(encoding="utf-8")
    sources = {icon.source for icon in load_icons().values()} - {""}
    assert sources == {"Simple Icons", "Academicons"}
    assert all(source in licence for source in sources)
    assert sum(bool(icon.source) for icon in load_icons().values()) >= 40


def format_profile(count: int) -> str:
    return "-- content/profile.yaml --\nname: Ada Example\nlinks:\n" + "".join(
        f"  {name}: https://{name}.org/\n"
        for name in ["github", "orcid", "osf", "zenodo", "dblp", "arxiv", "wikidata"][:count]
    )


@pytest.mark.parametrize("theme", ["classic", "folio", "plain"])
@pytest.mark.parametrize("count", [6, 7])
def test_links_on_the_homepage_are_a_row_of_icons_with_names(site: Make, theme: str, count: int) -> None:
    page = site(format_profile(count)).build(theme=theme).read_page("/")
    links = re.findall(r'<a class="u-url".*?</a>', page)
    assert len(links) == count
    assert '<ul class="contact marks">' in page
    assert '<span class="vh">ORCID</span>' in links[1]
    assert all(link.count("<svg") == 1 for link in links)
