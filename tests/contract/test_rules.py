"""
The contract of all themes with all sites, one visit of each pair: every fact is shown, the HTML is valid, no other host is used.

Sites that are built for an address also keep the rules for metadata, for what Zotero finds, and for feeds and sitemaps.
Each rule yields what it compares. The site "whole" has a value for each rule, so that none compares nothing.
"""

import base64
import hashlib
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import feedparser
import pytest
from conftest import select_daily, visible_text
from matrix import CASES, THEMES, WITH_BASE_TEMPLATES, build_sample_site
from visits import ADDRESS, WHOLE, WITH_METADATA, Checks, Page, Visit, visit_site

from tenure.html.policy import parse_policy
from tenure.markdown.html import plain_text
from tenure.model.entries import Markdown
from tenure.model.names import Authors, Name
from tenure.record import Record, field_names

NOT_WORDS = set(
    """id source places key kind bibtex eprint image image_alt url draft publications status printed_bibtex media
    compare photo slides video doi cv marks ror label tags updated aliases language photo_alt path site layout""".split()
)
"""Fields that are URLs or internal names, or that are shown in other words; another test checks URLs."""


def normalize_text(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def list_facts(value: Any, field: str = "") -> Iterator[str]:
    """Yield every text of the model that must be on a page."""
    if field in NOT_WORDS or value is None:
        return
    if isinstance(value, Name):
        yield value.full_name
    elif isinstance(value, Authors):
        yield from (author.name.full_name for author in value.people)
    elif isinstance(value, str):
        yield from list_paragraphs(value)
    elif isinstance(value, tuple):
        for child in value:
            yield from list_facts(child, field)
    elif isinstance(value, Record) and type(value).__module__ == "tenure.model.entries":
        for name in field_names(type(value)):
            yield from list_facts(getattr(value, name), name)


def list_paragraphs(text: str) -> Iterator[str]:
    """Yield the text of each plain paragraph; tables, code, citations, lists and quotations have another form on the page."""
    for part in re.split(r"\n\s*\n", text):
        if not re.search(r"```|\||\[@", part) and not re.match(r"\s*(\[\^|:|!|>|\$\$|[-*] |\d+\. )", part):
            yield plain_text(Markdown(re.sub(r"\[\^\w+\]|^Table: ", "", part)))


def every_fact_is_shown(visit: Visit) -> Checks:
    words = normalize_text(" ".join(visible_text(page.text) for page in visit.all_pages))
    facts = [*list_facts(visit.site.profile), *(f for e in visit.entries for f in list_facts(e))]
    yield "the number of facts", len(facts) > 5, True
    for fact in facts:
        yield fact, normalize_text(fact) in words, True


def every_url_is_linked(visit: Visit) -> Checks:
    targets = (one["href"] for page in visit.all_pages for tag in ("a", "link") for one in page.elements[tag])
    hrefs = unquote(" ".join(targets))
    urls = {getattr(e, name, "") for e in visit.entries for name in ("url", "slides", "video")}
    links = [*visit.site.profile.links, *(link for entry in visit.entries for link in entry.links)]
    urls |= {link.url for link in links}
    for url in sorted(urls - {""}):
        yield url, unquote(url.rpartition("/")[2]) in hrefs, True


def html_is_valid_and_shaped(visit: Visit) -> Checks:
    settings = visit.site.settings
    languages = {*settings.all_languages, *(e.language or settings.language for e in visit.entries)}
    titles: dict[tuple[str, str], str] = {}
    for page in visit.all_pages:
        yield page.path, page.errors, []
        yield page.path, (page.text.count("<h1"), page.text.count("<main")), (1, 1)
        language = str(page.root.get("lang"))
        yield page.path, language in languages, True
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", page.text)]
        yield page.path, [(a, b) for a, b in itertools.pairwise(levels) if b > a + 1], []
        title = re.findall("<title>(.*?)</title>", page.text)[0]
        first_page = titles.setdefault((language, title), page.path)
        yield f"the page with the title of {page.path}", first_page, page.path
        (description,) = page.find_metas("description")
        yield f"{page.path}: the length of the description", len(description) >= 5, True
        (viewport,) = page.find_metas("viewport")
        yield page.path, re.findall("maximum-scale|user-scalable", viewport), []
        yield page.path, b'<meta charset="utf-8">' in page.text.encode()[:1024], True
        first = re.search(r"<body[^>]*>\s*<a [^>]*href=\"#([^\"]+)\"", page.text)
        yield f"{page.path}: the link to the content", bool(first and f'id="{first[1]}"' in page.text), True


def nothing_is_loaded_from_another_host(visit: Visit) -> Checks:
    for artifact in visit.artifacts:
        if artifact.path.endswith(".css"):
            loaded = re.findall(r"@import|url\(\s*[\"']?(?:https?:)?//", artifact.read().decode())
            yield artifact.path, loaded, []
    for page in visit.all_pages:
        for tag in re.findall(r"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*>", page.text):
            yield f"{page.path}: {tag}", re.findall(r'(?:src|data|poster)="(?:https?:)?//', tag), []
        for tag in re.findall(r"<link\b[^>]*>", page.text):
            if re.search(r'rel="(?:stylesheet|preload|icon|preconnect|dns-prefetch)"', tag):
                yield f"{page.path}: {tag}", re.findall(r'href="(?:https?:)?//', tag), []


def the_policy_of_each_page_allows_its_head(visit: Visit) -> Checks:
    for page in visit.all_pages:
        (content,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page.text)
        rules = parse_policy(content)
        head, _, body = page.text.partition("</head>")
        before = head.partition("Content-Security-Policy")[0]
        yield page.path, re.findall(r"<(?:script|style|link)\b", before), []
        actual = rules["default-src"], rules["base-uri"], rules["style-src"]
        yield page.path, actual, (("'self'",), ("'none'",), ("'self'", "file:", "'unsafe-inline'"))
        scripts = re.findall(r"<script>(.*?)</script>", head, re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
        yield page.path, rules["script-src"], ("'self'", *(f"'sha256-{digest}'" for digest in digests))
        yield page.path, re.findall(r"<script\b(?![^>]*\bsrc=)[^>]*>", body), []


RULES = (
    every_fact_is_shown,
    every_url_is_linked,
    html_is_valid_and_shaped,
    nothing_is_loaded_from_another_host,
    the_policy_of_each_page_allows_its_head,
)


def every_page_but_404_has_a_canonical_url_a_social_card_and_a_feed(visit: Visit) -> Checks:
    for page in visit.pages:
        if page.is_missing:
            continue
        links = [link["href"] for link in page.find_links("canonical")]
        yield page.path, (links, page.find_metas("og:url")), ([page.address], [page.address])
        (description,) = page.find_metas("description")
        yield page.path, (page.find_metas("og:description"), len(description) <= 160), ([description], True)
        yield page.path, page.find_metas("og:type")[0] in ("profile", "website", "article", "book"), True
        yield page.path, all(page.find_metas(name)[0] for name in ("og:title", "og:image:alt")), True
        (image,) = page.find_metas("og:image")
        yield page.path, visit.files.get(image.removeprefix(f"{ADDRESS}/"), b"")[:4], b"\x89PNG"
        yield page.path, page.find_metas("twitter:card"), ["summary_large_image"]
        feeds = page.find_elements("link", rel="alternate", type="application/atom+xml")
        yield page.path, [urljoin(page.address, link["href"]) for link in feeds], [f"{ADDRESS}/feed.xml"]


def the_404_page_is_not_indexed(visit: Visit) -> Checks:
    page = visit.find_page("404.html")
    yield page.path, page.find_metas("robots"), ["noindex"]
    named = [m for m in page.elements["meta"] if m.get("property", "").startswith("og:")]
    yield page.path, [*page.find_links("canonical"), *named, *page.find_links("alternate")], []
    yield page.path, "application/ld+json" in page.text, False
    for link in (*page.elements["a"], *page.elements["link"]):
        yield page.path, bool(re.match(r"/~me/|#|data:|mailto:|https?:", link["href"])) or link, True


def home_is_a_profile_page_of_a_person(visit: Visit) -> Checks:
    who, data = visit.site.profile, visit.home.json_ld
    person = data["mainEntity"]
    yield "the page", (data["@context"], data["@type"]), ("https://schema.org", "ProfilePage")
    whole = {"@type": "WebSite", "name": visit.site.title, "url": f"{ADDRESS}/"}
    yield "the site", data["isPartOf"], whole
    actual = person["@type"], person["name"], person["url"]
    yield "the person", actual, ("Person", who.name, f"{ADDRESS}/")
    urls = [link.url for link in who.links]
    yield "the person's links", person.get("sameAs", []), urls
    places = [f"https://ror.org/{place.ror}" if place.ror else "" for place in who.affiliation]
    yield "affiliations", [place.get("@id", "") for place in person.get("affiliation", [])], places
    orcids = [url for url in urls if "orcid.org" in url]
    yield "the person's id", person["@id"], orcids[0] if orcids else f"{ADDRESS}/#me"
    card = visit.home.find_elements("a", rel="me")
    yield "the h-card", {"h-card", "p-name"} <= visit.home.classes, True
    yield "rel=me", [(a["href"], "u-url" in a["class"].split()) for a in card], [(url, True) for url in urls]


def list_pages_are_about_the_owner(visit: Visit) -> Checks:
    for page in visit.pages:
        if page.path in ("publications/index.html", "projects/index.html", "talks/index.html"):
            data = page.json_ld
            yield page.path, (data["@context"], data["@type"]), ("https://schema.org", "WebPage")
            yield page.path, data["about"]["@id"], visit.home.json_ld["mainEntity"]["@id"]


VENUES = {"citation_journal_title": "journalArticle", "citation_conference_title": "conferencePaper",
          "citation_inbook_title": "bookSection", "citation_dissertation_institution": "thesis",
          "citation_technical_report_institution": "report"}  # fmt: skip
"""The item type of Zotero that follows from a tag for the venue; the last of several tags decides."""


def only_publication_pages_have_citation_tags(visit: Visit) -> Checks:
    for page in visit.pages:
        if not page.is_paper:
            yield page.path, "citation_" in page.text, False
    for paper, page in visit.papers:
        yield paper.key, page.find_metas("citation_title"), [plain_text(paper.title)]
        authors = page.find_metas("citation_author")
        yield paper.key, len(authors), len(paper.authors.people)
        for tag, person in zip(authors, paper.authors.people, strict=True):
            if not person.name.group and person.name.given:
                family = tag.replace("\u00a0", " ").partition(",")[0].split()[-1]
                yield paper.key, family, person.name.family.split()[-1]
        dates = page.find_metas("citation_publication_date")
        yield paper.key, len(dates), 1 if paper.date and paper.date.year else 0
        yield paper.key, [d for d in dates if not re.fullmatch(r"\d{4}(?:/\d{1,2}/\d{1,2})?", d)], []
        venues = [m["name"] for m in page.elements["meta"] if m.get("name") in VENUES]
        needs_venue = paper.venue.name and paper.kind not in ("book", "misc", "online")
        yield paper.key, len(venues) in ((1,) if needs_venue else (0, 1)), True
        beside = [link.url for link in paper.links if link.url.startswith(f"/publications/{paper.id}/")]
        pdfs = [url for url in beside if url.endswith(".pdf")][:1]
        yield paper.key, page.find_metas("citation_pdf_url"), [f"{ADDRESS}{url}" for url in pdfs]
        yield paper.key, [url for url in pdfs if url[1:] not in visit.files], []
        head = page.text.partition("</head>")[0]
        yield paper.key, head.count('name="citation_'), page.text.count('name="citation_')


TYPES = "ScholarlyArticle Thesis Book Chapter Report Dataset SoftwareSourceCode CreativeWork WebPage".split()


def publications_are_scholarly_articles_with_authors(visit: Visit) -> Checks:
    for paper, page in visit.papers:
        data = page.json_ld
        authors, people = data.get("author", []), paper.authors.people
        yield paper.key, (data["@context"], data["url"]), ("https://schema.org", page.address)
        yield paper.key, data["@type"] in TYPES or data["@type"], True
        yield paper.key, [a["name"] for a in authors], [person.name.full_name for person in people]
        orcids = [person.url if person.url.startswith("https://orcid.org/") else "" for person in people]
        owner = visit.home.json_ld["mainEntity"]["@id"]
        ids = [owner if person.me else orcid for person, orcid in zip(people, orcids, strict=True)]
        yield paper.key, [a.get("@id", "") for a in authors], ids
        yield paper.key, unquote(data.get("@id", "")), f"https://doi.org/{paper.doi}" if paper.doi else ""
        way = data["mainEntityOfPage"]["breadcrumb"]["itemListElement"]
        yield paper.key, [step["item"] for step in way], [f"{ADDRESS}/publications/", page.address]


def projects_and_posts_have_structured_data(visit: Visit) -> Checks:
    for page in visit.pages:
        if re.fullmatch(r"projects/[^/]+/index\.html", page.path):
            data = page.json_ld
            yield page.path, data["@type"] in ("CreativeWork", "SoftwareSourceCode"), True
            yield page.path, data["@context"], "https://schema.org"
        if re.fullmatch(r"posts/[^/]+/index\.html", page.path):
            data = page.json_ld
            yield page.path, data["@type"], "BlogPosting"
            yield page.path, bool(data["datePublished"]), True
            yield page.path, data["author"]["name"], visit.site.profile.name


def every_record_is_linked_where_it_belongs(visit: Visit) -> Checks:
    def list_targets(*tags: str) -> set[str]:
        found = ((page, link) for page in visit.pages for tag in tags for link in page.elements[tag])
        return {urljoin(page.address, link["href"]).removeprefix(f"{ADDRESS}/") for page, link in found}

    kinds = (".bib", ".ris", ".json", ".md", ".txt", ".ics", ".xml")
    records = {path for path in visit.files if path.endswith(kinds)}
    unlinked = {"sitemap.xml", "llms.txt"} & records
    yield "records that no page links to", records - list_targets("a", "link"), unlinked
    lists = set("publications.bib publications.ris publications.json cv.txt resume.json".split())
    yield "records that no visitor can open", lists - list_targets("a"), set()


def the_sitemap_has_every_page_but_404(visit: Visit) -> Checks:
    text = visit.files["sitemap.xml"].decode()
    all_places = re.findall(r"<loc>(.*?)</loc>", text)
    folders = tuple(f"{ADDRESS}/{folder}" for folder in visit.other_folders)
    places = [place for place in all_places if not place.startswith(folders)]
    yield "places", len(all_places), len(places) * (len(folders) + 1)
    yield "places", sorted(places), sorted(page.address for page in visit.pages if not page.is_missing)
    dates = re.findall(r"<lastmod>(.*?)</lastmod>", text)
    yield "dates", [date for date in dates if not re.fullmatch(r"\d{4}(-\d\d){0,2}", date)], []
    yield "dates", not visit.site.settings.updated or len(dates) == len(all_places), True


def every_link_and_anchor_exists_with_the_same_case(visit: Visit) -> Checks:
    files = {artifact.path for artifact in visit.artifacts}
    anchors = {
        page.path: {one["id"] for items in page.elements.values() for one in items if "id" in one}
        for page in visit.pages
    }
    followed = 0
    for page in visit.pages:
        elements = [one for items in page.elements.values() for one in items]
        for address in [one[key] for one in elements for key in ("href", "src") if key in one]:
            whole = urlsplit(urljoin(page.address, address))
            if f"{whole.scheme}://{whole.netloc}{whole.path}".startswith(f"{ADDRESS}/"):
                path = unquote(whole.path).removeprefix("/~me/")
                path = f"{path}index.html" if path.endswith("/") or not path else path
                exists = path in files and (not whole.fragment or unquote(whole.fragment) in anchors[path])
                yield f"{page.path}: {address}", exists, True
                followed += 1
    yield "the number of links", followed > 40, True


def the_feed_has_all_required_elements(visit: Visit) -> Checks:
    """RFC 4287, 4.1.1 and 4.1.2; the feed reader does not report a missing element."""
    read = feedparser.parse(visit.files["feed.xml"])
    feed, entries = read.feed, read.entries
    yield "errors", bool(read.bozo), False
    yield "required", all((feed.title, feed.author, feed.id.startswith("urn:uuid:"))), True
    yield "updated", feed.updated, max(entry.updated for entry in entries)
    yield "self", {link.rel: link.href for link in feed.links}["self"], f"{ADDRESS}/feed.xml"
    yield "entries with an id", len({entry.id for entry in entries}), len(entries) or 1
    for entry in entries:
        yield entry.title, bool(entry.title and entry.id.startswith("urn:uuid:")), True
        path = unquote(urlsplit(entry.link).path).removeprefix("/~me/")
        yield entry.title, f"{path}index.html" in visit.files, True
        yield entry.title, bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry.updated)), True


