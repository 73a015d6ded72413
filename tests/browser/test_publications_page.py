"""Actions on a page of 500 publications: search, filter, link to the results, copy, and link to one publication."""

import re

import pytest
from chromium import Server
from conftest import read_script, select_daily, write_files
from matrix import LAB, THEMES, THEMES_WITH_TEMPLATES, build_sample_site, many_papers
from playwright.sync_api import Browser, Locator, Page, expect

from tenure.build import build_site
from tenure.site_folder import BuildOptions

FIRST, SELECTED, ARTICLES, CACHES = 167, 10, 167, 50
"""The number of papers of tests/harness/matrix.py with each of these properties."""
BOTH = 4
"""The number of papers that are both selected and articles."""


@pytest.fixture(scope="module", params=select_daily(THEMES, lambda theme: theme == "classic"))
def home(request: pytest.FixtureRequest, server: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Serve the site in a theme; all themes have this list and its script from the theme "base"."""
    theme = str(request.param)
    folder = tmp_path_factory.mktemp("papers")
    write_files(folder, many_papers(500))
    return server.add_site(
        f"{theme}.interactions", build_site(folder, options=BuildOptions(theme=theme)).artifacts
    )


@pytest.fixture
def page(home: str, chromium: Browser) -> Page:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(20_000)
    publications_page = context.new_page()
    publications_page.add_init_script(
        "addEventListener('DOMContentLoaded', () => document.querySelectorAll('.facets').forEach(one => { one.open = true }))"
    )
    publications_page.goto(f"{home}publications/")
    return publications_page


def list_shown_papers(page: Page) -> list[str]:
    """Return the ids of the visible papers."""
    papers: list[str] = page.evaluate(
        "[...document.querySelectorAll('.pub')].map(p => p.checkVisibility() && p.id)"
    )
    return [paper for paper in papers if paper]


def read_count(page: Page) -> str:
    return page.locator("#pub-filter output").inner_text()


def find_facet(page: Page, name: str) -> Locator:
    return page.locator(".facet label", has_text=re.compile(f"^{name}"))


def read_query(page: Page) -> str:
    return page.url.partition("publications/")[2]


def test_search_finds_words_in_any_field_and_without_accents(page: Page) -> None:
    assert (len(list_shown_papers(page)), read_count(page)) == (500, "500 publications")
    announced = page.get_by_role("status").filter(has_text="500 publications")
    assert announced.count() == 1, "for screen readers"
    search = page.get_by_role("searchbox", name="Search publications")
    search.press_sequentially("godel7 nandu22")
    expected = [f"paper{n}" for n in range(500) if n % 40 == 7 and n % 25 == 22]
    assert expected
    assert list_shown_papers(page) == expected
    assert read_count(page) == f"{len(expected)} of 500"
    assert read_query(page) == "?q=godel7+nandu22"
    assert page.locator(".group:visible").count() == len({n // 25 for n in (47, 247, 447)})
    search.fill("raphs")
    assert list_shown_papers(page) == [], "a match begins where a word begins"
    search.fill("known before")
    assert list_shown_papers(page) == [], "abstracts are on the pages of the papers"


def test_an_empty_search_result_is_reported_and_can_be_cleared(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("xyzzy")
    assert (list_shown_papers(page), read_count(page)) == ([], "0 of 500")
    expect(page.get_by_text("Nothing matches.")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    expect(page.get_by_text("Nothing matches.")).to_be_hidden()
    assert (len(list_shown_papers(page)), read_count(page), read_query(page)) == (500, "500 publications", "")


def test_facets_filter_and_are_stored_in_the_url(page: Page, home: str) -> None:
    find_facet(page, "First author").click()
    assert len(list_shown_papers(page)) == FIRST
    find_facet(page, "Selected").click()
    assert len(list_shown_papers(page)) == SELECTED
    find_facet(page, "Journal articles").click()
    assert (len(list_shown_papers(page)), read_count(page)) == (BOTH, f"{BOTH} of 500")
    assert read_query(page) == "?show=selected&kind=article"
    actual = list_shown_papers(page)
    page.reload()
    assert list_shown_papers(page) == actual
    page.goto(f"{home}publications/?kind=article&topic=caches&q=2025")
    assert page.get_by_role("searchbox").input_value() == "2025"
    assert page.get_by_role("checkbox", name=re.compile("^Caches")).is_checked()
    assert list_shown_papers(page) == [f"paper{n}" for n in range(25) if n % 3 == 0 and n % 10 == 0]


def test_the_count_of_a_facet_is_the_number_of_its_results(page: Page) -> None:
    for name, number in (("First author", FIRST), ("Journal articles", ARTICLES), ("Caches", CACHES)):
        label = find_facet(page, name)
        assert label.inner_text().split()[-1] == str(number)
        page.reload()
        label.click()
        assert len(list_shown_papers(page)) == number
        page.goto(page.url.partition("?")[0])


def open_bibtex(page: Page) -> Locator:
    """Follow the link to the BibTeX entry on the page of a paper."""
    page.locator("#paper7 .more-links summary").click()
    page.locator("#paper7").get_by_text("BibTeX", exact=True).click()
    page.wait_for_url("**/publications/paper7/#paper-bibtex")
    return page.locator("section[aria-labelledby='paper-bibtex']")


def test_bibtex_is_copied_by_a_button(page: Page) -> None:
    section = open_bibtex(page)
    button = section.get_by_role("button")
    button.click()
    expect(button).to_have_text("Copied")
    copied = str(page.evaluate("navigator.clipboard.readText()"))
    assert copied.startswith("@inproceedings{paper7,")
    assert copied.strip() == section.locator("pre").inner_text().strip()


def test_text_that_cannot_be_copied_is_selected(page: Page) -> None:
    page.context.clear_permissions()
    section = open_bibtex(page)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    section.get_by_role("button").click()
    expect(section.get_by_role("button")).to_have_text("Press Ctrl+C")
    assert str(page.evaluate("getSelection().toString()")).startswith("@inproceedings{paper7,")


def test_a_publication_has_an_anchor_on_the_page(page: Page, home: str) -> None:
    link = page.locator("#paper400 a[href='#paper400']")
    link.click()
    assert read_query(page) == "#paper400"
    page.goto("about:blank")
    page.goto(f"{home}publications/#paper400")
    expect(page.locator("#paper400 .pub-title")).to_be_in_viewport()


def test_a_title_links_to_the_page_of_its_publication(page: Page) -> None:
    title = page.locator("#paper3 .pub-title")
    words = title.inner_text()
    title.get_by_role("link").click()
    assert page.locator("h1").inner_text() == words
    page.go_back()
    assert len(list_shown_papers(page)) == 500


def measure_lightness(page: Page) -> int:
    """Return the lightness of the page's background, from 0 to 255."""
    page.evaluate("document.fonts.ready")
    return int(page.evaluate(read_script("the lightness of the page")))


@pytest.mark.parametrize("theme", THEMES_WITH_TEMPLATES)
def test_the_color_scheme_switch_keeps_its_choice(theme: str, chromium: Browser, server: Server) -> None:
    home = server.add_site(f"{theme}.schemes", build_sample_site(theme, "turing").artifacts)
    page = chromium.new_page()
    page.goto(home)
    page.emulate_media(color_scheme="light")
    assert measure_lightness(page) > 200
    page.get_by_role("button", name="Switch to dark theme").click()
    assert measure_lightness(page) < 60
    page.reload()
    assert measure_lightness(page) < 60
    page.goto(f"{home}cv/")
    assert measure_lightness(page) < 60
    page.get_by_role("button", name="Switch to light theme").click()
    assert measure_lightness(page) > 200
    page.emulate_media(color_scheme="dark")
    assert measure_lightness(page) < 60, "without a choice of its own the page follows the system"


def test_the_publications_of_a_group_are_filtered_by_person_in_both_languages(
    server: Server, chromium: Browser
) -> None:
    home = server.add_site("folio.lab", build_sample_site("folio", LAB).artifacts)
    page = chromium.new_page()
    for folder in ("", "de/"):
        page.goto(f"{home}{folder}publications/?person=ines&person=tomas")
        both = len(list_shown_papers(page))
        page.locator(".facet input[value=tomas]").uncheck()
        of_ines = list_shown_papers(page)
        assert 1 < len(of_ines) < both < page.locator(".pub").count()
        expected = page.evaluate("[...document.querySelectorAll('.pub[data-people~=ines]')].map(p => p.id)")
        assert of_ines == expected
        assert read_query(page) == "?person=ines"
        page.goto(f"{home}{folder}people/ines/")
        assert page.locator(".pub").count() == len(of_ines)
