"""
What was clicked on a page, and which papers a site has: the way from a built page back to its sources.

Every theme gives entries their `id` and sections their `data-section`; the plan knows the entry of each, and
the entry its place. So a click needs no mark in a template, and a build does not know that there is an
editor.

    Click("index.html", ("lee2025", "main"), "publications") -> Origin("bib/papers.bib", 12, "lee2025")
"""

from collections.abc import Iterable, Mapping

from tenure.markdown.html import plain_text
from tenure.model.entries import Entry, Prose, Publication
from tenure.model.places import UNKNOWN_PLACE
from tenure.model.site import Site
from tenure.plan.kinds import find_list_title, title_from_name
from tenure.plan.pages import Page
from tenure.problems import Place
from tenure.record import Record

PROFILE_FILE = "content/profile.yaml"
SITE_FILE = "site.yaml"
MANY = 1_000_000
"""More entries than a page can have."""


class Click(Record):
    """
    What a browser knows of a click: the file of the page, and of the element the ids from the inside out and
    the section.

    `part` is "profile" for the name block of the owner, "site" for the frame of all pages, else "".
    """

    page: str
    ids: tuple[str, ...] = ()
    section: str = ""
    part: str = ""


class Origin(Record):
    """
    The source of a part of a page: its file and line; of a publication also its key; of a page in another
    language than that of the site also this language.
    """

    file: str
    line: int = 1
    key: str = ""
    language: str = ""


class PaperTitle(Record):
    """A publication as a list of them shows it, with the keys of the preprints that are shown in it."""

    key: str
    title: str
    year: str
    selected: bool
    preprints: tuple[str, ...] = ()
    line: int = 1


class SiteFacts(Record):
    """
    What forms know of the site: the names of its sources by file, its languages, and what can be chosen, each
    with what it is.
    """

    names: Mapping[str, str]
    languages: tuple[str, ...]
    people: Mapping[str, str]
    papers: Mapping[str, str]
    tags: Mapping[str, str]
    pages: Mapping[str, str]


def describe_site(site: Site) -> SiteFacts:
    """
    What forms know of a site.

    names: {"content/talks.yaml": "Talks", "content/pages/tools.md": "My tools"},
    people: {"Ada Lee": "Postdoc"}, papers: {"lee2025": "On looms"}, pages: {"talks": "Talks"}
    """
    names: dict[str, str] = {}
    tags: dict[str, str] = {}
    for name, collection in site.collections.items():
        for entry in collection.entries:
            file = entry.source.file
            # content/talks.yaml has the title of its list, a text that of its own
            is_list = file.startswith(f"content/{name}.") and collection.kind != "prose"
            title = plain_text(entry.name)
            if is_list:
                title = find_list_title(site, name, "page", "section")
            names.setdefault(file, title or title_from_name(file.rpartition("/")[2].partition(".")[0]))
            tags |= {tag: tag for tag in entry.tags}
    lists = [*site.collections, "home", "cv"]
    return SiteFacts(
        names={file: title for file, title in names.items() if not file.endswith(".bib")},
        languages=tuple(map(str, site.settings.all_languages)),
        people={plain_text(person.name): plain_text(person.role) or person.name for person in site.people},
        papers={paper.key: plain_text(paper.title) for paper in site.publications},
        tags=dict(sorted(tags.items())),
        pages={name: find_list_title(site, name, "page", "section") for name in lists},
    )


def find_origin(site: Site, pages: Iterable[Page], click: Click) -> Origin:
    """The source of what was clicked; of a page without entries and texts, what says that it exists."""
    page = next((page for page in pages if page.output_path == click.page), None)
    # /de/talks/ is in a folder of its language
    language = str(page.language) if page and page.folder else ""
    if click.part == "profile" or page is None:
        return _locate(site.profile.source, PROFILE_FILE, language)
    if click.part == "site":
        return Origin(SITE_FILE)
    entry = find_clicked_entry(page, click)
    if isinstance(entry, Publication):
        return Origin(entry.source.file, entry.source.line, entry.key)
    return _locate(entry.source if entry else page.source, SITE_FILE, language)


def _locate(place: Place, default: str, language: str) -> Origin:
    """
    The source at a place; the file `default` for what no source says, such as a page that is made by default.
    """
    if place == UNKNOWN_PLACE:
        return Origin(default, language=language)
    return Origin(place.file, place.line, language=language)


def find_clicked_entry(page: Page, click: Click) -> Entry | Prose | None:
    """
    The entry with one of the ids, else the text or the first entry of the section, else that of the page.
    """
    items = {item.id: item.entry for section in page.sections for item in section.items if item.id}
    anchored = next((items[name] for name in click.ids if name in items), None)
    if anchored is not None:
        return anchored
    for section in page.sections:
        if section.name == click.section:
            return section.text or next((item.entry for item in section.items), None)
    return page.entry


def find_page(pages: Iterable[Page], file: str, shown: str) -> str:
    """
    The page that shows most of a source, and little else: content/talks.yaml -> "talks/index.html"; "" if
    none does. The page that is shown is the best of several, such as the same in another language.
    """

    def count_entries(page: Page) -> tuple[int, int]:
        if page.entry and page.entry.source.file == file and file.endswith(".md"):
            return (MANY, 0)
        if file == PROFILE_FILE:
            return (int(page.name == "home"), 0)
        texts = [section.text for section in page.sections if section.text]
        shown = [*texts, *(item.entry for section in page.sections for item in section.items)]
        return (sum(one.source.file == file for one in shown), -len(page.sections))

    # the first of the best ones
    in_order = sorted(pages, key=lambda page: page.output_path != shown)
    best = max(in_order, key=count_entries, default=None)
    return best.output_path if best and count_entries(best)[0] else ""


def list_papers(site: Site, file: str) -> tuple[PaperTitle, ...]:
    """The publications of a .bib file in the order of the site."""
    return tuple(
        PaperTitle(
            key=paper.key,
            title=plain_text(paper.title),
            year=str(paper.date.year or "") if paper.date else "",
            selected=paper.selected,
            preprints=paper.preprints,
            line=paper.source.line,
        )
        for paper in site.publications
        if paper.source.file == file
    )