EXPECTED_TYPES = {"article": "journalArticle", "inproceedings": "conferencePaper", "incollection": "bookSection",
                  "inbook": "bookSection", "phdthesis": "thesis", "mastersthesis": "thesis", "techreport": "report",
                  "book": "book"}  # fmt: skip
"""The expected item type of each kind of publication; for other kinds any type is accepted."""


def detect_icon(page: Page) -> str:
    """Return the icon that Zotero shows in the browser: the type of the item, "webpage", or ""."""
    tags = [m["name"] for m in page.elements["meta"] if m.get("name", "").startswith("citation_")]
    if venues := [VENUES[tag] for tag in tags if tag in VENUES]:
        return venues[-1]
    if page.find_metas("og:type") == ["book"]:
        return "book"
    if "citation_title" in tags:
        return "journalArticle"
    return "webpage" if page.find_metas("og:type") else ""


def split_people(tag: str) -> list[str]:
    """Return the people in one author tag: split at semicolons; a single person at commas between pairs of words."""
    result = re.split(r"\s*;\s*", tag)
    parts = re.split(r"[ \t]*,[ \t]*", result[0])
    if len(result) == 1 and len(parts) > 1 and " " in parts[0] and " " in parts[1]:
        return parts
    return result


def zotero_detects_the_type_of_each_page(visit: Visit) -> Checks:
    for page in visit.pages:
        icon = detect_icon(page)
        if not page.is_paper:
            yield page.path, icon, "" if page.is_missing else "webpage"
            yield page.path, "vcard" in page.classes, False
            # The author of a page without authors of its own is the owner of the site; no author is guessed
            # from a line of dates.
            yield page.path, page.is_missing or page.find_metas("author") == [visit.site.profile.name], True


