"""The first screen of a phone and of a desktop in each theme, and grounds and edges that were once wrong."""

from collections.abc import Callable, Iterator

import pytest
from chromium import Server
from conftest import ROOT, write_files
from matrix import build_sample_site
from playwright.sync_api import Browser, Page

from tenure.build import build_site

PHONE, DESK = (390, 844), (1280, 900)
LOOKS = ("classic", "folio", "margin", "plate", "stage")
FACE = (ROOT / "examples/group/content/maren.jpg").read_bytes()

LONG_NAME = """-- site.yaml --
title: Wilhelmina A. Featherstonehaugh
url: https://example.edu/
languages: [de]
pages: [home, publications, projects, talks, teaching, posts, awards, cv]
-- content/profile.yaml --
name: Wilhelmina A. Featherstonehaugh
role: Reader in Mathematics and Deputy Director of the Computing Machine Laboratory
affiliation: Example University
tagline: What can be computed, and what would it take for a machine to think?
email: name@example.edu
photo: maren.jpg
location: Springfield, Somewhere
links: {github: ada, orcid: 0000-0002-1825-0097, website: https://example.org/}
-- content/about.md --
The first sentence of a person who has much to say, in a paragraph of two lines at least.
-- content/projects.yaml --
- {title: A project}
-- content/talks.yaml --
- {title: A talk, event: Seminar, date: 2024}
-- content/teaching.yaml --
- {course: A course, term: Fall 2024}
-- content/awards.yaml --
- {title: An award, date: 2024}
-- content/posts/one.md --
---
title: A post
date: 2024-01-02
---
Words.
-- bib/papers.bib --
@article{one, title={One}, author={Featherstonehaugh, Wilhelmina A.}, journal={J}, year=2024}
@article{two, title={Two}, author={Featherstonehaugh, Wilhelmina A.}, journal={J}, year=2023}
"""
LAB = """-- content/profile.yaml --
name: A Lab
kind: group
-- content/people.yaml --
- {name: Bo Lee, role: Postdoc}
-- bib/papers.bib --
@article{one, title={One}, author={Lee, Bo and Stranger, X}, journal={J}, year=2024}
@article{two, title={Two}, author={Lee, Bo}, journal={J}, year=2023}
"""
TITLED_TEXT = """-- site.yaml --
title: Ada Example
pages: [{path: /, sections: [interests, news]}]
-- content/profile.yaml --
name: Ada Example
email: ada@example.edu
location: Springfield
links: {github: ada, orcid: 0000-0002-1825-0097}
-- content/interests.md --
---
title: Research Interests
---
I work on proofs, and on programs that explain themselves.
-- content/news.yaml --
- {date: 2026-01, text: A prize.}
"""

TOP = "one => one.getBoundingClientRect().top + scrollY"
BOX = "one => (({left, right, top, bottom}) => [left, right, top, bottom])(one.getBoundingClientRect())"
OVERLAPS = """() => {
  const [title, ...others] = ['.s-prose h2', '.contact', '.portrait'].map(one => document.querySelector(one)?.getBoundingClientRect());
  return others.filter(one => one && one.left < title.right && title.left < one.right && one.top < title.bottom && title.top < one.bottom).length;
}"""
GROUND = "one => getComputedStyle(one).getPropertyValue('--ground')"

Visit = Callable[[str, str, tuple[int, int]], Page]


@pytest.fixture(params=LOOKS)
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def visit_page(
    theme: str, chromium: Browser, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visit]:
    """Return a function that opens a page of a sample site, or of a site in a string, in the theme."""
    page = chromium.new_page()

    def open_page(site: str, path: str, size: tuple[int, int]) -> Page:
        if site.startswith("--"):
            folder = tmp_path_factory.mktemp("site")
            write_files(folder, site)
            (folder / "content/maren.jpg").write_bytes(FACE)
            home = server.add_site(f"{theme}.{folder.name}", build_site(folder, theme=theme).artifacts)
        else:
            home = server.add_site(f"{theme}.{site}.first", build_sample_site(theme, site).artifacts)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(home + path)
        return page

    yield open_page
    page.close()


def test_the_first_sentence_is_on_the_first_screen_also_below_a_long_name(visit_page: Visit) -> None:
    page = visit_page(LONG_NAME, "", PHONE)
    assert page.locator("main .s-prose p").first.evaluate(TOP) <= 450
    rows = page.locator("header.site nav li").evaluate_all(
        "all => new Set(all.map(one => one.offsetTop)).size"
    )
    assert rows == 1, "the menu of a phone is one row"
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    assert page.locator("main .s-prose p").first.evaluate(TOP) <= 420
    assert page.locator(".u-email .word").is_visible(), "the address is in words"


