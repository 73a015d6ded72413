"""An independent parser reads every record, and finds the content of the sources."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import citeproc
import feedparser
import icalendar
import jsonschema
import pytest
import rispy
from bibtexparser.entrypoint import parse_string
from citeproc.source.json import CiteProcJSON
from conftest import ROOT, Make, Sources, read_artifacts, read_site
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from matrix import LAB, build_sample_site

from tenure.exports.reports import make_year_report

HERE = Path(__file__).parent
FOLDERS = [path.parent for path in sorted(ROOT.glob("examples/*/content"))]
SITES = {"turing": ROOT, **{LAB if path.name == "group" else path.name: path for path in FOLDERS}}
HARD = r'a, b; c \ d: "e" ’f’ <g> & é 王 #h $ _i_ | {j} =k'
"""Characters with a meaning in one of the formats."""

WRITTEN = HARD.replace("<g> ", "").replace("_i_", "i")
READ = WRITTEN.replace('"e"', "“e”")
"""The text without Markdown's special characters, with typographic quotes."""


@cache
def build_files(name: str) -> dict[str, bytes]:
    built = build_sample_site("", name)
    assert built.problems == ()
    return read_artifacts(built)


def hard_paper(site: Make) -> Sources:
    title = HARD.replace("\\ ", r"\textbackslash{} ").replace("{j}", r"\{j\}")
    for sign in "&#$_":
        title = title.replace(sign, f"\\{sign}")
    return site(read_site("hard_paper").replace("TITLE", title))


@pytest.mark.parametrize("name", [name for name, path in SITES.items() if (path / "bib").is_dir()])
def test_every_publication_is_in_every_list(name: str) -> None:
    loaded_site = build_sample_site("", name).site
    assert loaded_site is not None
    keys = [paper.key for paper in loaded_site.publications]
    actual = build_files(name)
    entries = parse_string(actual["publications.bib"].decode()).entries
    assert [entry.key for entry in entries] == keys
    items = rispy.loads(actual["publications.ris"].decode())
    assert [item["id"] for item in items] == keys
    assert [item["id"] for item in json.loads(actual["publications.json"])] == keys
    for paper, item in zip(loaded_site.publications, items, strict=True):
        (entry,) = parse_string(actual[f"publications/{paper.id}/{paper.id}.bib"].decode()).entries
        assert entry.key == paper.key
        assert len(item.get("authors", [])) == len(paper.authors.people)


def test_ris_has_the_fields_of_the_entry(site: Make) -> None:
    text = hard_paper(site).build().read_page("/publications.ris")
    assert text.endswith("ER  - \r\n\r\n")
    assert all(line == "" or line[2:6] == "  - " for line in text.split("\r\n"))
    (item,) = rispy.loads(text)
    assert item["type_of_reference"] == "CPAPER"
    assert item["title"] == HARD.replace('"e"', "“e”")
    assert item["authors"] == ["van der Berg, José", "The Group, Inc.", "Steele, Guy L., Jr.", "Example, Ada"]
    assert item["secondary_title"] == "Proceedings of X"
    assert item["year"] == "2024"
    assert item["date"] == "2024/05//"
    assert (item["start_page"], item["end_page"]) == ("12", "34")
    assert item["doi"] == "10.1000/x(1)<2>"
    assert item["keywords"] == ["a", "b"]
    assert item["abstract"] == "One. Two."


def test_csl_json_is_cited_by_citeproc(site: Make) -> None:
    items = json.loads(hard_paper(site).build().read_page("/publications.json"))
    assert items[0]["title"] == HARD.replace('"e"', "“e”")
    assert items[0]["author"][0] == {"family": "Berg", "given": "José", "non-dropping-particle": "van der"}
    assert items[0]["author"][1] == {"literal": "The Group, Inc."}
    assert items[0]["container-title-short"] == "XPX"
    style = citeproc.CitationStylesStyle("harvard-cite-them-right", validate=False)
    citations = citeproc.CitationStylesBibliography(style, CiteProcJSON(items), citeproc.formatter.plain)
    citations.register(citeproc.Citation([citeproc.CitationItem("one")]))
    (line,) = [str(line) for line in citations.bibliography()]
    assert line.startswith("van der Berg, J.")
    assert "(2024)" in line
    assert "12–34" in line


@pytest.mark.parametrize("name", SITES)
def test_json_resume_is_valid(name: str) -> None:
    schema = json.loads((HERE / "schemas/json-resume.json").read_text("utf-8"))
    actual = build_files(name)
    assert ("resume.json" in actual) == ("cv/index.html" in actual)
    if "resume.json" in actual:
        resume = json.loads(actual["resume.json"])
        jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker()).validate(resume)
        assert resume["basics"]["name"]


