"""What machines read on each kind of page, line by line, in every theme."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import html5lib
import pytest
from conftest import ROOT

from tenure.model.scholar import Publication
from tenure.model.site import Site
from tenure.pipeline import Build, build

THEMES = sorted(path.name for path in (ROOT / "themes").iterdir() if (path / "theme.yaml").is_file())
SITES = {
    "turing": ROOT,
    "phd": ROOT / "examples" / "systems-phd-2026",
    "masters": ROOT / "examples" / "masters",
}
ADDRESS = "https://example.edu/~me"
CASES = [(theme, name) for theme in THEMES for name in SITES]
HTML = "{http://www.w3.org/1999/xhtml}"


@cache
def built(theme: str, name: str) -> Build:
    made = build(SITES[name], theme=theme, base_url=ADDRESS)
    assert made.problems == ()
    return made


def site_of(theme: str, name: str) -> Site:
    site = built(theme, name).site
    assert site is not None
    return site


@cache
def files(theme: str, name: str) -> Mapping[str, bytes]:
    return {a.path: a.read() for a in built(theme, name).artifacts}


class Page:
    """A page as a browser parses it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.root: Any = html5lib.parse(text)
        self.address = f"{ADDRESS}/{path.removesuffix('index.html')}"

    def all(self, tag: str, **attributes: str) -> list[dict[str, str]]:
        found = [dict(element.attrib) for element in self.root.iter(f"{HTML}{tag}")]
        return [one for one in found if all(one.get(k.strip("_")) == v for k, v in attributes.items())]

    def meta(self, name: str) -> list[str]:
        return [m["content"] for m in self.all("meta") if m.get("name", m.get("property")) == name]

    def links(self, rel: str) -> list[dict[str, str]]:
        return self.all("link", rel=rel)

    def data(self) -> dict[str, Any]:
        scripts = [e for e in self.root.iter(f"{HTML}script") if e.get("type") == "application/ld+json"]
        (one,) = scripts
        found: dict[str, Any] = json.loads(one.text)
        return found

    @property
    def classes(self) -> set[str]:
        return {word for element in self.root.iter() for word in (element.get("class") or "").split()}


@cache
def pages(theme: str, name: str) -> list[Page]:
    return [Page(p, body.decode()) for p, body in files(theme, name).items() if p.endswith(".html")]


def page(theme: str, name: str, path: str) -> Page:
    return next(one for one in pages(theme, name) if one.path == path)


def papers(theme: str, name: str) -> Iterator[tuple[Publication, Page]]:
    for paper in site_of(theme, name).publications:
        yield paper, page(theme, name, f"publications/{paper.id}/index.html")


def is_paper(path: str) -> bool:
    return re.fullmatch(r"publications/[^/]+/index\.html", path) is not None


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_page_says_its_language_letters_width_title_and_what_it_is(theme: str, name: str) -> None:
    titles = set()
    for one in pages(theme, name):
        assert one.root.get("lang") == "en"
        assert b'<meta charset="utf-8">' in one.text.encode()[:1024]
        (viewport,) = one.meta("viewport")
        assert "maximum-scale" not in viewport
        assert "user-scalable" not in viewport
        (description,) = one.meta("description")
        assert 5 <= len(description) <= 160
        titles.add(re.findall("<title>(.*?)</title>", one.text)[0])
    assert len(titles) == len(pages(theme, name))


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_page_but_404_has_its_address_and_a_preview(theme: str, name: str) -> None:
    for one in pages(theme, name):
        if one.path == "404.html":
            continue
        assert [link["href"] for link in one.links("canonical")] == [one.address]
        assert one.meta("og:url") == [one.address]
        assert one.meta("og:title")[0]
        assert one.meta("og:description") == one.meta("description")
        assert one.meta("og:type")[0] in ("profile", "website", "article", "book")
        assert one.meta("og:image:alt")[0]
        (image,) = one.meta("og:image")
        assert image.startswith(f"{ADDRESS}/")
        assert files(theme, name)[image.removeprefix(f"{ADDRESS}/")][:4] == b"\x89PNG"
        assert one.meta("twitter:card") == ["summary_large_image"]


