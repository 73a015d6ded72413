"""
The items that Zotero finds on the pages, by the rules of its translators.

COinS has the first priority (310), "Embedded Metadata" the next (320), "DOI" the last (400); unAPI would come
before all (300).
"""

import itertools
import re
from urllib.parse import parse_qs

import pytest
from parsed_pages import CASES, Page, is_paper, list_papers, parse_page, parse_pages, site_of

from tenure.markdown.html import plain_text

ZOTERO_FORMATS = {"journal": "journalArticle", "dissertation": "thesis", "patent": "patent", "dc": "webpage"}
ZOTERO_BOOKS = {"bookitem": "bookSection", "conference": "conferencePaper", "proceeding": "conferencePaper",
                "report": "report", "document": "document"}  # fmt: skip
"""Zotero's item type for the format of a ContextObject, and for the genre of a book."""


KINDS = {"citation_journal_title": "journalArticle", "citation_conference_title": "conferencePaper",
         "citation_inbook_title": "bookSection", "citation_dissertation_institution": "thesis",
         "citation_technical_report_institution": "report"}  # fmt: skip
"""The item type that follows from a tag for the venue; the last of several tags decides."""

EXPECTED_TYPES = {"article": "journalArticle", "inproceedings": "conferencePaper", "incollection": "bookSection",
          "inbook": "bookSection", "phdthesis": "thesis", "mastersthesis": "thesis", "techreport": "report",
          "book": "book"}  # fmt: skip
"""The expected item type of each kind of publication; for other kinds any type is accepted."""


def detect_icon(item: Page) -> str:
    """Return the icon that Zotero shows in the browser: "multiple", the type of one item, "webpage", or ""."""
    if [link for link in item.find_elements("link") if link.get("rel") == "unapi-server"]:
        return "unAPI"
    spans = item.find_elements("span", class_="Z3988")
    if spans:
        return "multiple" if len(spans) > 1 else "one of a list"
    tags = [m["name"] for m in item.find_elements("meta") if m.get("name", "").startswith("citation_")]
    venues = [KINDS[tag] for tag in tags if tag in KINDS]
    if venues:
        return venues[-1]
    if item.find_meta_contents("og:type") == ["book"]:
        return "book"
    return (
        "journalArticle"
        if "citation_title" in tags
        else "webpage"
        if item.find_meta_contents("og:type")
        else ""
    )


def split_people(tag: str, alone: bool) -> list[str]:
    """Return the people in one author tag: split at semicolons; a single tag is split at commas between pairs of words."""
    result = re.split(r"\s*;\s*", tag)
    parts = re.split(r"[ \t]*,[ \t]*", result[0])
    if len(result) == 1 and alone and len(parts) > 1 and " " in parts[0] and " " in parts[1]:
        return parts
    return result


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_zotero_detects_the_type_of_each_page(theme: str, name: str) -> None:
    for html_page in parse_pages(theme, name):
        actual = detect_icon(html_page)
        if html_page.path in ("publications/index.html", "both/index.html"):
            assert actual == "multiple", html_page.path
        elif html_page.path.startswith("tags/") and "pub" in html_page.classes:
            assert actual in ("multiple", "one of a list"), html_page.path
        elif not is_paper(html_page.path):
            assert actual == ("" if html_page.path == "404.html" else "webpage"), html_page.path
            assert "vcard" not in html_page.classes
            # The author of a page without authors of its own is the owner of the site; no author is guessed
            # from a line of dates.
            assert html_page.path == "404.html" or html_page.find_meta_contents("author") == [
                site_of(theme, name).profile.name
            ]


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_zotero_gets_the_type_of_a_publication(theme: str, name: str) -> None:
    for paper, html_page in list_papers(theme, name):
        expected = EXPECTED_TYPES.get(paper.kind)
        if expected and (expected == "book" or paper.venue.name or paper.venue.institution):
            assert detect_icon(html_page) == expected, paper.key


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_zotero_gets_the_fields_of_a_publication(theme: str, name: str) -> None:
    for paper, html_page in list_papers(theme, name):
        tags = html_page.find_meta_contents("citation_author")
        read = [person for tag in tags for person in split_people(tag, alone=True)]
        assert len(read) == len(paper.authors.people)
        assert all(a != b for a, b in itertools.pairwise(read))
        # Zotero would change the letters of a tag in capitals only or in lower case only.
        assert [tag for tag in tags if tag in (tag.upper(), tag.lower()) and tag.isascii()] == []
        assert html_page.find_meta_contents("citation_doi") == ([paper.doi] if paper.doi else [])
        assert html_page.find_meta_contents("citation_abstract") == (
            [plain_text(paper.abstract)] if paper.abstract else []
        )
        keywords = [
            word for tag in html_page.find_meta_contents("citation_keywords") for word in tag.split("; ")
        ]
        assert keywords == [plain_text(tag) for tag in paper.tags]
        pages_of = (
            *html_page.find_meta_contents("citation_firstpage"),
            *html_page.find_meta_contents("citation_lastpage"),
        )
        assert all(number in paper.venue.pages for number in pages_of)
        assert bool(pages_of) == bool(paper.venue.pages)
        head = html_page.text.partition("</head>")[0]
        assert head.count('name="citation_') == html_page.text.count('name="citation_')


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_zotero_finds_each_item_of_a_list(theme: str, name: str) -> None:
    publications = site_of(theme, name).publications
    spans = parse_page(theme, name, "publications/index.html").find_elements("span", class_="Z3988")
    actual = []
    for span in spans:
        assert "rfr_id=info%3Asid%2F" in span["title"]
        fields = parse_qs(span["title"], strict_parsing=True)
        assert fields["ctx_ver"] == ["Z39.88-2004"]
        format_name = fields["rft_val_fmt"][0].removeprefix("info:ofi/fmt:kev:mtx:")
        genre = re.search(r"&rft\.genre=(\w+)", span["title"])
        kind = (
            ZOTERO_BOOKS.get(genre[1] if genre else "", "book")
            if format_name == "book"
            else ZOTERO_FORMATS[format_name]
        )
        title = fields.get("rft.atitle") or fields.get("rft.btitle") or fields["rft.title"]
        actual.append((title[0], kind, len(fields.get("rft.au", fields.get("rft.creator", [])))))
    assert len(actual) == len(publications)
    for paper in publications:
        people = len(paper.authors.people or paper.editors.people)
        mine = [item for item in actual if item[0] == plain_text(paper.title) and item[2] == people]
        assert EXPECTED_TYPES.get(paper.kind, mine[0][1]) in [kind for _, kind, _ in mine]
