"""The search index: its content for each page, and no file of it without `search: true`."""

import json
import re
from typing import Any

import pytest
from conftest import ROOT, Built, Make, Sources, read_site
from matrix import THEMES

from tenure.build import build_site
from tenure.cache.store import CacheStore
from tenure.html.search_index import extract_passages

ASSETS = ROOT / "themes/base/assets"
SITE = read_site("search")


def read_search_index(built: Built) -> tuple[list[list[str]], list[list[Any]]]:
    """Return the pages and the records of a built site's index."""
    (path,) = (path for path in built.paths if path.startswith("assets/search-pages."))
    pages, records = re.findall(r"^tenureSearch\.\w+=(.*);$", built.read_page(f"/{path}"), re.MULTILINE)
    return json.loads(pages), json.loads(records)


def read_built_files(sources: Sources) -> dict[str, bytes]:
    """Return the bytes of every file of a build, by path."""
    return {
        artifact.path: artifact.read() for artifact in build_site(sources.root, store=CacheStore()).artifacts
    }


@pytest.mark.parametrize("theme", THEMES)
def test_each_heading_of_a_text_begins_a_record(site: Make, theme: str) -> None:
    built = site(SITE.format(theme=theme)).build()
    assert built.problems == []
    pages, records = read_search_index(built)
    lab = pages.index(["lab/", "The lab"])
    assert [record[1:] for record in records if record[0] == lab] == [
        ["", "", "We meet on Tuesdays."],
        ["equipment", "Equipment", "A rack & two servers."],
        ["software", "Software", "机器学习很有用。"],
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_a_publication_is_found_on_its_own_page_only(site: Make, theme: str) -> None:
    pages, records = read_search_index(site(SITE.format(theme=theme)).build())
    actual = [(pages[record[0]][0], record[3]) for record in records if "prefixes" in record[3]]
    # The homepage of a site in the theme stage is about its only publication.
    assert [path for path, _ in actual] == [*([""] if theme == "stage" else []), "publications/one/"]
    assert "Ada Example" in actual[-1][1]
    assert not any("journal" in record[3] for record in records), "BibTeX to copy is no text of the page"


def test_a_publication_without_a_page_is_found_in_its_list() -> None:
    html = '<main><ul><li class="pub"><h3 class="pub-title"><a href="https://doi.org/1">A title</a></h3><p>B</p></li></ul></main>'
    assert [text for _, _, text in extract_passages(html)] == ["A title B"]
    assert extract_passages(html.replace("https://doi.org/1", "one/")) == ()


def test_navigation_and_forms_are_no_text() -> None:
    html = (
        "<header>No</header><main><nav>No</nav><h1>No</h1><form>No<input>No</form><p>Yes<br>too, ti<b>ght</b></p>"
        '<p class="links more">No</p></main><footer>No</footer>'
    )
    assert extract_passages(html) == (("", "", "Yes too, tight"),)


def test_the_page_names_the_script_and_loads_nothing_of_the_search(site: Make) -> None:
    built = site(SITE.format(theme="classic")).build()
    page = built.read_page("/lab/")
    (button,) = re.findall(r'<button id="search-open"[^>]*>', page)
    assert re.search(r'data-src="\.\./assets/search\.\w{10}\.js"', button)
    assert re.findall(r'<script[^>]* src="[^"]*?(\w+)\.\w+\.js"', page) == ["site"]
    names = re.findall(r'"([\w.-]+\.js)"', built.read_page("/assets/search-index.js"))
    assert {f"assets/{name}" for name in names} < set(built.paths)
    assert re.fullmatch(r"minisearch\.\w{10}\.js search-pages\.\w{10}\.js", " ".join(names))


def test_a_changed_text_changes_only_the_search_files(site: Make) -> None:
    sources = site(SITE.format(theme="folio"))
    first = read_built_files(sources)
    assert first == read_built_files(sources)
    text = "-- content/pages/lab.md --\n---\ntitle: The lab\n---\nOther words.\n"
    second = read_built_files(sources.edit_files(text))
    changed = {path for path in first.keys() | second.keys() if first.get(path) != second.get(path)}
    kinds = {re.sub(r"\.\w{10}\.js", ".js", path) for path in changed if path.startswith("assets/")}
    assert kinds == {"assets/search-pages.js", "assets/search-index.js"}
    assert {path for path in changed if path.endswith(".html")} == {"lab/index.html"}


def test_a_site_that_does_not_ask_for_it_has_no_search(site: Make) -> None:
    built = site(SITE.format(theme="folio").replace("search: true\n", "")).build()
    assert not [path for path in built.paths if "search" in path]
    assert "search" not in re.sub(r"filter_search|type=\"search\"", "", built.read_page("/lab/"))


def test_the_scripts_are_small_and_the_licence_is_shipped() -> None:
    assert (ASSETS / "site.js").stat().st_size <= 11_776
    assert (ASSETS / "search.js").stat().st_size <= 9_216
    assert (ASSETS / "minisearch.js").stat().st_size <= 20_480
    assert (ASSETS / "minisearch.js").read_text("utf-8").startswith("/*! MiniSearch 7.2.0, ")
    assert "Luca Ongaro" in (ASSETS / "minisearch.LICENSE.txt").read_text("utf-8")
