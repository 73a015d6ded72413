"""The theme stage: the homepage of a site with one publication or one project is about it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from chromium import Server
from conftest import ROOT, Sources
from matrix import build_sample_site
from playwright.sync_api import Browser

Make = Callable[[str], Sources]


def test_the_example_is_drawn_by_its_script(tmp_path: Path) -> None:
    """If this fails, run `python examples/eclipse_drawings.py examples/eclipse-1919/content`."""
    subprocess.run([sys.executable, ROOT / "examples/eclipse_drawings.py", tmp_path], check=True)
    drawings = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert len(drawings) == 5
    for name, text in drawings.items():
        assert (ROOT / "examples/eclipse-1919/content" / name).read_text(encoding="utf-8") == text, name


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_the_title_and_the_first_image_are_on_the_first_screen(
    chromium: Browser, server: Server, width: int
) -> None:
    home = server.add_site("stage.eclipse", build_sample_site("", "eclipse-1919").artifacts)
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto(home)
    box = page.locator(".showcase img").first.bounding_box()
    title = page.locator("h1").bounding_box()
    assert box
    assert title
    assert title["y"] > 40
    assert box["y"] < 840
    assert box["width"] > min(width * 0.75, 800)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    mark = page.locator(".buttons .icon[data-mark]").first
    assert mark.evaluate("one => getComputedStyle(one).stroke") == "none", (
        "a line would fill the letters of a mark"
    )
    page.close()
