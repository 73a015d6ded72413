"""Sections of a page: the selected entries of a collection, their groups and their numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from tenure.frozen import dataclass
from tenure.model.languages import Language
from tenure.model.scholar import Course, Entry, Markdown, Prose, Publication, Talk
from tenure.model.site import Collection, Kind, Order, SectionWish, Site
from tenure.problems import Place, Problems, did_you_mean
from tenure.text import plain, slug, unique
from tenure.web.outline import COLLECTION_PAGES

if TYPE_CHECKING:
    from tenure.web.statistics import Figure

STATISTICS: Literal["statistics"] = "statistics"
"""Name of the section with charts of the publications and talks that match its filters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """
    An entry in a list; `number` is shown as [n], `id` is its anchor on the page or "".

    `language` is "" if it equals the language of the section.
    """

    entry: Entry
    number: int | None = None
    id: str = ""
    language: Language = Language("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A group of a section: its heading ("2024", "Journal articles", or "") and its items."""

    title: str
    id: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """
    A list, a text or some figures on a page.

    An empty `title` shows no heading. `legend`: a legend explains the star for equal contribution.
    `full_list_path` is the page with the full list if this list is shortened; `total` counts the full list.
    `language` is "" if it equals the language of the page. `title_language` is set if the title's differs from it.
    """

    id: str
    name: str
    kind: Kind | Literal["statistics"]
    title: str
    intro: Markdown = Markdown("")
    figures: "tuple[Figure, ...]" = ()
    listings: tuple[Listing, ...] = ()
    text: Prose | None = None
    legend: bool = False
    brief: bool = False
    grouped: bool = False
    numbered: bool = False
    more: str = ""
    total: int = 0
    language: Language = Language("")
    heading: Language = Language("")

    @property
    def items(self) -> tuple[Item, ...]:
        """The items of all groups in order."""
        return tuple(item for listing in self.listings for item in listing.items)


USUAL_GROUPS = {"publications": "year", "news": "year", "posts": "year"}


def make_section(
    site: Site, wish: SectionWish, page: str, before: Sequence[Section], problems: Problems
) -> Section | None:
    """Make a configured section; None if it would be empty. An unknown name is reported."""
    collection = site.collections.get(wish.name)
    if collection is None and wish.name == STATISTICS:
        return _statistics(site, wish, before, problems)
    if collection is None:
        _tell_unknown(site, wish, problems)
        return None
    title = _title(site, wish, collection)
    anchor = unique(slug(plain(Markdown(title)) or wish.name), _anchors(before))
    if collection.kind == "prose":
        (text,) = collection.entries
        if not isinstance(text, Prose):
            return None
        one = Section(id=anchor, name=wish.name, kind="prose", title=title, intro=wish.intro, text=text)
        return _in_language(one, site, text.language, titled=wish.title is None)
    entries = _chosen(wish, collection, before)
    if not entries:
        if wish.source and any(_stands_in(entry, wish) for entry in collection.entries):
            where = Place.at(wish.source, len(wish.name))
            message = f'the filters of "{wish.name}" match no entry'
            problems.tell("empty-section", where, message, _why_empty(wish, collection.entries))
        return None
    numbered = (wish.number or _usual_number(wish, page)) != "none"
    anchors = _anchors(before) | {anchor}
    around = collection.language or site.settings.language
    items = [_spoken(item, around) for item in _items(entries, wish, page, before, anchors)]
    grouping = wish.group or (USUAL_GROUPS.get(wish.name, "none") if page == wish.name else "none")
    papers = [entry for entry in entries if isinstance(entry, Publication)]
    made = Section(
        id=anchor,
        name=wish.name,
        kind=collection.kind,
        title=title,
        intro=wish.intro,
        listings=_listings(site, items, grouping, anchors),
        legend=any(paper.authors.any_equal for paper in papers),
        brief=wish.brief,
        grouped=grouping != "none",
        numbered=numbered,
        more=_full_page(site, wish.name) if len(entries) < len(collection.entries) else "",
        total=len(collection.entries),
    )
    return _in_language(made, site, collection.language, titled=title == collection.title)


def _statistics(
    site: Site, wish: SectionWish, before: Sequence[Section], problems: Problems
) -> Section | None:
    """Make the charts of the publications and talks that match the filters; None without data."""
    from tenure.web.statistics import figures  # noqa: PLC0415 - only a site with charts needs it

    words = site.look.words
    there = [
        entry
        for collection in site.collections.values()
        if collection.kind in ("publications", "talks")
        for entry in collection.entries
    ]
    entries = [entry for entry in there if _passes(entry, wish, set())]
    papers = [entry for entry in entries if isinstance(entry, Publication) and entry.page]
    talks = [entry for entry in entries if isinstance(entry, Talk)]
    made = tuple(figures(words, papers, talks, site.coauthors, wish.limit))
    if not made:
        if there and wish.source:
            where = Place.at(wish.source, len(wish.name))
            message = f'the filters of "{wish.name}" match no entry'
            problems.tell("empty-section", where, message, _why_empty(wish, there))
        return None
    title = words["section_statistics"] if wish.title is None else wish.title
    anchor = unique(slug(plain(Markdown(title))) or wish.name, _anchors(before))
    return Section(id=anchor, name=wish.name, kind=STATISTICS, title=title, intro=wish.intro, figures=made)


def _in_language(section: Section, site: Site, own: Language, *, titled: bool) -> Section:
    """Set the section's language if it differs from the page's. `title_in_language`: the title is in it too."""
    page = site.settings.language
    if own in ("", page):
        return section
    return replace(section, language=own, heading=Language("") if titled else page)


def _spoken(item: Item, around: Language) -> Item:
    """Set the item's language if it differs from the section's. Of a publication only the title has its language."""
    own = item.entry.language
    return item if own in ("", around) or isinstance(item.entry, Publication) else replace(item, language=own)


def _tell_unknown(site: Site, wish: SectionWish, problems: Problems) -> None:
    known = {*site.collections, *COLLECTION_PAGES, "education", "experience", "about", STATISTICS}
    from_bib = {other.name for other in site.settings.from_bib}
    if wish.name in known | from_bib or was_read(wish.name, problems):
        return
    where = Place.at(wish.source, len(wish.name))
    hint = instead(wish.name, known)
    problems.tell("unknown-section", where, f'content/ has no "{wish.name}"', hint)


def was_read(name: str, problems: Problems) -> bool:
    """Whether a source file of the collection was read, even if it has no valid entry."""
    return problems.has_read(*(f"content/{name}.{ending}" for ending in ("yaml", "yml", "md")))


def instead(name: str, known: Iterable[str]) -> str:
    """Suggest a repair for an unknown name: a similar name, or the file to write."""
    near = did_you_mean(name, known)
    return f'did you mean "{near}"?' if near else f"write content/{name}.yaml or content/{name}.md"


def _why_empty(wish: SectionWish, entries: Sequence[Entry]) -> str:
    """Name the filter that no entry matches, and the values that exist."""
    tags = sorted({tag for entry in entries for tag in entry.tags})
    kinds = sorted({entry.kind for entry in entries if isinstance(entry, Publication | Talk)} - {""})
    for wanted, there, word in ((wish.tag, tags, "tags"), (wish.kind, kinds, "kinds")):
        if wanted and not set(wanted) & set(there):
            near = did_you_mean(wanted[0], there)
            none = f"{word} here: {', '.join(there[:6])}" if there else f"no entry here has {word}"
            return f'did you mean "{near}"?' if near else none
    if wish.show == "selected" and isinstance(entries[0], Publication):
        return "mark papers in the .bib file with selected = {true}"
    if wish.show == "first_author":
        return "give every spelling of your name under aliases: in content/profile.yaml"
    return ""


def _title(site: Site, wish: SectionWish, collection: Collection) -> str:
    if wish.title is not None:
        return wish.title
    if collection.kind == "prose":
        own = collection.entries[0].name
        if own or wish.name == "about":
            return own or site.look.words["section_about"]
    spoken = wish.name.replace("-", " ").replace("_", " ")
    return collection.title or site.look.words.get(f"section_{wish.name}") or spoken[:1].upper() + spoken[1:]


def _full_page(site: Site, name: str) -> str:
    """Path of the page with the full list of a collection, or ""."""
    wishes = site.settings.every_page
    if wishes is None:
        return f"/{name}/" if name in COLLECTION_PAGES[:6] else ""
    for wish in wishes:
        if wish.name == name or wish.path.strip("/") == name:
            return f"/{(wish.path or name).strip('/')}/"
    return ""


def _chosen(wish: SectionWish, collection: Collection, before: Sequence[Section]) -> list[Entry]:
    """The entries that match the filters of a section, in its order."""
    shown = {id(item.entry) for section in before if section.name == wish.name for item in section.items}
    entries = [entry for entry in collection.entries if _passes(entry, wish, shown)]
    order = wish.order or _usual_order(wish, entries)
    if order in ("newest", "oldest"):
        entries.sort(key=_when, reverse=order == "newest")
    return entries[: wish.limit] if wish.limit else entries


def _usual_order(wish: SectionWish, entries: Sequence[Entry]) -> Order:
    """Newest first for groups by time and for courses that all have a term, otherwise as written."""
    by_time = wish.group in ("year", "term")
    dated_courses = all(isinstance(entry, Course) and entry.when for entry in entries)
    return "newest" if by_time or dated_courses else "written"


def _when(entry: Entry) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    return entry.when.order if entry.when else ((0, 0, 0), (0, 0, 0))


def _passes(entry: Entry, wish: SectionWish, shown: set[int]) -> bool:
    if wish.show == "rest" and id(entry) in shown:
        return False
    if not _stands_in(entry, wish):
        return False
    if isinstance(entry, Publication):
        if wish.show == "first_author" and not entry.authors.leads:
            return False
        if wish.show == "selected" and not entry.selected:
            return False
    kind = entry.kind if isinstance(entry, Publication | Talk) else ""
    if wish.kind and kind not in wish.kind:
        return False
    if (wish.tag and not set(wish.tag) & set(entry.tags)) or set(wish.without) & set(entry.tags):
        return False
    return not wish.year or any(year in wish.year for year in _years(entry))


def _stands_in(entry: Entry, wish: SectionWish) -> bool:
    """Whether the section names no .bib files, or one of them (by its path or the end of it) has the entry."""
    file = Place.at(entry.source).file
    return not wish.bib or any(f"/{file}".endswith(f"/{name.removeprefix('./')}") for name in wish.bib)


def _years(entry: Entry) -> tuple[int, ...]:
    when = entry.when
    dates = (when.start, when.end) if when else ()
    return tuple(date.year for date in dates if date and date.year is not None)


def _usual_number(wish: SectionWish, page: str) -> str:
    return "descending" if wish.name == "publications" and page in ("publications", "cv") else "none"


def _items(
    entries: Sequence[Entry],
    wish: SectionWish,
    page: str,
    before: Sequence[Section],
    anchors: set[str],
) -> list[Item]:
    """Items with numbers and anchors; an entry that is repeated on the page has an anchor only the first time."""
    order = wish.number or _usual_number(wish, page)
    earlier = [item for section in before if section.name == wish.name for item in section.items]
    first = 0 if wish.restart else max((item.number or 0 for item in earlier), default=0)
    seen = {id(item.entry) for item in earlier}
    items: list[Item] = []
    for position, entry in enumerate(entries):
        number = first + (position + 1 if order == "ascending" else len(entries) - position)
        anchor = "" if id(entry) in seen else unique(entry.id, anchors) if entry.id else ""
        anchors.add(anchor)
        items.append(Item(entry=entry, number=None if order == "none" else number, id=anchor))
    return items


def _anchors(before: Iterable[Section]) -> set[str]:
    found = {section.id for section in before} | {item.id for section in before for item in section.items}
    return found | {listing.id for section in before for listing in section.listings}


def _listings(site: Site, items: Sequence[Item], grouping: str, taken: set[str]) -> tuple[Listing, ...]:
    """The items in groups, each with a heading and a unique anchor."""
    if grouping == "none":
        return (Listing(title="", id="", items=tuple(items)),)
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        groups.setdefault(_group(site, item.entry, grouping), []).append(item)
    listings: list[Listing] = []
    for (title, anchor), group in groups.items():
        free = unique(anchor, taken)
        taken.add(free)
        listings.append(Listing(title=title, id=free, items=tuple(group)))
    return tuple(listings)


def _group(site: Site, entry: Entry, grouping: str) -> tuple[str, str]:
    """Heading and anchor of the group of an entry."""
    if grouping == "kind":
        kind = _kind(entry)
        family = "talk" if isinstance(entry, Talk) else "kind"
        return site.look.words.get(f"{family}_{kind}", kind), f"kind-{slug(kind)}"
    if grouping == "term" and entry.when:
        term = entry.when.written(site.look.words)
        return term, f"term-{slug(term)}"
    years = _years(entry)
    year = str(years[-1]) if years else site.look.words["undated"]
    return year, f"year-{slug(year)}"


def _kind(entry: Entry) -> str:
    return entry.kind if isinstance(entry, Publication | Talk) else ""