def zotero_gets_the_type_and_the_fields_of_a_publication(visit: Visit) -> Checks:
    for paper, page in visit.papers:
        expected = EXPECTED_TYPES.get(paper.kind)
        if expected and (expected == "book" or paper.venue.name or paper.venue.institution):
            yield paper.key, detect_icon(page), expected
        tags = page.find_metas("citation_author")
        read = [person for tag in tags for person in split_people(tag)]
        yield paper.key, len(read), len(paper.authors.people)
        yield paper.key, [a for a, b in itertools.pairwise(read) if a == b], []
        # Zotero would change the letters of a tag in capitals only or in lower case only.
        yield paper.key, [tag for tag in tags if tag in (tag.upper(), tag.lower()) and tag.isascii()], []
        yield paper.key, page.find_metas("citation_doi"), [paper.doi] if paper.doi else []
        abstract = [plain_text(paper.abstract)] if paper.abstract else []
        yield paper.key, page.find_metas("citation_abstract"), abstract
        keywords = [word for tag in page.find_metas("citation_keywords") for word in tag.split("; ")]
        yield paper.key, keywords, [plain_text(tag) for tag in paper.tags]
        numbers = (*page.find_metas("citation_firstpage"), *page.find_metas("citation_lastpage"))
        yield paper.key, all(number in paper.venue.pages for number in numbers), True
        yield paper.key, bool(numbers), bool(paper.venue.pages)