def test_the_calendar_is_readable(site: Make) -> None:
    text = site(read_site("calendar").replace("TITLE", json.dumps(WRITTEN))).build().read_page("/talks.ics")
    assert max(len(line.encode()) for line in text.split("\r\n")) <= 75
    calendar: Any = icalendar.Calendar.from_ical(text)
    events = calendar.walk("VEVENT")
    assert [event.errors for event in events] == [[], [], []]
    days = [(f"{event.start:%Y-%m-%d}", f"{event.end:%Y-%m-%d}") for event in events]
    assert days == [("2024-02-29", "2024-03-01"), ("2024-12-01", "2025-01-01"), ("2025-03-30", "2025-04-03")]
    assert str(events[0]["SUMMARY"]) == READ
    assert str(events[0]["LOCATION"]) == "Seminar, Town, House"
    assert len({str(event["UID"]) for event in events}) == 3
    assert f"{events[0]['DTSTAMP'].dt:%Y-%m-%dT%H:%M:%SZ}" == "2024-02-29T00:00:00Z"


POSTS = read_site("posts")


def test_the_feed_is_readable(site: Make) -> None:
    built = site(POSTS).build()
    feed = feedparser.parse(built.read_page("/feed.xml"))
    assert not feed.bozo
    assert feed.version == "atom10"
    assert feed.feed.title == "Ada Example"
    assert feed.feed.updated == "2024-07-01T00:00:00Z"
    assert [(e.title, e.link, e.updated) for e in feed.entries] == [
        ("One & 2 < 3", "https://example.org/site/posts/one/", "2024-07-01T00:00:00Z"),
        ("A paper is out.", "https://example.org/site/#a-paper-is-out", "2024-06-01T00:00:00Z"),
        ("Two", "https://example.org/site/posts/two/", "2023-01-01T00:00:00Z"),
        ("P", "https://example.org/site/publications/p/", "2022-01-01T00:00:00Z"),
    ]
    body = feed.entries[0].content[0].value
    assert 'href="https://example.org/site/posts/two/"' in body
    assert 'src="https://example.org/site/images/tree.png"' in body
    assert [author.name for author in feed.entries[3].authors] == ["Ada Example", "Bob Other"]
    assert feed.entries[3].summary == "About P."


def test_feed_ids_stay_the_same_after_a_move(site: Make) -> None:
    def read_feed_ids(base_url: str) -> list[str]:
        text = sources.build(base_url=base_url).read_page("/feed.xml")
        return [entry.id for entry in feedparser.parse(text).entries]

    sources = site(POSTS)
    assert len(set(read_feed_ids("https://example.org"))) == 4
    assert read_feed_ids("https://example.org") == read_feed_ids("https://example.edu/~ada")


def read_markdown(text: str) -> SyntaxTreeNode:
    """Parse a text by the rules of CommonMark."""
    return SyntaxTreeNode(MarkdownIt("commonmark").parse(text))


def text_of(node: SyntaxTreeNode) -> str:
    """Return the text of a part of a document, including links and emphasis."""
    return "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in node.walk()
        if child.type in ("text", "softbreak", "hardbreak", "code_inline", "html_inline")
    )


def test_the_report_of_a_year_is_readable(site: Make) -> None:
    talks = f"-- content/talks.yaml --\n- {{title: {json.dumps(WRITTEN)}, date: 2024}}\n"
    built = hard_paper(site).edit_files(talks).build()
    first, *lines = filter(None, make_year_report(built.site, 2024).split("\n"))
    assert first == "Ada Example: 2024"
    assert [line for line in lines if line.isupper()] == ["PUBLICATIONS", "TALKS"]
    assert HARD.replace('"e"', "“e”") in lines[1]
    assert lines[-1] in (f"{WRITTEN} (2024)", f"{READ} (2024)")


@pytest.mark.parametrize("name", SITES)
def test_llms_txt_has_the_proposed_format(name: str) -> None:
    """llmstxt.org: a title, a summary as a quotation, and lists of links under headings."""
    built = build_sample_site("", name, "https://example.edu/~me")
    actual = read_artifacts(built)
    document = read_markdown(actual["llms.txt"].decode())
    title, *others = document.children
    assert (title.tag, text_of(title)) == ("h1", built.site.title if built.site else "")
    assert others[0].type == "blockquote"
    lists = [child for child in others if child.type == "bullet_list"]
    assert [child.type for child in others if child.tag == "h2"]
    for item in (item for child in lists for item in child.children):
        link = item.children[0].children[0].children[0]
        assert link.type == "link"
        path = str(link.attrs["href"]).removeprefix("https://example.edu/~me/")
        assert (f"{path}index.html" if path.endswith("/") or not path else path) in actual
