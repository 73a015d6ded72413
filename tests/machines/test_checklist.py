"""What machines read on each kind of page, line by line, in every theme."""

import re
from urllib.parse import unquote, urljoin, urlsplit

import feedparser
import pytest
from conftest import ROOT
from machine_pages import ADDRESS, CASES, THEMES, Page, files, is_paper, page, pages, papers, site_of

from tenure.build import build_site
from tenure.markdown.html import plain_text

VENUES = ("citation_journal_title", "citation_conference_title", "citation_inbook_title",
          "citation_dissertation_institution", "citation_technical_report_institution")  # fmt: skip


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
    assert [house.get("@id", "") for house in person.get("affiliation", [])] == [
        f"https://ror.org/{place.ror}" if place.ror else "" for place in who.affiliation
    ]
    orcids = [link.url for link in who.links if "orcid.org" in link.url]
    assert person["@id"] == (orcids[0] if orcids else f"{ADDRESS}/#me")


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
        assert (data["@context"], data["@type"]) == ("https://schema.org", "CollectionPage")
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


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_only_papers_have_tags_of_citation_and_each_has_them(theme: str, name: str) -> None:
    for one in pages(theme, name):
        if not is_paper(one.path):
            assert "citation_" not in one.text, one.path
    for paper, one in papers(theme, name):
        assert one.meta("citation_title") == [plain_text(paper.title)]
        authors = one.meta("citation_author")
        assert len(authors) == len(paper.authors.people)
        for tag, person in zip(authors, paper.authors.people, strict=True):
            if not person.name.group and person.name.given:
                assert (
                    tag.replace("\u00a0", " ").partition(",")[0].split()[-1] == person.name.family.split()[-1]
                )
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
        assert [a["name"] for a in data.get("author", [])] == [a.name.full_name for a in paper.authors.people]
        mine = [
            a for a, person in zip(data.get("author", []), paper.authors.people, strict=True) if person.me
        ]
        assert all(a["@id"] == page(theme, name, "index.html").data()["mainEntity"]["@id"] for a in mine)
        known = [a.url if a.url.startswith("https://orcid.org/") else "" for a in paper.authors.people]
        others = [k for k, person in zip(known, paper.authors.people, strict=True) if not person.me]
        theirs = [a for a in data.get("author", []) if a not in mine]
        assert [a.get("@id", "") for a in theirs] == others
        assert data["@context"] == "https://schema.org"
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
            assert one.data()["@context"] == "https://schema.org"
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
    made = build_site(ROOT / "examples" / "projects-page", theme=theme)
    for artifact in made.artifacts:
        if artifact.path.endswith(".html"):
            text = artifact.read().decode()
            assert not re.search(r'"og:|canonical|feed\.xml', text)
            if artifact.path != "404.html":
                assert "url" not in Page(artifact.path, text).data()
    assert not {"preview.png", "sitemap.xml", "feed.xml", "llms.txt"} & {a.path for a in made.artifacts}


@pytest.mark.parametrize("theme", THEMES)
def test_every_line_of_the_list_meets_what_it_is_about(theme: str) -> None:
    """The site that has everything has what the tests above look for, so that none of them is about nothing."""
    article = page(theme, "whole", "publications/article/index.html")
    assert article.meta("citation_pdf_url") == [f"{ADDRESS}/publications/article/article.pdf"]
    assert [link["href"] for link in article.links("item")] == ["article.pdf"]
    assert page(theme, "whole", "publications/paper/index.html").meta("citation_pdf_url") == []
    assert article.meta("citation_publication_date") == ["2025/5/6"]
    assert [link["href"] for link in article.links("author")] == [
        "https://orcid.org/0000-0002-1825-0097",
        "https://orcid.org/0000-0001-5109-3700",
    ]
    assert len(page(theme, "whole", "index.html").all("a", rel="me")) == 3
    assert page(theme, "whole", "statistics/index.html").data()["@type"] == "AboutPage"
    kinds = {one.data()["@type"] for one in pages(theme, "whole") if one.path != "404.html"}
    assert kinds >= {"ProfilePage", "CollectionPage", "ScholarlyArticle", "Thesis", "Report", "Book", "Chapter",
                     "BlogPosting", "SoftwareSourceCode"}  # fmt: skip


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_link_leads_to_a_file_of_that_very_name_and_to_a_place_on_it(theme: str, name: str) -> None:
    made = files(theme, name)
    anchors = {one.path: {e.get("id") for e in one.root.iter() if e.get("id")} for one in pages(theme, name)}
    followed = 0
    for one in pages(theme, name):
        attributes = [
            value for e in one.root.iter() for key, value in e.attrib.items() if key in ("href", "src")
        ]
        for address in attributes:
            whole = urlsplit(urljoin(one.address, address))
            if f"{whole.scheme}://{whole.netloc}{whole.path}".startswith(f"{ADDRESS}/"):
                path = unquote(whole.path).removeprefix("/~me/")
                path = f"{path}index.html" if path.endswith("/") or not path else path
                assert path in made, f"{one.path}: {address}"
                assert not whole.fragment or unquote(whole.fragment) in anchors[path], (
                    f"{one.path}: {address}"
                )
                followed += 1
    assert followed > 40


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_the_feed_has_all_that_a_feed_must_have(theme: str, name: str) -> None:
    """RFC 4287, 4.1.1 and 4.1.2; a reader of feeds is too kind to miss any of it."""
    feed = feedparser.parse(files(theme, name)["feed.xml"])
    assert not feed.bozo
    assert feed.feed.title
    assert feed.feed.id.startswith("urn:uuid:")
    assert feed.feed.updated == max(entry.updated for entry in feed.entries)
    assert feed.feed.author
    assert {link.rel: link.href for link in feed.feed.links}["self"] == f"{ADDRESS}/feed.xml"
    assert len({entry.id for entry in feed.entries}) == len(feed.entries) > 0
    for entry in feed.entries:
        assert entry.title
        assert entry.id.startswith("urn:uuid:")
        path = unquote(urlsplit(entry.link).path).removeprefix("/~me/")
        assert f"{path}index.html" in files(theme, name)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry.updated)
