"""The page of a publication: as a record, and as a project page with affiliations, buttons and wide images."""

import json
import re
from collections.abc import Callable

import pytest
from conftest import Sources

from tenure.model.entries import PaperAffiliation

Make = Callable[[str], Sources]

BIB = """-- bib/papers.bib --
@inproceedings{walk, title = {Machines That Walk}, author = {Lee*, Bo and Example*, Ada and Roth, Eva},
  booktitle = {Proc. of the Robots}, abbr = {ROB '24}, pages = {7--19}, publisher = {Press}, year = 2024,
  doi = {10.1000/walk}, code = {https://github.com/example/walk}, abstract = {A.}}
-- content/walk.svg --
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400"/>
"""
AFFILIATIONS = """  affiliations:
    - {name: Example University, authors: 1-2, url: "https://example.edu/"}
    - {name: Example Labs, authors: [2, 3]}
"""
IMAGE = '  image: walk.svg\n  image_alt: ""\n'


def build_page(site: Make, additions: str, theme: str = "folio", options: str = "") -> str:
    overlay = f"-- content/publications.yaml --\n- key: walk\n{additions}" if additions else ""
    built = site(f"{BIB}{overlay}-- site.yaml --\ntheme: {{name: {theme}{options}}}\n").build()
    assert built.problems == []
    return built.read_page("/publications/walk/")


@pytest.mark.parametrize("theme", ["base", "classic", "folio", "plain"])
def test_authors_have_the_numbers_of_their_affiliations(site: Make, theme: str) -> None:
    page = build_page(site, AFFILIATIONS, theme)
    hero = page.partition('<header class="paper-hero">')[2].partition("</header>")[0]
    assert "Bo Lee<sup>1</sup><sup title=" in hero
    assert '<b class="me">Ada Example</b><sup>1,2</sup><sup title=' in hero
    assert "Eva Roth<sup>2</sup></p>" in hero
    assert '<li><sup>1</sup><a href="https://example.edu/">Example University</a></li>' in hero
    assert "<li><sup>2</sup>Example Labs</li>" in hero
    assert hero.count("<h1>") == 1


def test_one_affiliation_for_all_needs_no_number(site: Make) -> None:
    page = build_page(site, "  affiliations: Example University\n")
    assert '<ul class="affiliations"><li>Example University</li></ul>' in page
    assert "<sup>1</sup>" not in page


@pytest.mark.parametrize(
    ("additions", "options", "is_project"),
    [
        ("", "", False),
        (IMAGE, "", True),
        (AFFILIATIONS, "", True),
        (IMAGE, ", publication_layout: record", False),
        ("", ", publication_layout: project", True),
        (f"{IMAGE}  layout: record\n", "", False),
        ("  layout: project\n", ", publication_layout: record", True),
    ],
)
def test_the_layout_follows_the_publication_and_the_theme_option(
    site: Make, additions: str, options: str, is_project: bool
) -> None:
    page = build_page(site, additions, options=options)
    assert (' data-layout="project"' in page, '<header class="paper-hero">' in page) == (is_project,) * 2
    assert ('<div class="showcase">' in page) == (is_project and "image" in additions)


def test_a_record_shows_the_affiliations_too(site: Make) -> None:
    page = build_page(site, f"{AFFILIATIONS}  layout: record\n")
    assert "<sup>1,2</sup>" in page
    assert page.index('class="affiliations"') < page.index("pub-venue")


def test_up_to_six_links_are_buttons_with_their_names(site: Make) -> None:
    page = build_page(site, "  layout: project\n")
    (buttons,) = re.findall(r'<ul class="links buttons">(.*?)</ul>', page, re.DOTALL)
    assert re.findall(r"</svg>([^<]+)</a>", buttons) == ["DOI", "Code"]
    assert 'aria-label="Code: Machines That Walk"' in buttons


def test_more_than_six_links_are_icons_with_hidden_names(site: Make) -> None:
    links = ", ".join(f'l{i}: "https://example.org/{i}"' for i in range(5))
    page = build_page(site, f"  layout: project\n  links: {{{links}}}\n")
    assert '<ul class="links buttons">' not in page
    (icons,) = re.findall(r'<ul class="links marks">(.*?)</ul>', page, re.DOTALL)
    assert icons.count('<span class="vh">') == 7
    assert 'title="Code"' in icons


def test_the_line_to_cite_has_pages_publisher_and_doi(site: Make) -> None:
    page = build_page(site, "")
    line = re.sub(r"<[^>]+>", "", page.partition(">Cite as</h2>")[2].partition("</p>")[0]).strip()
    assert line == (
        "Bo Lee, Ada Example, Eva Roth. Machines That Walk. In Proc. of the Robots (ROB ’24), "
        "pp. 7–19, Press, 2024. https://doi.org/10.1000/walk"
    )


def test_search_engines_read_the_affiliations(site: Make) -> None:
    page = build_page(site, AFFILIATIONS)
    data = json.loads(page.partition('<script type="application/ld+json">')[2].partition("</script>")[0])
    assert [[place["name"] for place in author["affiliation"]] for author in data["author"]] == [
        ["Example University"],
        ["Example University", "Example Labs"],
        ["Example Labs"],
    ]
    assert page.count('<meta name="citation_author_institution"') == 4


@pytest.mark.parametrize(
    ("authors", "positions"),
    [((), set()), (("1-3",), {1, 2, 3}), (("2", "4"), {2, 4}), (("1–2", "9"), {1, 2, 9}), (("Lee",), {0})],
)
def test_positions_of_authors(authors: tuple[str, ...], positions: set[int]) -> None:
    assert PaperAffiliation(name="X", authors=authors).positions == positions