@pytest.mark.parametrize("theme", THEMES)
def test_preview_is_of_the_size_that_it_says(theme: str) -> None:
    body = files(theme, "turing")["preview.png"]
    size = tuple(int.from_bytes(body[at : at + 4]) for at in (16, 20))
    assert size == (1200, 630)
    home = page(theme, "turing", "index.html")
    assert (home.meta("og:image:width"), home.meta("og:image:height")) == (["1200"], ["630"])
    assert len(body) < 100_000


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_404_is_for_no_index(theme: str, name: str) -> None:
    one = page(theme, name, "404.html")
    assert one.meta("robots") == ["noindex"]
    assert one.links("canonical") == []
    assert not [m for m in one.all("meta") if m.get("property", "").startswith("og:")]
    assert "application/ld+json" not in one.text
    for link in [*one.all("a"), *one.all("link")]:
        assert re.match(r"/~me/|#|data:|mailto:|https?:", link["href"]), link


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_home_is_a_profile_page_of_a_person(theme: str, name: str) -> None:
    who = site_of(theme, name).profile
    data = page(theme, name, "index.html").data()
    assert data["@context"] == "https://schema.org"
    assert data["@type"] == "ProfilePage"
    assert data["isPartOf"] == {"@type": "WebSite", "name": site_of(theme, name).title, "url": f"{ADDRESS}/"}
    person = data["mainEntity"]
    assert (person["@type"], person["name"], person["url"]) == ("Person", who.name, f"{ADDRESS}/")
    assert person.get("sameAs", []) == [link.url for link in who.links]
    for house in person.get("affiliation", []):
        assert house["@id"].startswith("https://ror.org/") if "@id" in house else True
    assert person["@id"]


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_home_has_a_card_and_the_links_are_mine(theme: str, name: str) -> None:
    home, who = page(theme, name, "index.html"), site_of(theme, name).profile
    assert {"h-card", "p-name"} <= home.classes
    assert [a["href"] for a in home.all("a", rel="me")] == [link.url for link in who.links]
    assert all("u-url" in a["class"].split() for a in home.all("a", rel="me"))
    assert "vcard" not in home.classes


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_lists_are_collections_of_what_they_list(theme: str, name: str) -> None:
    for one in pages(theme, name):
        if one.path not in ("publications/index.html", "projects/index.html", "talks/index.html"):
            continue
        data = one.data()
        assert data["@type"] == "CollectionPage"
        listed = data["mainEntity"]
        assert listed["@type"] == "ItemList"
        assert listed["numberOfItems"] == len(listed["itemListElement"])
        assert [e["position"] for e in listed["itemListElement"]] == [
            *range(1, len(listed["itemListElement"]) + 1)
        ]
        for element in listed["itemListElement"]:
            if "url" in element:
                path, _, anchor = element["url"].removeprefix(f"{ADDRESS}/").partition("#")
                target = page(theme, name, f"{path}index.html")
                assert not anchor or f'id="{anchor}"' in target.text
            else:
                assert element["item"]["@type"] == "Event"


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_lists_of_publications_have_coins_for_each_and_no_other_page_has(theme: str, name: str) -> None:
    for one in pages(theme, name):
        spans = one.all("span", class_="Z3988")
        if one.path == "publications/index.html":
            assert len(spans) == len(site_of(theme, name).publications) > 1
        elif is_paper(one.path):
            assert spans == []


ZOTERO_FORMATS = {"journal": "journalArticle", "dissertation": "thesis", "patent": "patent", "dc": "webpage"}
ZOTERO_BOOKS = {"bookitem": "bookSection", "conference": "conferencePaper", "proceeding": "conferencePaper",
                "report": "report", "document": "document"}  # fmt: skip
"""What Zotero makes of a ContextObject's format, and of the genre of a book."""


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_zotero_finds_each_item_of_a_list(theme: str, name: str) -> None:
    made = site_of(theme, name).publications
    spans = page(theme, name, "publications/index.html").all("span", class_="Z3988")
    found = []
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
        found.append((title[0], kind, len(fields.get("rft.au", fields.get("rft.creator", [])))))
    assert len(found) == len(made)
    for paper in made:
        wanted = {"article": "journalArticle", "inproceedings": "conferencePaper", "phdthesis": "thesis",
                  "techreport": "report", "incollection": "bookSection", "book": "book"}  # fmt: skip
        people = len(paper.authors.people or paper.editors.people)
        mine = [item for item in found if item[0] == _words(paper.title) and item[2] == people]
        assert wanted.get(paper.kind, mine[0][1]) in [kind for _, kind, _ in mine]


def _words(title: str) -> str:
    from tenure.text import plain

    return plain(title)