def test_a_list_of_publications_begins_with_papers(visit_page: Visit) -> None:
    page = visit_page("turing", "publications/", PHONE)
    assert page.locator(".pub-title").first.evaluate(TOP) <= 330
    page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    assert page.locator(".pub-title").first.evaluate(TOP) <= 300
    whole = page.locator(".pub").evaluate_all(
        "all => all.filter(one => one.getBoundingClientRect().bottom <= innerHeight).length"
    )
    assert whole >= 4
    year, paper = (page.locator(part).first.evaluate(BOX) for part in (".group-title", ".pub"))
    assert year[1] <= paper[0] + 1, "the year is beside the papers"
    assert page.locator(".pictured .pub-n:visible").count() == 0, "no number on a picture"
    assert (
        page.locator(".pub").evaluate_all(
            "all => Math.max(...all.map(one => one.querySelectorAll('.pub-links>a').length))"
        )
        <= 2
    )


def test_the_heading_of_a_first_text_covers_nothing(visit_page: Visit) -> None:
    for photo in ("", "photo: maren.jpg\n"):
        page = visit_page(TITLED_TEXT.replace("email:", f"{photo}email:"), "", DESK)
        assert page.locator(".s-prose h2").inner_text()
        assert page.evaluate(OVERLAPS) == 0


def test_people_are_rows_as_wide_as_the_page(visit_page: Visit) -> None:
    page = visit_page("group", "people/", DESK)
    grid = page.locator(".cards:has(.card:nth-child(5))").last
    left, right, *_ = grid.evaluate(BOX)
    edges = grid.locator(".card").evaluate_all(f"all => all.map({BOX})")
    assert abs(min(edge[0] for edge in edges) - left) < 2
    assert abs(max(edge[1] for edge in edges) - right) < 2
    page = visit_page(LAB, "publications/", DESK)
    weights = page.locator(".me").evaluate_all("all => all.map(one => getComputedStyle(one).fontWeight)")
    assert weights == ["400", "400"], "the authors of a group are not louder than the titles"


def test_the_menu_is_at_one_place_and_bibtex_has_a_ground(visit_page: Visit) -> None:
    page = visit_page("turing", "", DESK)
    places = [page.locator("header.site li").nth(1).evaluate(BOX)]
    page = visit_page("turing", "publications/turing1936computable/", DESK)
    places.append(page.locator("header.site li").nth(1).evaluate(BOX))
    assert max(abs(one - other) for one, other in zip(*places, strict=True)) < 3
    assert page.locator("pre.scroll").evaluate(GROUND) != page.locator("body").evaluate(
        "one => getComputedStyle(one).getPropertyValue('--bg')"
    )


def test_a_picture_of_a_project_is_in_the_middle_and_dates_are_apart_from_places(
    theme: str, visit_page: Visit
) -> None:
    page = visit_page("turing", "projects/ace/", DESK)
    picture, main = (page.locator(part).first.evaluate(BOX) for part in (".picture", "main"))
    if theme in ("plate", "stage"):
        assert abs((picture[0] + picture[1]) - (main[0] + main[1])) < 4
    else:
        assert main[0] - 1 <= picture[0] < picture[1] <= main[1] + 1
    if theme == "stage":
        crumb, title = (page.locator(f".paper-hero>{part}").evaluate(BOX) for part in (".crumb", "h1"))
        hero = page.locator(".paper-hero").evaluate(BOX)
        assert hero[2] <= crumb[2] < title[3] <= hero[3], "one band is behind both"
    page = visit_page("turing", "cv/", PHONE)
    dates = page.locator(".entry header:has(.place) .dates").first
    assert "·" in dates.evaluate("one => getComputedStyle(one, '::after').content")
    place = page.locator(".entry header:has(.dates) .place").first
    assert abs(dates.evaluate(BOX)[2] - place.evaluate(BOX)[2]) < 4, "date and place are on one line"


def test_the_cover_of_the_homepage_is_not_repeated_below_it(theme: str, visit_page: Visit) -> None:
    page = visit_page("turing", "", DESK)
    shown = page.locator(".cover img, .s-publications .thumbnail").evaluate_all(
        "all => all.filter(one => one.checkVisibility()).map(one => one.currentSrc || one.src)"
    )
    assert len(shown) == len(set(shown))
    assert (page.locator(".cover").count() == 1) == (theme == "plate")
