"""The metadata of each kind of page, line by line, in every theme."""

import re
from urllib.parse import unquote, urljoin, urlsplit

import feedparser
import pytest
from matrix import build_sample_site
from parsed_pages import (
    ADDRESS,
    CASES,
    THEMES,
    Page,
    build_parsed_site,
    is_paper,
    list_papers,
    other_languages,
    parse_page,
    parse_pages,
    read_files,
    site_of,
)

from tenure.markdown.html import plain_text

VENUES = ("citation_journal_title", "citation_conference_title", "citation_inbook_title",
          "citation_dissertation_institution", "citation_technical_report_institution")  # fmt: skip


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_page_has_language_charset_viewport_title_and_description(theme: str, name: str) -> None:
    titles = set()
    for html_page in parse_pages(theme, name):
        assert html_page.root.get("lang") == "en"
        assert b'<meta charset="utf-8">' in html_page.text.encode()[:1024]
        (viewport,) = html_page.find_meta_contents("viewport")
        assert "maximum-scale" not in viewport
        assert "user-scalable" not in viewport
        (description,) = html_page.find_meta_contents("description")
        assert 5 <= len(description) <= 160
        titles.add(re.findall("<title>(.*?)</title>", html_page.text)[0])
    assert len(titles) == len(parse_pages(theme, name))


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_page_but_404_has_a_canonical_url_and_a_social_card(theme: str, name: str) -> None:
    for html_page in parse_pages(theme, name):
        if html_page.path == "404.html":
            continue
        assert [link["href"] for link in html_page.find_links("canonical")] == [html_page.address]
        assert html_page.find_meta_contents("og:url") == [html_page.address]
        assert html_page.find_meta_contents("og:title")[0]
        assert html_page.find_meta_contents("og:description") == html_page.find_meta_contents("description")
        assert html_page.find_meta_contents("og:type")[0] in ("profile", "website", "article", "book")
        assert html_page.find_meta_contents("og:image:alt")[0]
        (image,) = html_page.find_meta_contents("og:image")
        assert image.startswith(f"{ADDRESS}/")
        assert read_files(theme, name)[image.removeprefix(f"{ADDRESS}/")][:4] == b"\x89PNG"
        assert html_page.find_meta_contents("twitter:card") == ["summary_large_image"]


