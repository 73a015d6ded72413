"""
What people and programs see of each site in each theme; one visit of each pair.

A rule says what a visitor, a search engine, Zotero or a feed reader sees. It yields what is looked at, what is there, and
what should be there. A failure reads: "a visitor finds every fact of the sources: “Bo Lee”: missing; it should be shown".
Sites that are built for an address also keep the rules for programs. The site "whole" has a value for each rule, so that
none compares nothing.
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
from tenure.model.entries import Markdown, Publication
from tenure.model.names import Authors, Name
from tenure.record import Record, field_names

NOT_WORDS = set(
    """id source places key kind bibtex eprint image image_alt url draft publications status printed_bibtex media
    compare photo slides video doi cv marks ror label tags updated aliases language photo_alt path site layout""".split()
)
"""Fields that are URLs or internal names, or that are shown in other words; another test checks URLs."""


# what visitors see


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


def a_visitor_finds_every_fact_of_the_sources(visit: Visit) -> Checks:
    words = normalize_text(" ".join(visible_text(page.text) for page in visit.all_pages))
    facts = [*list_facts(visit.site.profile), *(f for e in visit.entries for f in list_facts(e))]
    yield "there are more than five facts", len(facts) > 5, True
    for fact in facts:
        yield f"“{fact}”", "shown" if normalize_text(fact) in words else "missing", "shown"


def a_visitor_can_open_every_address_of_the_sources(visit: Visit) -> Checks:
    targets = (one["href"] for page in visit.all_pages for tag in ("a", "link") for one in page.elements[tag])
    hrefs = unquote(" ".join(targets))
    urls = {getattr(e, name, "") for e in visit.entries for name in ("url", "slides", "video")}
    links = [*visit.site.profile.links, *(link for entry in visit.entries for link in entry.links)]
    urls |= {link.url for link in links}
    for url in sorted(urls - {""}):
        yield url, "linked" if unquote(url.rpartition("/")[2]) in hrefs else "no link", "linked"


def a_screen_reader_finds_its_way_in_each_page(visit: Visit) -> Checks:
    """One heading, one main part, levels without a gap, the language, and a first link to the content."""
    settings = visit.site.settings
    languages = {*settings.all_languages, *(e.language or settings.language for e in visit.entries)}
    for page in visit.all_pages:
        yield f"mistakes in the HTML of {page.path}", page.errors, []
        actual = page.text.count("<h1"), page.text.count("<main")
        yield f"first headings and main parts of {page.path}", actual, (1, 1)
        yield f"{page.path} names a language of the site", page.root.get("lang") in languages, True
        levels = [int(level) for level in re.findall(r"<h([1-6])\b", page.text)]
        jumps = [(a, b) for a, b in itertools.pairwise(levels) if b > a + 1]
        yield f"headings of {page.path} that leave out a level", jumps, []
        first = re.search(r"<body[^>]*>\s*<a [^>]*href=\"#([^\"]+)\"", page.text)
        leads_on = bool(first and f'id="{first[1]}"' in page.text)
        yield f"the first link of {page.path} leads to the content", leads_on, True
        (viewport,) = page.find_metas("viewport")
        locks = re.findall("maximum-scale|user-scalable", viewport)
        yield f"what keeps a phone from enlarging {page.path}", locks, []


def each_page_has_a_title_of_its_own_and_a_description(visit: Visit) -> Checks:
    first_pages: dict[tuple[str, str], str] = {}
    for page in visit.all_pages:
        title = re.findall("<title>(.*?)</title>", page.text)[0]
        first_page = first_pages.setdefault((str(page.root.get("lang")), title), page.path)
        yield f"the first page with the title “{title}” of {page.path}", first_page, page.path
        (description,) = page.find_metas("description")
        yield f"the description of {page.path} has five letters at least", len(description) >= 5, True
        is_early = b'<meta charset="utf-8">' in page.text.encode()[:1024]
        yield f"{page.path} begins by saying how its letters are encoded", is_early, True


def no_other_host_learns_of_a_visit(visit: Visit) -> Checks:
    for artifact in visit.artifacts:
        if artifact.path.endswith(".css"):
            loaded = re.findall(r"@import|url\(\s*[\"']?(?:https?:)?//", artifact.read().decode())
            yield f"what {artifact.path} loads from elsewhere", loaded, []
    for page in visit.all_pages:
        for tag in re.findall(r"<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*>", page.text):
            loaded = re.findall(r'(?:src|data|poster)="(?:https?:)?//', tag)
            yield f"what {tag} of {page.path} loads from elsewhere", loaded, []
        for tag in re.findall(r"<link\b[^>]*>", page.text):
            if re.search(r'rel="(?:stylesheet|preload|icon|preconnect|dns-prefetch)"', tag):
                loaded = re.findall(r'href="(?:https?:)?//', tag)
                yield f"what {tag} of {page.path} loads from elsewhere", loaded, []


def a_browser_runs_the_scripts_of_the_site_and_no_others(visit: Visit) -> Checks:
    for page in visit.all_pages:
        (content,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page.text)
        allowed = parse_policy(content)
        head, _, body = page.text.partition("</head>")
        before = head.partition("Content-Security-Policy")[0]
        loaded = re.findall(r"<(?:script|style|link)\b", before)
        yield f"what {page.path} loads before its policy", loaded, []
        actual = allowed["default-src"], allowed["base-uri"], allowed["style-src"]
        expected = ("'self'",), ("'none'",), ("'self'", "file:", "'unsafe-inline'")
        yield f"the sources that {page.path} allows", actual, expected
        scripts = re.findall(r"<script>(.*?)</script>", head, re.DOTALL)
        digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
        own = ("'self'", *(f"'sha256-{digest}'" for digest in digests))
        yield f"the scripts that {page.path} allows", allowed["script-src"], own
        inline = re.findall(r"<script\b(?![^>]*\bsrc=)[^>]*>", body)
        yield f"scripts in the body of {page.path}, which do not run", inline, []


RULES = (
    a_visitor_finds_every_fact_of_the_sources,
    a_visitor_can_open_every_address_of_the_sources,
    a_screen_reader_finds_its_way_in_each_page,
    each_page_has_a_title_of_its_own_and_a_description,
    no_other_host_learns_of_a_visit,
    a_browser_runs_the_scripts_of_the_site_and_no_others,
)


# links, cards and the page of a wrong address


def every_link_leads_to_a_page_and_to_a_place_in_it(visit: Visit) -> Checks:
    """Also on a server that tells capitals from small letters."""
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
                yield f"{address} on {page.path}", "there" if exists else "missing", "there"
                followed += 1
    yield "there are more than forty links", followed > 40, True


def a_shared_link_shows_a_card_and_a_browser_offers_the_feed(visit: Visit) -> Checks:
    for page in visit.pages:
        if page.is_missing:
            continue
        links = [link["href"] for link in page.find_links("canonical")]
        actual = links, page.find_metas("og:url")
        yield f"the address of {page.path}, and that of its card", actual, ([page.address], [page.address])
        (description,) = page.find_metas("description")
        actual_text = page.find_metas("og:description"), len(description) <= 160
        yield f"the text of the card of {page.path}, and if it is short", actual_text, ([description], True)
        is_known = page.find_metas("og:type")[0] in ("profile", "website", "article", "book")
        yield f"the card of {page.path} says what is shared", is_known, True
        has_words = all(page.find_metas(name)[0] for name in ("og:title", "og:image:alt"))
        yield f"the card of {page.path} has a title, and words for its picture", has_words, True
        (image,) = page.find_metas("og:image")
        signature = visit.files.get(image.removeprefix(f"{ADDRESS}/"), b"")[:4]
        yield f"the first bytes of the picture of {page.path}, a PNG", signature, b"\x89PNG"
        yield f"the card of {page.path}", page.find_metas("twitter:card"), ["summary_large_image"]
        feeds = page.find_elements("link", rel="alternate", type="application/atom+xml")
        offered = [urljoin(page.address, link["href"]) for link in feeds]
        yield f"the feeds that a browser offers on {page.path}", offered, [f"{ADDRESS}/feed.xml"]


def a_wrong_address_shows_a_page_that_works_everywhere_and_that_no_engine_lists(visit: Visit) -> Checks:
    page = visit.find_page("404.html")
    yield "what it says to search engines", page.find_metas("robots"), ["noindex"]
    named = [m for m in page.elements["meta"] if m.get("property", "").startswith("og:")]
    for_others = [*page.find_links("canonical"), *named, *page.find_links("alternate")]
    yield "addresses, cards and feeds that it must not have", for_others, []
    yield "it describes itself to programs", "application/ld+json" in page.text, False
    for link in (*page.elements["a"], *page.elements["link"]):
        is_whole = bool(re.match(r"/~me/|#|data:|mailto:|https?:", link["href"]))
        yield f"{link['href']} is right in every folder", is_whole, True


# what search engines learn


def a_search_engine_learns_from_home_who_the_person_is(visit: Visit) -> Checks:
    who, data = visit.site.profile, visit.home.json_ld
    person = data["mainEntity"]
    yield "what home is", (data["@context"], data["@type"]), ("https://schema.org", "ProfilePage")
    whole = {"@type": "WebSite", "name": visit.site.title, "url": f"{ADDRESS}/"}
    yield "the site of home", data["isPartOf"], whole
    actual = person["@type"], person["name"], person["url"]
    yield "the person, the name and the page", actual, ("Person", who.name, f"{ADDRESS}/")
    urls = [link.url for link in who.links]
    yield "the other pages of the person", person.get("sameAs", []), urls
    places = [f"https://ror.org/{place.ror}" if place.ror else "" for place in who.affiliation]
    yield "where the person works", [place.get("@id", "") for place in person.get("affiliation", [])], places
    orcids = [url for url in urls if "orcid.org" in url]
    yield "the mark of the person", person["@id"], orcids[0] if orcids else f"{ADDRESS}/#me"
    yield "home has a visiting card (h-card)", {"h-card", "p-name"} <= visit.home.classes, True
    card = visit.home.find_elements("a", rel="me")
    own = [(a["href"], "u-url" in a["class"].split()) for a in card]
    yield "the links of the card that belong to the person", own, [(url, True) for url in urls]


def a_search_engine_learns_whose_lists_they_are(visit: Visit) -> Checks:
    for page in visit.pages:
        if page.path in ("publications/index.html", "projects/index.html", "talks/index.html"):
            data = page.json_ld
            yield f"what {page.path} is", (data["@context"], data["@type"]), ("https://schema.org", "WebPage")
            yield f"whom {page.path} is about", data["about"]["@id"], visit.home.json_ld["mainEntity"]["@id"]


TYPES = "ScholarlyArticle Thesis Book Chapter Report Dataset SoftwareSourceCode CreativeWork WebPage".split()


def a_search_engine_learns_what_a_paper_is_and_who_wrote_it(visit: Visit) -> Checks:
    for paper, page in visit.papers:
        data = page.json_ld
        authors, people = data.get("author", []), paper.authors.people
        actual = data["@context"], data["url"]
        yield f"the address of {paper.key}", actual, ("https://schema.org", page.address)
        yield f"{data['@type']}, which {paper.key} is, is a known kind", data["@type"] in TYPES, True
        names = [person.name.full_name for person in people]
        yield f"the authors of {paper.key}", [a["name"] for a in authors], names
        orcids = [person.url if person.url.startswith("https://orcid.org/") else "" for person in people]
        owner = visit.home.json_ld["mainEntity"]["@id"]
        ids = [owner if person.me else orcid for person, orcid in zip(people, orcids, strict=True)]
        yield f"the marks of the authors of {paper.key}", [a.get("@id", "") for a in authors], ids
        doi = f"https://doi.org/{paper.doi}" if paper.doi else ""
        yield f"the DOI of {paper.key}", unquote(data.get("@id", "")), doi
        way = data["mainEntityOfPage"]["breadcrumb"]["itemListElement"]
        expected = [f"{ADDRESS}/publications/", page.address]
        yield f"the way to {paper.key}", [step["item"] for step in way], expected


def a_search_engine_learns_what_a_project_and_a_post_are(visit: Visit) -> Checks:
    for page in visit.pages:
        if re.fullmatch(r"projects/[^/]+/index\.html", page.path):
            data = page.json_ld
            is_work = data["@type"] in ("CreativeWork", "SoftwareSourceCode")
            yield f"{page.path} is a work or a program", is_work, True
            yield f"the words of {page.path} for programs", data["@context"], "https://schema.org"
        if re.fullmatch(r"posts/[^/]+/index\.html", page.path):
            data = page.json_ld
            yield f"what {page.path} is", data["@type"], "BlogPosting"
            yield f"{page.path} has a date", bool(data["datePublished"]), True
            yield f"who wrote {page.path}", data["author"]["name"], visit.site.profile.name


def a_search_engine_finds_every_page_in_the_sitemap_but_404(visit: Visit) -> Checks:
    text = visit.files["sitemap.xml"].decode()
    all_places = re.findall(r"<loc>(.*?)</loc>", text)
    folders = tuple(f"{ADDRESS}/{folder}" for folder in visit.other_folders)
    places = [place for place in all_places if not place.startswith(folders)]
    yield "the number of pages in all languages", len(all_places), len(places) * (len(folders) + 1)
    pages = sorted(page.address for page in visit.pages if not page.is_missing)
    yield "the pages", sorted(places), pages
    dates = re.findall(r"<lastmod>(.*?)</lastmod>", text)
    wrong = [date for date in dates if not re.fullmatch(r"\d{4}(-\d\d){0,2}", date)]
    yield "dates that are none", wrong, []
    is_dated = not visit.site.settings.updated or len(dates) == len(all_places)
    yield "each page has a date if the site has one", is_dated, True


# what Google Scholar and Zotero read

VENUES = {
    "citation_journal_title": "journalArticle",
    "citation_conference_title": "conferencePaper",
    "citation_inbook_title": "bookSection",
    "citation_dissertation_institution": "thesis",
    "citation_technical_report_institution": "report",
}
"""The item type of Zotero that follows from a tag for the venue; the last of several tags decides."""

EXPECTED_TYPES = {
    "article": "journalArticle",
    "inproceedings": "conferencePaper",
    "incollection": "bookSection",
    "inbook": "bookSection",
    "phdthesis": "thesis",
    "mastersthesis": "thesis",
    "techreport": "report",
    "book": "book",
}
"""The expected item type of each kind of publication; for other kinds any type is accepted."""


def google_scholar_reads_the_title_the_authors_and_the_date_of_a_paper(visit: Visit) -> Checks:
    for page in visit.pages:
        if not page.is_paper:
            yield f"{page.path}, which is no paper, looks like one", "citation_" in page.text, False
    for paper, page in visit.papers:
        yield f"the title of {paper.key}", page.find_metas("citation_title"), [plain_text(paper.title)]
        yield from compare_family_names(paper, page)
        dates = page.find_metas("citation_publication_date")
        yield f"the number of dates of {paper.key}", len(dates), 1 if paper.date and paper.date.year else 0
        wrong = [d for d in dates if not re.fullmatch(r"\d{4}(?:/\d{1,2}/\d{1,2})?", d)]
        yield f"dates of {paper.key} that Scholar cannot read", wrong, []
        venues = [m["name"] for m in page.elements["meta"] if m.get("name") in VENUES]
        needs_venue = paper.venue.name and paper.kind not in ("book", "misc", "online")
        has_venue = len(venues) in ((1,) if needs_venue else (0, 1))
        yield f"{paper.key} has the one place where it appeared", has_venue, True
        head = page.text.partition("</head>")[0]
        counts = head.count('name="citation_'), page.text.count('name="citation_')
        yield f"the number of tags in the head and on the page of {paper.key}", counts[0], counts[1]


def compare_family_names(paper: Publication, page: Page) -> Checks:
    authors = page.find_metas("citation_author")
    yield f"the number of authors of {paper.key}", len(authors), len(paper.authors.people)
    for tag, person in zip(authors, paper.authors.people, strict=True):
        if not person.name.group and person.name.given:
            family = tag.replace("\u00a0", " ").partition(",")[0].split()[-1]
            yield f"the family name of {tag}, {paper.key}", family, person.name.family.split()[-1]


def google_scholar_finds_the_pdf_that_a_visitor_can_open(visit: Visit) -> Checks:
    for paper, page in visit.papers:
        beside = [link.url for link in paper.links if link.url.startswith(f"/publications/{paper.id}/")]
        pdfs = [url for url in beside if url.endswith(".pdf")][:1]
        expected = [f"{ADDRESS}{url}" for url in pdfs]
        yield f"the PDF of {paper.key}", page.find_metas("citation_pdf_url"), expected
        missing = [url for url in pdfs if url[1:] not in visit.files]
        yield f"PDFs of {paper.key} that are not there", missing, []


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


def zotero_saves_other_pages_as_web_pages_of_the_owner(visit: Visit) -> Checks:
    for page in visit.pages:
        if not page.is_paper:
            icon = "" if page.is_missing else "webpage"
            yield f"the icon of Zotero on {page.path}", detect_icon(page), icon
            yield f"Zotero takes {page.path} for a contact", "vcard" in page.classes, False
            # The author of a page without authors of its own is the owner of the site; no author is guessed
            # from a line of dates.
            is_owner = page.is_missing or page.find_metas("author") == [visit.site.profile.name]
            yield f"the author of {page.path} is the owner", is_owner, True


def zotero_saves_the_type_and_the_fields_of_a_paper(visit: Visit) -> Checks:
    for paper, page in visit.papers:
        expected = EXPECTED_TYPES.get(paper.kind)
        if expected and (expected == "book" or paper.venue.name or paper.venue.institution):
            yield f"the icon of Zotero on {paper.key}", detect_icon(page), expected
        tags = page.find_metas("citation_author")
        read = [person for tag in tags for person in split_people(tag)]
        yield f"the number of authors of {paper.key}", len(read), len(paper.authors.people)
        twice = [a for a, b in itertools.pairwise(read) if a == b]
        yield f"authors of {paper.key} that are there twice", twice, []
        # Zotero would change the letters of a tag in capitals only or in lower case only.
        changed = [tag for tag in tags if tag in (tag.upper(), tag.lower()) and tag.isascii()]
        yield f"authors of {paper.key} whose letters Zotero would change", changed, []
        yield f"the DOI of {paper.key}", page.find_metas("citation_doi"), [paper.doi] if paper.doi else []
        abstract = [plain_text(paper.abstract)] if paper.abstract else []
        yield f"the abstract of {paper.key}", page.find_metas("citation_abstract"), abstract
        keywords = [word for tag in page.find_metas("citation_keywords") for word in tag.split("; ")]
        yield f"the topics of {paper.key}", keywords, [plain_text(tag) for tag in paper.tags]
        numbers = (*page.find_metas("citation_firstpage"), *page.find_metas("citation_lastpage"))
        wrong = [number for number in numbers if number not in paper.venue.pages]
        yield f"pages of {paper.key} that are not in {paper.venue.pages}", wrong, []
        yield f"{paper.key} has pages", bool(numbers), bool(paper.venue.pages)


# files that visitors take with them, and the feed


def a_visitor_can_download_every_file_for_other_programs(visit: Visit) -> Checks:
    def list_targets(*tags: str) -> set[str]:
        found = ((page, link) for page in visit.pages for tag in tags for link in page.elements[tag])
        return {urljoin(page.address, link["href"]).removeprefix(f"{ADDRESS}/") for page, link in found}

    kinds = (".bib", ".ris", ".json", ".md", ".txt", ".ics", ".xml")
    records = {path for path in visit.files if path.endswith(kinds)}
    unlinked = {"sitemap.xml", "llms.txt"} & records
    yield "files to which no page links", records - list_targets("a", "link"), unlinked
    lists = set("publications.bib publications.ris publications.json cv.txt resume.json".split())
    yield "lists that no visitor can open", lists - list_targets("a"), set()


def a_feed_reader_shows_every_entry_with_its_title_link_and_date(visit: Visit) -> Checks:
    """RFC 4287, 4.1.1 and 4.1.2; the feed reader does not report a missing element."""
    read = feedparser.parse(visit.files["feed.xml"])
    feed, entries = read.feed, read.entries
    yield "the feed has mistakes", bool(read.bozo), False
    has_head = all((feed.title, feed.author, feed.id.startswith("urn:uuid:")))
    yield "the feed has a title, an author and a name of its own", has_head, True
    yield "when the feed was updated", feed.updated, max(entry.updated for entry in entries)
    own = {link.rel: link.href for link in feed.links}["self"]
    yield "the address of the feed", own, f"{ADDRESS}/feed.xml"
    yield "the number of entries that differ", len({entry.id for entry in entries}), len(entries) or 1
    for entry in entries:
        is_named = bool(entry.title and entry.id.startswith("urn:uuid:"))
        yield f"“{entry.title}” has a title and a name of its own", is_named, True
        path = unquote(urlsplit(entry.link).path).removeprefix("/~me/")
        yield f"“{entry.title}” leads to a page", f"{path}index.html" in visit.files, True
        is_date = bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", entry.updated))
        yield f"“{entry.title}” has a date, {entry.updated}", is_date, True


METADATA_RULES = (
    every_link_leads_to_a_page_and_to_a_place_in_it,
    a_shared_link_shows_a_card_and_a_browser_offers_the_feed,
    a_wrong_address_shows_a_page_that_works_everywhere_and_that_no_engine_lists,
    a_search_engine_learns_from_home_who_the_person_is,
    a_search_engine_learns_whose_lists_they_are,
    a_search_engine_learns_what_a_paper_is_and_who_wrote_it,
    a_search_engine_learns_what_a_project_and_a_post_are,
    a_search_engine_finds_every_page_in_the_sitemap_but_404,
    google_scholar_reads_the_title_the_authors_and_the_date_of_a_paper,
    google_scholar_finds_the_pdf_that_a_visitor_can_open,
    zotero_saves_other_pages_as_web_pages_of_the_owner,
    zotero_saves_the_type_and_the_fields_of_a_paper,
    a_visitor_can_download_every_file_for_other_programs,
    a_feed_reader_shows_every_entry_with_its_title_link_and_date,
)


def the_whole_site_has_a_value_for_each_rule(visit: Visit) -> Checks:
    """The site "whole" has all the values that the rules above compare, so that none compares an empty list."""
    article = visit.find_page("publications/article/index.html")
    pdfs = [f"{ADDRESS}/publications/article/article.pdf"]
    yield "the PDF of the article", article.find_metas("citation_pdf_url"), pdfs
    paper = visit.find_page("publications/paper/index.html")
    yield "the PDF of the paper, which has none", paper.find_metas("citation_pdf_url"), []
    yield "the date of the article", article.find_metas("citation_publication_date"), ["2025/5/6"]
    orcids = [f"https://orcid.org/{number}" for number in ("0000-0002-1825-0097", "0000-0001-5109-3700")]
    marks = [a["@id"] for a in article.json_ld["author"] if "@id" in a]
    yield "the marks of the authors of the article", marks, orcids
    yield "the number of pages of the person", len(visit.home.find_elements("a", rel="me")), 3
    kinds = {page.json_ld["@type"] for page in visit.pages if not page.is_missing}
    expected = "ProfilePage WebPage ScholarlyArticle Thesis Report Book Chapter BlogPosting"
    missing = {*expected.split(), "SoftwareSourceCode"} - kinds
    yield "kinds of pages that the site does not have", missing, set()
    body = visit.files["preview.png"]
    size = [int.from_bytes(body[at : at + 4]) for at in (16, 20)]
    yield "the size of the picture of a card", size, [1200, 630]
    named = [visit.home.find_metas(f"og:image:{name}") for name in ("width", "height")]
    yield "the size that home says", named, [["1200"], ["630"]]
    yield "the picture of a card has fewer than 100,000 bytes", len(body) < 100_000, True


ALL_CASES = [
    *CASES,
    *select_daily(itertools.product(THEMES, [WHOLE]), lambda case: case[0] not in WITH_BASE_TEMPLATES),
]
Rule = Callable[[Visit], Checks]


def describe_value(value: object) -> str:
    """Return a value in words: "yes", "no", "nothing", a text as it is, another value as Python writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in ("", [], (), set()):
        return "nothing"
    return value if isinstance(value, str) else repr(value)


