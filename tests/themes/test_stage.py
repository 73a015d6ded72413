"""The theme stage: the homepage of a site with one publication or one project is about it."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from chromium import Server
from conftest import ROOT, Sources, visible_text
from matrix import build_sample_site
from playwright.sync_api import Browser

Make = Callable[[str], Sources]

PAPER = """\
-- bib/paper.bib --
@article{walk, title = {Machines That Walk}, author = {Lee, Bo and Example, Ada}, journal = {Journal of Robots}, year = 2026,
  doi = {10.1000/walk}, abstract = {We build a machine that walks.}}
"""
SECOND = "@article{run, title = {Machines That Run}, author = {Example, Ada}, journal = {J}, year = 2025}\n"
PROJECT = "-- content/projects/walker.md --\n---\ntitle: Walker\ntagline: It walks\n---\nA text about it.\n"
STAGE = "-- site.yaml --\ntheme: stage\n"


def find_headings(page: str, level: int) -> list[str]:
    return [
        visible_text(f"<body>{text}")
        for text in re.findall(rf"<h{level}\b[^>]*>(.*?)</h{level}>", page, re.DOTALL)
    ]


def test_the_homepage_of_one_paper_is_about_it(site: Make) -> None:
    built = site(f"{STAGE}{PAPER}").build()
    assert built.problems == []
    home = built.read_page("/")
    assert find_headings(home, 1) == ["Machines That Walk"]
    assert find_headings(home, 2) == ["Abstract", "Details", "Cite as", "Ada Example"]
    assert '<header class="paper-hero">' in home
    assert '<ul class="links buttons">' in home
    assert built.read_words("/").count("Journal of Robots") == 3, (
        "head, line to cite and BibTeX; no list of one publication"
    )


def test_the_homepage_of_one_paper_is_shared_under_its_title(site: Make) -> None:
    url = "-- site.yaml --\ntheme: {name: stage%s}\nurl: https://walk.example.org/\n"
    home = site(f"{url % ''}{PAPER}").build().read_page("/")
    assert '<meta property="og:title" content="Machines That Walk">' in home
    assert '<meta property="og:type" content="article">' in home
    card = next(
        a.read() for a in site(f"{url % ''}{PAPER}").build().build.artifacts if a.path == "preview.png"
    )
    about_owner = site(f"{url % ', subject: owner'}{PAPER}").build()
    assert '<meta property="og:title" content="Ada Example">' in about_owner.read_page("/")
    assert find_headings(about_owner.read_page("/"), 1) == ["Ada Example"]
    assert card != next(a.read() for a in about_owner.build.artifacts if a.path == "preview.png")


def test_the_homepage_of_several_papers_is_about_their_author(site: Make) -> None:
    home = site(f"{STAGE}{PAPER}{SECOND}").build().read_page("/")
    assert find_headings(home, 1) == ["Ada Example"]
    assert "paper-hero" not in home


def test_the_homepage_of_one_project_is_about_it(site: Make) -> None:
    built = site(f"{STAGE}{PROJECT}").build()
    assert built.problems == []
    assert find_headings(built.read_page("/"), 1) == ["Walker"]
    assert "A text about it." in built.read_words("/")
    assert find_headings(site(f"{STAGE}{PROJECT}{PAPER}").build().read_page("/"), 1) == ["Machines That Walk"]


def test_only_the_homepage_is_about_the_paper(site: Make) -> None:
    built = site(f"{STAGE}pages: [home, cv]\n{PAPER}").build()
    assert built.problems == []
    assert find_headings(built.read_page("/cv/"), 1) == ["Ada Example"]


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