@pytest.mark.parametrize("theme", THEMES)
def test_the_social_card_has_the_stated_size(theme: str) -> None:
    body = read_files(theme, "turing")["preview.png"]
    size = tuple(int.from_bytes(body[at : at + 4]) for at in (16, 20))
    assert size == (1200, 630)
    home = parse_page(theme, "turing", "index.html")
    assert (home.find_meta_contents("og:image:width"), home.find_meta_contents("og:image:height")) == (
        ["1200"],
        ["630"],
    )
    assert len(body) < 100_000


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_the_404_page_is_not_indexed(theme: str, name: str) -> None:
    html_page = parse_page(theme, name, "404.html")
    assert html_page.find_meta_contents("robots") == ["noindex"]
    assert html_page.find_links("canonical") == []
    assert not [m for m in html_page.find_elements("meta") if m.get("property", "").startswith("og:")]
    assert "application/ld+json" not in html_page.text
    for link in [*html_page.find_elements("a"), *html_page.find_elements("link")]:
        assert re.match(r"/~me/|#|data:|mailto:|https?:", link["href"]), link


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_home_is_a_profile_page_of_a_person(theme: str, name: str) -> None:
    who = site_of(theme, name).profile
    data = parse_page(theme, name, "index.html").read_json_ld()
    assert data["@context"] == "https://schema.org"
    assert data["@type"] == "ProfilePage"
    assert data["isPartOf"] == {"@type": "WebSite", "name": site_of(theme, name).title, "url": f"{ADDRESS}/"}
    person = data["mainEntity"]
    assert (person["@type"], person["name"], person["url"]) == ("Person", who.name, f"{ADDRESS}/")
    assert person.get("sameAs", []) == [link.url for link in who.links]
    assert [organization.get("@id", "") for organization in person.get("affiliation", [])] == [
        f"https://ror.org/{place.ror}" if place.ror else "" for place in who.affiliation
    ]
    orcids = [link.url for link in who.links if "orcid.org" in link.url]
    assert person["@id"] == (orcids[0] if orcids else f"{ADDRESS}/#me")


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_home_has_an_h_card_with_rel_me_links(theme: str, name: str) -> None:
    home, who = parse_page(theme, name, "index.html"), site_of(theme, name).profile
    assert {"h-card", "p-name"} <= home.classes
    assert [a["href"] for a in home.find_elements("a", rel="me")] == [link.url for link in who.links]
    assert all("u-url" in a["class"].split() for a in home.find_elements("a", rel="me"))


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_list_pages_are_collections_of_their_entries(theme: str, name: str) -> None:
    for html_page in parse_pages(theme, name):
        if html_page.path not in ("publications/index.html", "projects/index.html", "talks/index.html"):
            continue
        data = html_page.read_json_ld()
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
                target = parse_page(theme, name, f"{path}index.html")
                assert not anchor or f'id="{anchor}"' in target.text
            else:
                assert element["item"]["@type"] == "Event"


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_only_lists_of_publications_have_coins(theme: str, name: str) -> None:
    for html_page in parse_pages(theme, name):
        spans = html_page.find_elements("span", class_="Z3988")
        if html_page.path == "publications/index.html":
            assert len(spans) == len(site_of(theme, name).publications) > 1
        elif is_paper(html_page.path):
            assert spans == []


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_only_publication_pages_have_citation_tags(theme: str, name: str) -> None:
    for html_page in parse_pages(theme, name):
        if not is_paper(html_page.path):
            assert "citation_" not in html_page.text, html_page.path
    for paper, html_page in list_papers(theme, name):
        assert html_page.find_meta_contents("citation_title") == [plain_text(paper.title)]
        authors = html_page.find_meta_contents("citation_author")
        assert len(authors) == len(paper.authors.people)
        for tag, person in zip(authors, paper.authors.people, strict=True):
            if not person.name.group and person.name.given:
                assert (
                    tag.replace("\u00a0", " ").partition(",")[0].split()[-1] == person.name.family.split()[-1]
                )
        for date in html_page.find_meta_contents("citation_publication_date"):
            assert re.fullmatch(r"\d{4}(?:/\d{1,2}/\d{1,2})?", date)
        assert len(html_page.find_meta_contents("citation_publication_date")) == (
            1 if paper.date and paper.date.year else 0
        )
        venues = [m["name"] for m in html_page.find_elements("meta") if m.get("name") in VENUES]
        assert len(venues) <= 1
        assert len(venues) == 1 or not paper.venue.name or paper.kind in ("book", "misc", "online")


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_a_pdf_next_to_the_page_is_in_the_citation_tags(theme: str, name: str) -> None:
    for paper, html_page in list_papers(theme, name):
        beside = [link.url for link in paper.links if link.url.startswith(f"/publications/{paper.id}/")]
        pdfs = [url for url in beside if url.endswith(".pdf")]
        assert html_page.find_meta_contents("citation_pdf_url") == [f"{ADDRESS}{url}" for url in pdfs[:1]]
        for url in html_page.find_meta_contents("citation_pdf_url"):
            assert url.removeprefix(f"{ADDRESS}/") in read_files(theme, name)


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_publications_are_scholarly_articles_with_authors(theme: str, name: str) -> None:
    kinds = {"ScholarlyArticle", "Thesis", "Book", "Chapter", "Report", "Dataset", "SoftwareSourceCode",
             "CreativeWork", "WebPage"}  # fmt: skip
    for paper, html_page in list_papers(theme, name):
        data = html_page.read_json_ld()
        assert data["@type"] in kinds
        assert data["url"] == html_page.address
        assert [a["name"] for a in data.get("author", [])] == [a.name.full_name for a in paper.authors.people]
        mine = [
            a for a, person in zip(data.get("author", []), paper.authors.people, strict=True) if person.me
        ]
        assert all(
            a["@id"] == parse_page(theme, name, "index.html").read_json_ld()["mainEntity"]["@id"]
            for a in mine
        )
        known = [a.url if a.url.startswith("https://orcid.org/") else "" for a in paper.authors.people]
        others = [k for k, person in zip(known, paper.authors.people, strict=True) if not person.me]
        theirs = [a for a in data.get("author", []) if a not in mine]
        assert [a.get("@id", "") for a in theirs] == others
        assert data["@context"] == "https://schema.org"
        if paper.doi:
            assert data["@id"] == f"https://doi.org/{paper.doi}"
        way = data["mainEntityOfPage"]["breadcrumb"]["itemListElement"]
        assert [step["item"] for step in way] == [f"{ADDRESS}/publications/", html_page.address]


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_signposting_links_have_targets(theme: str, name: str) -> None:
    for paper, html_page in list_papers(theme, name):
        types = [link["href"] for link in html_page.find_links("type")]
        assert types == [
            f"https://schema.org/{html_page.read_json_ld()['@type']}",
            "https://schema.org/AboutPage",
        ]
        described = html_page.find_links("describedby")
        assert [link["type"] for link in described] == ["application/x-bibtex"]
        for link in [*described, *html_page.find_links("item")]:
            path = urlsplit(urljoin(html_page.address, link["href"])).path.removeprefix("/~me/")
            assert path in read_files(theme, name)
        assert len(html_page.find_links("cite-as")) == (1 if paper.doi else 0)
        assert all("doi.org" not in link["href"] for link in html_page.find_links("author"))


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_projects_and_posts_have_structured_data(theme: str, name: str) -> None:
    for html_page in parse_pages(theme, name):
        if re.fullmatch(r"projects/[^/]+/index\.html", html_page.path):
            assert html_page.read_json_ld()["@context"] == "https://schema.org"
            assert html_page.read_json_ld()["@type"] in ("CreativeWork", "SoftwareSourceCode")
        if re.fullmatch(r"posts/[^/]+/index\.html", html_page.path):
            data = html_page.read_json_ld()
            assert data["@type"] == "BlogPosting"
            assert data["datePublished"]
            assert data["author"]["name"] == site_of(theme, name).profile.name


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_page_but_404_links_to_the_feed(theme: str, name: str) -> None:
    for html_page in parse_pages(theme, name):
        feeds = [
            link for link in html_page.find_links("alternate") if link.get("type") == "application/atom+xml"
        ]
        assert len(feeds) == (0 if html_page.path == "404.html" else 1)
        for link in feeds:
            assert urljoin(html_page.address, link["href"]) == f"{ADDRESS}/feed.xml"


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_record_is_linked_where_it_belongs(theme: str, name: str) -> None:
    site_files = read_files(theme, name)
    linked = {
        urljoin(html_page.address, a["href"]).removeprefix(f"{ADDRESS}/")
        for html_page in parse_pages(theme, name)
        for a in [*html_page.find_elements("a"), *html_page.find_elements("link")]
    }
    records = [
        path for path in site_files if path.endswith((".bib", ".ris", ".json", ".md", ".txt", ".ics", ".xml"))
    ]
    assert set(records) - linked == {"sitemap.xml", "llms.txt"} & set(records)
    linked_records = {
        urljoin(html_page.address, a["href"]).removeprefix(f"{ADDRESS}/")
        for html_page in parse_pages(theme, name)
        for a in html_page.find_elements("a")
    }
    assert (
        set("publications.bib publications.ris publications.json cv.md cv.txt resume.json".split())
        <= linked_records
    )


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_sitemap_has_every_page_but_404(theme: str, name: str) -> None:
    text = read_files(theme, name)["sitemap.xml"].decode()
    all_places = re.findall(r"<loc>(.*?)</loc>", text)
    folders = tuple(f"{ADDRESS}/{folder}" for folder in other_languages(theme, name))
    places = [place for place in all_places if not place.startswith(folders)]
    assert len(all_places) == len(places) * (len(folders) + 1)
    assert sorted(places) == sorted(
        html_page.address for html_page in parse_pages(theme, name) if html_page.path != "404.html"
    )
    assert all(
        re.fullmatch(r"\d{4}(-\d\d){0,2}", when) for when in re.findall(r"<lastmod>(.*?)</lastmod>", text)
    )
    if site_of(theme, name).settings.updated:
        assert text.count("<lastmod>") == len(all_places)