def list_offenders(visit: Visit, rules: Sequence[Rule], *, must_compare: bool) -> Iterator[str]:
    """Yield the first five places that break each rule; with `must_compare` also each rule that compares nothing."""
    for rule in rules:
        sentence = rule.__name__.replace("_", " ")
        checks = list(rule(visit))
        if must_compare and not checks:
            yield f"{sentence}: compares nothing"
        broken = [(what, actual, expected) for what, actual, expected in checks if actual != expected]
        for what, actual, expected in broken[:5]:
            yield f"{sentence}: {what}: {describe_value(actual)}; it should be {describe_value(expected)}"


@pytest.mark.parametrize(("theme", "site"), ALL_CASES)
def test_people_and_programs_see_what_the_site_says(theme: str, site: str, tmp_path: Path) -> None:
    visit = visit_site(theme, site, tmp_path)
    rules: tuple[Rule, ...] = RULES
    if site in WITH_METADATA:
        rules += METADATA_RULES
    if site == WHOLE:
        rules += (the_whole_site_has_a_value_for_each_rule,)
    offenders = list(list_offenders(visit, rules, must_compare=site == WHOLE))
    assert offenders == [], "\n".join(offenders)


@pytest.mark.parametrize("theme", THEMES)
def test_a_site_that_does_not_know_its_address_shows_none_to_programs(theme: str) -> None:
    built = build_sample_site(theme, "projects-page")
    for artifact in built.artifacts:
        if artifact.path.endswith(".html"):
            text = artifact.read().decode()
            found = re.findall(r'"og:|canonical|feed\.xml', text)
            assert found == [], f"{artifact.path} names an address of the site"
            assert artifact.path == "404.html" or "url" not in Page(artifact.path, text).json_ld
    files = {artifact.path for artifact in built.artifacts}
    assert not {"preview.png", "sitemap.xml", "feed.xml", "llms.txt"} & files