METADATA_RULES = (
    every_page_but_404_has_a_canonical_url_a_social_card_and_a_feed,
    the_404_page_is_not_indexed,
    home_is_a_profile_page_of_a_person,
    list_pages_are_about_the_owner,
    only_publication_pages_have_citation_tags,
    publications_are_scholarly_articles_with_authors,
    projects_and_posts_have_structured_data,
    every_record_is_linked_where_it_belongs,
    the_sitemap_has_every_page_but_404,
    every_link_and_anchor_exists_with_the_same_case,
    the_feed_has_all_required_elements,
    zotero_detects_the_type_of_each_page,
    zotero_gets_the_type_and_the_fields_of_a_publication,
)


def the_values_of_the_rules_are_not_empty(visit: Visit) -> Checks:
    """The site "whole" has all the values that the rules above compare, so that none compares an empty list."""
    article = visit.find_page("publications/article/index.html")
    yield "pdf", article.find_metas("citation_pdf_url"), [f"{ADDRESS}/publications/article/article.pdf"]
    paper = visit.find_page("publications/paper/index.html")
    yield "no pdf", paper.find_metas("citation_pdf_url"), []
    yield "date", article.find_metas("citation_publication_date"), ["2025/5/6"]
    orcids = [f"https://orcid.org/{number}" for number in ("0000-0002-1825-0097", "0000-0001-5109-3700")]
    yield "authors", [a["@id"] for a in article.json_ld["author"] if "@id" in a], orcids
    yield "rel=me", len(visit.home.find_elements("a", rel="me")), 3
    kinds = {page.json_ld["@type"] for page in visit.pages if not page.is_missing}
    expected = "ProfilePage WebPage ScholarlyArticle Thesis Report Book Chapter BlogPosting"
    yield "kinds of pages", {*expected.split(), "SoftwareSourceCode"} - kinds, set()
    body = visit.files["preview.png"]
    yield "the social card", [int.from_bytes(body[at : at + 4]) for at in (16, 20)], [1200, 630]
    size = [visit.home.find_metas(f"og:image:{name}") for name in ("width", "height")]
    yield "the size of the social card", size, [["1200"], ["630"]]
    yield "the bytes of the social card", len(body) < 100_000, True