VENUES = {"citation_journal_title": "journalArticle", "citation_conference_title": "conferencePaper",
          "citation_inbook_title": "bookSection", "citation_dissertation_institution": "thesis",
          "citation_technical_report_institution": "report"}  # fmt: skip


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_only_papers_have_tags_of_citation_and_each_has_them(theme: str, name: str) -> None:
    for one in pages(theme, name):
        if not is_paper(one.path):
            assert "citation_" not in one.text, one.path
    for paper, one in papers(theme, name):
        assert one.meta("citation_title") == [_words(paper.title)]
        authors = one.meta("citation_author")
        assert len(authors) == len(paper.authors.people)
        assert [a.replace("\u00a0", " ").partition(",")[0].split()[-1] for a in authors if "," in a] == [
            p.name.family.split()[-1] for p in paper.authors.people if not p.name.group and p.name.given
        ]
        for date in one.meta("citation_publication_date"):
            assert re.fullmatch(r"\d{4}(?:/\d{1,2}/\d{1,2})?", date)
        assert len(one.meta("citation_publication_date")) == (1 if paper.date and paper.date.year else 0)
        venues = [m["name"] for m in one.all("meta") if m.get("name") in VENUES]
        assert len(venues) <= 1
        assert len(venues) == 1 or not paper.venue.name or paper.kind in ("book", "misc", "online")


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_a_pdf_is_named_to_scholar_where_it_lies_beside_the_page(theme: str, name: str) -> None:
    for paper, one in papers(theme, name):
        beside = [link.url for link in paper.links if link.url.startswith(f"/publications/{paper.id}/")]
        pdfs = [url for url in beside if url.endswith(".pdf")]
        assert one.meta("citation_pdf_url") == [f"{ADDRESS}{url}" for url in pdfs[:1]]
        for url in one.meta("citation_pdf_url"):
            assert url.removeprefix(f"{ADDRESS}/") in files(theme, name)


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_papers_are_scholarly_works_of_their_authors(theme: str, name: str) -> None:
    kinds = {"ScholarlyArticle", "Thesis", "Book", "Chapter", "Report", "Dataset", "SoftwareSourceCode",
             "CreativeWork", "WebPage"}  # fmt: skip
    for paper, one in papers(theme, name):
        data = one.data()
        assert data["@type"] in kinds
        assert data["url"] == one.address
        assert [a["name"] for a in data.get("author", [])] == [a.name.full for a in paper.authors.people]
        mine = [
            a for a, person in zip(data.get("author", []), paper.authors.people, strict=True) if person.me
        ]
        assert all(a["@id"] == page(theme, name, "index.html").data()["mainEntity"]["@id"] for a in mine)
        if paper.doi:
            assert data["@id"] == f"https://doi.org/{paper.doi}"
        way = data["mainEntityOfPage"]["breadcrumb"]["itemListElement"]
        assert [step["item"] for step in way] == [f"{ADDRESS}/publications/", one.address]


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_signposts_of_papers_lead_somewhere(theme: str, name: str) -> None:
    for paper, one in papers(theme, name):
        types = [link["href"] for link in one.links("type")]
        assert types == [f"https://schema.org/{one.data()['@type']}", "https://schema.org/AboutPage"]
        described = one.links("describedby")
        assert [link["type"] for link in described] == ["application/x-bibtex"]
        for link in [*described, *one.links("item")]:
            path = urlsplit(urljoin(one.address, link["href"])).path.removeprefix("/~me/")
            assert path in files(theme, name)
        assert len(one.links("cite-as")) == (1 if paper.doi else 0)
        assert all("doi.org" not in link["href"] for link in one.links("author"))


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_projects_and_posts_are_works_of_their_own(theme: str, name: str) -> None:
    for one in pages(theme, name):
        if re.fullmatch(r"projects/[^/]+/index\.html", one.path):
            assert one.data()["@type"] in ("CreativeWork", "SoftwareSourceCode")
        if re.fullmatch(r"posts/[^/]+/index\.html", one.path):
            data = one.data()
            assert data["@type"] == "BlogPosting"
            assert data["datePublished"]
            assert data["author"]["name"] == site_of(theme, name).profile.name


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_page_but_404_leads_to_the_feed(theme: str, name: str) -> None:
    for one in pages(theme, name):
        feeds = [link for link in one.links("alternate") if link["type"] == "application/atom+xml"]
        assert len(feeds) == (0 if one.path == "404.html" else 1)
        for link in feeds:
            assert urljoin(one.address, link["href"]) == f"{ADDRESS}/feed.xml"


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_record_is_linked_where_it_belongs(theme: str, name: str) -> None:
    made = files(theme, name)
    linked = {
        urljoin(one.address, a["href"]).removeprefix(f"{ADDRESS}/")
        for one in pages(theme, name)
        for a in [*one.all("a"), *one.all("link")]
    }
    records = [
        path for path in made if path.endswith((".bib", ".ris", ".json", ".md", ".txt", ".ics", ".xml"))
    ]
    assert set(records) - linked == {"sitemap.xml", "llms.txt"} & set(records)
    shown = {
        urljoin(one.address, a["href"]).removeprefix(f"{ADDRESS}/")
        for one in pages(theme, name)
        for a in one.all("a")
    }
    assert {
        "publications.bib",
        "publications.ris",
        "publications.json",
        "cv.md",
        "cv.txt",
        "resume.json",
    } <= shown


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_sitemap_has_every_page_but_404(theme: str, name: str) -> None:
    text = files(theme, name)["sitemap.xml"].decode()
    places = re.findall(r"<loc>(.*?)</loc>", text)
    assert sorted(places) == sorted(one.address for one in pages(theme, name) if one.path != "404.html")
    assert all(
        re.fullmatch(r"\d{4}(-\d\d){0,2}", when) for when in re.findall(r"<lastmod>(.*?)</lastmod>", text)
    )
    if site_of(theme, name).settings.updated:
        assert text.count("<lastmod>") == len(places)


@pytest.mark.parametrize("theme", THEMES)
def test_a_site_that_does_not_know_its_address_names_none(theme: str) -> None:
    made = build(ROOT / "examples" / "projects-page", theme=theme)
    for artifact in made.artifacts:
        if artifact.path.endswith(".html"):
            text = artifact.read().decode()
            assert not re.search(r'"og:|canonical|feed\.xml', text)
            if artifact.path != "404.html":
                assert "url" not in Page(artifact.path, text).data()
    assert not {"preview.png", "sitemap.xml", "feed.xml", "llms.txt"} & {a.path for a in made.artifacts}
