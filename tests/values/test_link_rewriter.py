"""URLs on a page are relative to it, also in a menu or footer that many pages share."""

import re
from collections.abc import Callable

import pytest
from conftest import Sources

SITE = """-- site.yaml --
url: https://example.org/~ada/
footer: "[Slides](slides.pdf) [Talks](/talks/) [Text](/files/plain.txt)"
-- content/slides.pdf --
%PDF-1.4
-- content/files/plain.txt --
text
-- content/talks.yaml --
- event: Seminar
-- bib/papers.bib --
@misc{one, title = {One}, author = {Example, Ada}, year = 2020}
@misc{two, title = {Two}, author = {Example, Ada}, year = 2021}
"""


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("/", ["slides.pdf", "talks/", "files/plain.txt"]),
        ("/talks/", ["../slides.pdf", "./", "../files/plain.txt"]),
        ("/publications/", ["../slides.pdf", "../talks/", "../files/plain.txt"]),
        ("/publications/one/", ["../../slides.pdf", "../../talks/", "../../files/plain.txt"]),
        ("/publications/two/", ["../../slides.pdf", "../../talks/", "../../files/plain.txt"]),
        ("/404.html", ["/~ada/slides.pdf", "/~ada/talks/", "/~ada/files/plain.txt"]),
    ],
)
def test_a_footer_has_urls_relative_to_each_page(
    site: Callable[[str], Sources], page: str, expected: list[str]
) -> None:
    built = site(SITE).build()
    assert built.problems == []
    footer = built.read_page(page).partition('<footer class="site">')[2]
    assert re.findall(r'href="([^"]*)"', footer) == expected


def test_a_page_links_to_its_own_files_and_to_pages_beside_it(site: Callable[[str], Sources]) -> None:
    text = "-- content/publications.yaml --\n- {key: two, note: '[first](/publications/one/) [this](/publications/two/two.bib)'}\n"
    notes = re.search(
        r'<p class="pub-notes">.*?</p>', site(SITE + text).build().read_page("/publications/two/")
    )
    assert notes is not None
    assert re.findall(r'href="([^"]*)"', notes[0]) == ["../one/", "two.bib"]


def test_a_url_in_the_text_of_an_element_is_no_link(site: Callable[[str], Sources]) -> None:
    built = site(SITE + '-- content/about.md --\nWrite `<a href="/talks/">`.\n').build()
    assert 'href="/talks/"' in built.read_words("/")
