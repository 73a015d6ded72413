"""The icons of links: found by host and label, drawn in the page, and shown in one row if there are many."""

import re
from xml.etree import ElementTree as ET

import pytest
from conftest import ROOT

from tenure.html.icons import load_icons, render_icon


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