@pytest.mark.parametrize("theme", THEMES)
def test_a_site_without_a_url_has_no_absolute_urls(theme: str) -> None:
    built = build_sample_site(theme, "projects-page")
    for artifact in built.artifacts:
        if artifact.path.endswith(".html"):
            text = artifact.read().decode()
            assert not re.search(r'"og:|canonical|feed\.xml', text)
            if artifact.path != "404.html":
                assert "url" not in Page(artifact.path, text).read_json_ld()
    assert not {"preview.png", "sitemap.xml", "feed.xml", "llms.txt"} & {a.path for a in built.artifacts}


@pytest.mark.parametrize("theme", THEMES)
def test_each_check_is_used_by_some_page(theme: str) -> None:
    """The site "whole" has all the values that the tests above check, so that no test checks an empty list."""
    article = parse_page(theme, "whole", "publications/article/index.html")
    assert article.find_meta_contents("citation_pdf_url") == [f"{ADDRESS}/publications/article/article.pdf"]
    assert [link["href"] for link in article.find_links("item")] == ["article.pdf"]
    assert (
        parse_page(theme, "whole", "publications/paper/index.html").find_meta_contents("citation_pdf_url")
        == []
    )
    assert article.find_meta_contents("citation_publication_date") == ["2025/5/6"]
    assert [link["href"] for link in article.find_links("author")] == [
        "https://orcid.org/0000-0002-1825-0097",
        "https://orcid.org/0000-0001-5109-3700",
    ]
    assert len(parse_page(theme, "whole", "index.html").find_elements("a", rel="me")) == 3
    assert parse_page(theme, "whole", "statistics/index.html").read_json_ld()["@type"] == "AboutPage"
    kinds = {
        html_page.read_json_ld()["@type"]
        for html_page in parse_pages(theme, "whole")
        if html_page.path != "404.html"
    }
    assert kinds >= {"ProfilePage", "CollectionPage", "ScholarlyArticle", "Thesis", "Report", "Book", "Chapter",
                     "BlogPosting", "SoftwareSourceCode"}  # fmt: skip


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_every_link_and_anchor_exists_with_the_same_case(theme: str, name: str) -> None:
    site_files = {artifact.path for artifact in build_parsed_site(theme, name).artifacts}
    anchors = {
        html_page.path: {e.get("id") for e in html_page.root.iter() if e.get("id")}
        for html_page in parse_pages(theme, name)
    }
    followed = 0
    for html_page in parse_pages(theme, name):
        attributes = [
            value for e in html_page.root.iter() for key, value in e.attrib.items() if key in ("href", "src")
        ]
        for address in attributes:
            whole = urlsplit(urljoin(html_page.address, address))
            if f"{whole.scheme}://{whole.netloc}{whole.path}".startswith(f"{ADDRESS}/"):
                path = unquote(whole.path).removeprefix("/~me/")
                path = f"{path}index.html" if path.endswith("/") or not path else path
                assert path in site_files, f"{html_page.path}: {address}"
                assert not whole.fragment or unquote(whole.fragment) in anchors[path], (
                    f"{html_page.path}: {address}"
                )
                followed += 1
    assert followed > 40


@pytest.mark.parametrize(("theme", "name"), CASES)
def test_the_feed_has_all_required_elements(theme: str, name: str) -> None:
    """RFC 4287, 4.1.1 and 4.1.2; the feed reader does not report a missing element."""
    feed = feedparser.parse(read_files(theme, name)["feed.xml"])
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
        assert f"{path}index.html" in read_files(theme, name)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry.updated)