ALL_CASES = [
    *CASES,
    *select_daily(itertools.product(THEMES, [WHOLE]), lambda case: case[0] not in WITH_BASE_TEMPLATES),
]
Rule = Callable[[Visit], Checks]


def list_offenders(visit: Visit, rules: Sequence[Rule], *, must_compare: bool) -> Iterator[str]:
    """Yield the first five places that break each rule; with `must_compare` also each rule that compares nothing."""
    for rule in rules:
        checks = list(rule(visit))
        if must_compare and not checks:
            yield f"{rule.__name__}: compares nothing"
        broken = [(place, actual, expected) for place, actual, expected in checks if actual != expected]
        for place, actual, expected in broken[:5]:
            yield f"{rule.__name__}: {place}: {actual!r}, and not {expected!r}"


@pytest.mark.parametrize(("theme", "site"), ALL_CASES)
def test_a_theme_keeps_every_rule(theme: str, site: str, tmp_path: Path) -> None:
    visit = visit_site(theme, site, tmp_path)
    rules: tuple[Rule, ...] = RULES
    if site in WITH_METADATA:
        rules += METADATA_RULES
    if site == WHOLE:
        rules += (the_values_of_the_rules_are_not_empty,)
    offenders = list(list_offenders(visit, rules, must_compare=site == WHOLE))
    assert offenders == [], "\n".join(offenders)


@pytest.mark.parametrize("theme", THEMES)
def test_a_site_without_a_url_has_no_absolute_urls(theme: str) -> None:
    built = build_sample_site(theme, "projects-page")
    for artifact in built.artifacts:
        if artifact.path.endswith(".html"):
            text = artifact.read().decode()
            assert not re.search(r'"og:|canonical|feed\.xml', text)
            assert artifact.path == "404.html" or "url" not in Page(artifact.path, text).json_ld
    assert not {"preview.png", "sitemap.xml", "feed.xml", "llms.txt"} & {a.path for a in built.artifacts}
