"""Sections of a page: the selected entries of a collection, their groups and their numbers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from tenure.markdown.html import make_slug, make_unique, plain_text
from tenure.model.entries import Course, CustomEntry, Entry, Markdown, Person, Prose, Publication, Talk
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language
from tenure.model.overlays import CitationCounts, Work
from tenure.model.people import is_by_person, is_past, resolve_reference_list
from tenure.model.site import (
    CitationStyleName,
    Collection,
    CollectionKind,
    SectionConfig,
    Site,
    SortOrder,
    View,
)
from tenure.model.translations import Translations
from tenure.plan.default_pages import COLLECTION_PAGES, title_from_name
from tenure.problems import Problems, find_similar_word, suggest_word
from tenure.record import Record, replace

if TYPE_CHECKING:
    from tenure.plan.statistics import Figure

ORDERS: tuple[SortOrder, ...] = ("written", "newest", "oldest")
STATISTICS: Literal["statistics"] = "statistics"
"""Name of the section with the numbers of the publications and talks that match its filters."""


class ListItem(Record, kw_only=True):
    """
    An entry in a list; `number` is shown as [n], `id` is its anchor on the page or "".

    `language` is "" if it equals the language of the section. `style` is the citation style of a publication, or None.
    `citations` is how often it is cited, if the section shows that.
    """

    entry: Entry
    number: int | None = None
    id: str = ""
    style: CitationStyleName | None = None
    citations: int | None = None
    language: Language = Language("")


class Listing(Record, kw_only=True):
    """A group of a section: its heading ("2024", "Journal articles", or "") and its items; `view` differs from that of the section."""

    title: str
    id: str
    items: tuple[ListItem, ...]
    view: View | None = None


class Section(Record, kw_only=True):
    """
    A list, a text or some figures on a page.

    An empty `title` shows no heading. `legend`: a legend explains the star for equal contribution.
    `full_list_path` is the page with the full list if this list is shortened; `total` counts the full list.
    `language` is "" if it equals the language of the page. `title_language` is the language of the title if it differs from `language`, else "".
    """

    id: str
    name: str
    kind: CollectionKind | Literal["statistics"]
    title: str
    intro: Markdown = Markdown("")
    figures: "tuple[Figure, ...]" = ()
    listings: tuple[Listing, ...] = ()
    text: Prose | None = None
    legend: bool = False
    brief: bool = False
    view: View = "list"
    grouped: bool = False
    numbered: bool = False
    full_list_path: str = ""
    total: int = 0
    language: Language = Language("")
    title_language: Language = Language("")

    @property
    def items(self) -> tuple[ListItem, ...]:
        """The items of all groups in order."""
        return tuple(item for listing in self.listings for item in listing.items)


GROUP_COLLECTIONS = frozenset({"people", "members", "team", "group", "staff"})
PEOPLE_COLLECTIONS = frozenset({
    "alumni", "advisees", "assistants", "collaborators", "former-students", "former_students", "interns", "mentees",
    "phd-students", "phd_students", "postdocs", "students", "undergraduates", "visitors",
})  # fmt: skip
"""Names of lists of people, who are shown as cards."""

DEFAULT_GROUPING = {"publications": "year", "news": "year", "posts": "year", "people": "role"}
CURRENT_LISTS = frozenset({"openings"})
"""Names of lists whose entries are omitted after their end."""


def make_section(
    site: Site, config: SectionConfig, page_kind: str, earlier_sections: Sequence[Section], problems: Problems
) -> Section | None:
    """Make a configured section; None if it would be empty. An unknown name is reported."""
    collection = site.collections.get(config.name)
    if collection is None and config.name == STATISTICS:
        return _make_statistics_section(site, config, earlier_sections, problems)
    if collection is None:
        _report_unknown_section(site, config, problems)
        return None
    if collection.kind == "prose" and not collection.entries:
        return None
    title = keep_field_html(_section_title(site, config, collection), has_blocks=False)
    anchor = _make_anchor(title, config.name, earlier_sections)
    if collection.kind == "prose":
        return _make_text_section(site, config, collection, title, anchor)
    config = _resolve_section(site, config, problems)
    entries = _select_entries(site, config, collection, earlier_sections)
    if not entries:
        if (
            config.source.file
            and config.show not in ("current", "past")
            and any(_is_from_named_files(entry, config) for entry in collection.entries)
        ):
            _report_empty_section(config, collection.entries, problems)
        return None
    numbered = (config.number or _default_numbering(config, page_kind)) != "none"
    anchors = _collect_anchors(earlier_sections) | {anchor}
    counted_works = select_counted_works(site, config, entries, problems)
    default_language = collection.language or site.settings.language
    items = [
        _add_citations(_set_item_language(item, default_language), counted_works)
        for item in _number_items(entries, config, page_kind, earlier_sections, anchors)
    ]
    grouping = config.group or (
        DEFAULT_GROUPING.get(config.name, "none") if page_kind == config.name else "none"
    )
    publications = [entry for entry in entries if isinstance(entry, Publication)]
    list_section = Section(
        id=anchor,
        name=config.name,
        kind=collection.kind,
        title=title,
        intro=_make_intro(site, config, shows_counts=bool(counted_works)),
        listings=_list_items(site, config, items, grouping, anchors),
        legend=any(paper.authors.has_equal_contribution for paper in publications),
        brief=config.brief,
        view=config.view or _default_view(config, entries),
        grouped=grouping != "none",
        numbered=numbered,
        full_list_path=_full_list_path(site, config.name) if len(entries) < len(collection.entries) else "",
        total=len(collection.entries),
    )
    return _set_section_language(
        list_section, site, collection.language, title_in_language=title == collection.title
    )


def _resolve_section(site: Site, config: SectionConfig, problems: Problems) -> SectionConfig:
    """The section with ids of people in `by`, and its default for `show`. An order that does not exist is reported."""
    unknown_order = [name for name in config.order if name not in ORDERS]
    if unknown_order and config.name != "people" and config.group != "role":
        near = find_similar_word(unknown_order[0], ORDERS) or "written"
        message = f'"{unknown_order[0]}" is no order of "{config.name}"'
        place = config.item_place_of("order", unknown_order[0])
        problems.report("bad-value", place, message, f'write "{near}"')
    by = config.by or (("people",) if config.during else ())
    named = [text for text in by if text != "people"]
    ids = resolve_reference_list(config, "by", named, site.people, problems)
    everybody = tuple(person.id for person in site.people) if "people" in by else ()
    show = "current" if config.show == "all" and config.name in CURRENT_LISTS else config.show
    return replace(config, by=(*ids, *everybody), show=show)


def _make_statistics_section(
    site: Site, config: SectionConfig, earlier_sections: Sequence[Section], problems: Problems
) -> Section | None:
    """Make the tables of the publications and talks that match the filters; None without data."""
    from tenure.plan.statistics import count_citations, make_figures

    translations = site.active_theme.translations
    config = _resolve_section(site, config, problems)
    candidates = [*site.iterate_entries("publications", "talks")]
    entries = [entry for entry in candidates if _is_included(site, entry, config, set())]
    publications = [entry for entry in entries if isinstance(entry, Publication) and entry.page]
    talks = [entry for entry in entries if isinstance(entry, Talk)]
    counted_works = select_counted_works(site, config, publications, problems)
    works = tuple(counted_works[paper.key] for paper in publications if paper.key in counted_works)
    section_figures = (
        *make_figures(translations, publications, talks, site.coauthors, config.limit),
        *([count_citations(translations, works)] if any(work.citations for work in works) else []),
    )
    if not section_figures:
        if candidates and config.source.file:
            _report_empty_section(config, candidates, problems)
        return None
    title = translations["section_statistics"] if config.title is None else config.title
    return Section(
        id=_make_anchor(title, config.name, earlier_sections),
        name=config.name,
        kind=STATISTICS,
        title=title,
        intro=_make_intro(site, config, shows_counts=bool(works)),
        figures=section_figures,
    )


def _make_text_section(
    site: Site, config: SectionConfig, collection: Collection, title: str, anchor: str
) -> Section | None:
    (text,) = collection.entries
    if not isinstance(text, Prose):
        return None
    section = Section(id=anchor, name=config.name, kind="prose", title=title, intro=config.intro, text=text)
    return _set_section_language(section, site, text.language, title_in_language=config.title is None)


def _set_section_language(
    section: Section, site: Site, language: Language, *, title_in_language: bool
) -> Section:
    """Set the section's language if it differs from the page's. `title_in_language`: the title is in it too."""
    page_language = site.settings.language
    if language in ("", page_language):
        return section
    return replace(
        section, language=language, title_language=Language("") if title_in_language else page_language
    )


def _make_intro(site: Site, config: SectionConfig, *, shows_counts: bool) -> Markdown:
    """The text above a section; a section that shows citation counts names their source and their day."""
    if not shows_counts or site.counts is None:
        return config.intro
    return add_counts_source(config.intro, site.active_theme.translations, site.counts)


def _add_citations(item: ListItem, counted_works: Mapping[str, Work]) -> ListItem:
    """Add how often a publication is cited; an uncited one is unchanged."""
    work = counted_works.get(item.entry.key) if isinstance(item.entry, Publication) else None
    return replace(item, citations=work.citations) if work and work.citations else item


def _set_item_language(item: ListItem, default_language: Language) -> ListItem:
    """Set the item's language if it differs from the section's. A publication keeps none: its language applies only to its title, not to the whole item."""
    language = item.entry.language
    if language in ("", default_language) or isinstance(item.entry, Publication):
        return item
    return replace(item, language=language)


def _report_unknown_section(site: Site, config: SectionConfig, problems: Problems) -> None:
    known_names = {*site.collections, *COLLECTION_PAGES, "education", "experience", "about", STATISTICS}
    from_bib = {source_config.name for source_config in site.settings.bib_sections}
    if config.name in known_names | from_bib or has_source_file(config.name, problems):
        return
    message, hint = f'content/ has no "{config.name}"', suggest_repair(config.name, known_names)
    problems.report("unknown-section", config.place_of("name"), message, hint)


def has_source_file(name: str, problems: Problems) -> bool:
    """Whether a source file of the collection was read, even if it has no valid entry."""
    return problems.has_source(*(f"content/{name}.{ending}" for ending in ("yaml", "yml", "md")))


def suggest_repair(name: str, known_names: Iterable[str]) -> str:
    """Suggest a repair for an unknown name: a similar name, or the file to write."""
    return suggest_word(name, known_names, f"write content/{name}.yaml or content/{name}.md")


def _report_empty_section(config: SectionConfig, entries: Sequence[Entry], problems: Problems) -> None:
    message, hint = f'the filters of "{config.name}" match no entry', _explain_empty_section(config, entries)
    problems.report("empty-section", config.place_of("name"), message, hint)


def _explain_empty_section(config: SectionConfig, entries: Sequence[Entry]) -> str:
    """A repair for a section without entries: a similar or existing value for its filter, or how to mark entries; "" if unknown."""
    tags = sorted({tag for entry in entries for tag in entry.tags})
    kinds = sorted({*map(_entry_kind, entries)} - {""})
    for wanted, available, key in ((config.tag, tags, "tags"), (config.kind, kinds, "kinds")):
        if wanted and not set(wanted) & set(available):
            listed = f"{key} here: {', '.join(available[:6])}" if available else f"no entry here has {key}"
            return suggest_word(wanted[0], available, listed)
    if config.show == "selected" and isinstance(entries[0], Publication):
        return "mark papers in the .bib file with selected = {true}"
    if config.show == "first_author":
        return "give every spelling of your name under aliases: in content/profile.yaml"
    return ""


def _section_title(site: Site, config: SectionConfig, collection: Collection) -> str:
    if config.title is not None:
        return config.title
    if collection.kind == "prose":
        text_title = collection.entries[0].name
        if text_title or config.name == "about":
            return text_title or site.active_theme.translations["section_about"]
    label = site.active_theme.translations.get(f"section_{config.name}")
    return collection.title or label or title_from_name(config.name)


def _default_view(config: SectionConfig, entries: Iterable[Entry]) -> View:
    """Cards for the members of a group, and for other people if one of them has an image; else a list."""
    name = config.name.casefold()
    if name in GROUP_COLLECTIONS or (name in PEOPLE_COLLECTIONS and any(entry.image for entry in entries)):
        return "cards"
    return "list"


def _full_list_path(site: Site, name: str) -> str:
    """Path of the page with the full list of a collection, or ""."""
    page_configs = site.settings.all_pages
    if page_configs is None:
        return f"/{name}/" if name in COLLECTION_PAGES[:6] else ""
    for config in page_configs:
        if config.name == name or config.path.strip("/") == name:
            return f"/{(config.path or name).strip('/')}/"
    return ""


def _select_entries(
    site: Site, config: SectionConfig, collection: Collection, earlier_sections: Sequence[Section]
) -> list[Entry]:
    """The entries that match the filters of a section, in its order."""
    shown_ids = {
        id(item.entry)
        for section in earlier_sections
        if section.name == config.name
        for item in section.items
    }
    entries = [entry for entry in collection.entries if _is_included(site, entry, config, shown_ids)]
    order = next((name for name in config.order if name in ORDERS), "") or _default_order(config, entries)
    if order in ("newest", "oldest"):
        entries.sort(key=_entry_date_order, reverse=order == "newest")
    return entries[: config.limit] if config.limit else entries


def _default_order(config: SectionConfig, entries: Sequence[Entry]) -> SortOrder:
    """Newest first for groups by time and for courses that all have a term, otherwise as written."""
    by_time = config.group in ("year", "term")
    dated_courses = all(isinstance(entry, Course) and entry.entry_period for entry in entries)
    return "newest" if by_time or dated_courses else "written"


def _entry_date_order(entry: Entry) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    return entry.entry_period.sort_key if entry.entry_period else ((0, 0, 0), (0, 0, 0))


def _is_included(site: Site, entry: Entry, config: SectionConfig, shown_ids: set[int]) -> bool:
    if not _has_people_of(site, entry, config):
        return False
    if config.show == "rest" and id(entry) in shown_ids:
        return False
    if not _is_from_named_files(entry, config):
        return False
    if isinstance(entry, Publication):
        if config.show == "first_author" and not entry.authors.owner_is_first:
            return False
        if config.show == "selected" and not entry.selected:
            return False
    if config.kind and _entry_kind(entry) not in config.kind:
        return False
    if (config.tag and not set(config.tag) & set(entry.tags)) or set(config.without) & set(entry.tags):
        return False
    return not config.year or any(year in config.year for year in _entry_years(entry))


def _has_people_of(site: Site, entry: Entry, config: SectionConfig) -> bool:
    """Whether the people and the end of an entry fit the section."""
    today = site.settings.updated
    is_shown = config.show not in ("current", "past") or (config.show == "past") == is_past(entry, today)
    is_hidden = config.past == "hide" and isinstance(entry, Person) and entry.has_left(today)
    return (
        is_shown
        and not is_hidden
        and (not config.by or is_by_person(entry, config.by))
        and (config.during is None or _is_during_membership(site, entry, config.by))
    )


def _is_during_membership(site: Site, entry: Entry, ids: Sequence[str]) -> bool:
    """Whether an entry is from the time in which one of its people was a member, or from the year after."""
    years = _entry_years(entry)
    for person in site.people:
        if person.id in ids and is_by_person(entry, (person.id,)):
            start, end = (person.date.start, person.date.end) if person.date else (None, None)
            first = start.year if start and start.year else 0
            last = end.year + 1 if end and end.year else 9999
            if any(first <= year <= last for year in years):
                return True
    return False


def _is_from_named_files(entry: Entry, config: SectionConfig) -> bool:
    """Whether the section names no .bib files, or one of them (by its path or the end of it) has the entry."""
    file = entry.source.file
    return not config.bib or any(f"/{file}".endswith(f"/{name.removeprefix('./')}") for name in config.bib)


def _entry_years(entry: Entry) -> tuple[int, ...]:
    period = entry.entry_period
    dates = (period.start, period.end) if period else ()
    return tuple(date.year for date in dates if date and date.year is not None)


def _default_numbering(config: SectionConfig, page_kind: str) -> str:
    return "descending" if config.name == "publications" and page_kind in ("publications", "cv") else "none"


def _number_items(
    entries: Sequence[Entry],
    config: SectionConfig,
    page_kind: str,
    earlier_sections: Sequence[Section],
    anchors: set[str],
) -> list[ListItem]:
    """Items with numbers and anchors; an entry that is repeated on the page has an anchor only the first time."""
    order = config.number or _default_numbering(config, page_kind)
    earlier_items = [
        item for section in earlier_sections if section.name == config.name for item in section.items
    ]
    offset = 0 if config.restart else max((item.number or 0 for item in earlier_items), default=0)
    shown_ids = {id(item.entry) for item in earlier_items}
    items: list[ListItem] = []
    for position, entry in enumerate(entries):
        number = offset + (position + 1 if order == "ascending" else len(entries) - position)
        anchor = "" if id(entry) in shown_ids else make_unique(entry.id, anchors) if entry.id else ""
        anchors.add(anchor)
        items.append(
            ListItem(entry=entry, number=None if order == "none" else number, id=anchor, style=config.style)
        )
    return items


def _make_anchor(title: str, name: str, earlier_sections: Iterable[Section]) -> str:
    """The anchor of a section: its title as a slug, or its name if the title has no letter or digit."""
    slug = make_slug(plain_text(Markdown(title))) or make_slug(name) or "section"
    return make_unique(slug, _collect_anchors(earlier_sections))


def _collect_anchors(earlier_sections: Iterable[Section]) -> set[str]:
    anchors: set[str] = set()
    for section in earlier_sections:
        anchors |= {
            section.id,
            *(listing.id for listing in section.listings),
            *(item.id for item in section.items),
        }
    return anchors


def _list_items(
    site: Site, config: SectionConfig, items: Sequence[ListItem], grouping: str, used_anchors: set[str]
) -> tuple[Listing, ...]:
    """The groups of a section; former people are in the last one, unless the section shows only them."""
    former = [
        item
        for item in items
        if isinstance(item.entry, Person) and item.entry.has_left(site.settings.updated)
    ]
    if not former or config.show == "past":
        return _group_items(site, items, grouping, used_anchors, config)
    current = [item for item in items if item not in former]
    groups = _group_items(site, current, grouping, used_anchors, config) if current else ()
    title = site.active_theme.translations["section_alumni"]
    anchor = make_unique("alumni", used_anchors)
    view: View = "table" if config.past is None or config.past == "hide" else config.past
    return (*groups, Listing(title=title, id=anchor, items=tuple(former), view=view))


def _group_items(
    site: Site, items: Sequence[ListItem], grouping: str, used_anchors: set[str], config: SectionConfig
) -> tuple[Listing, ...]:
    """The items in groups, each with a heading and a unique anchor; those in the section's `order` first."""
    if grouping == "none":
        return (Listing(title="", id="", items=tuple(items)),)
    headings: dict[str, tuple[str, str]] = {}
    groups: dict[str, list[ListItem]] = {}
    for item in items:
        heading = _group_heading(site, item.entry, grouping)
        key = heading[0].casefold()  # "PhD Student" is the group of "PhD student"
        headings.setdefault(key, heading)
        groups.setdefault(key, []).append(item)
    listings: list[Listing] = []
    ranks = {name.casefold(): rank for rank, name in enumerate(config.order)}
    for key, group in sorted(groups.items(), key=lambda group: ranks.get(group[0], len(ranks))):
        title, anchor = headings[key]
        title = keep_field_html(title, has_blocks=False)
        unique_anchor = make_unique(anchor, used_anchors)
        used_anchors.add(unique_anchor)
        listings.append(Listing(title=title, id=unique_anchor, items=tuple(group)))
    if grouping != "role":
        return tuple(listings)
    return _join_small_roles(listings, config.groups.headings, site.settings.language)


MIN_ROLE_GROUP = 3
"""The number of people from which a role is a heading; below it is only under each name."""


def _join_small_roles(
    listings: Sequence[Listing], headings: Mapping[str, str], language: Language
) -> tuple[Listing, ...]:
    """First those whose role few have, or all without photos, as one list; then the other roles, each with its heading."""
    has_photos = any(item.entry.image for listing in listings for item in listing.items)
    large = [listing for listing in listings if has_photos and len(listing.items) >= MIN_ROLE_GROUP]
    others = tuple(item for listing in listings if listing not in large for item in listing.items)
    written = {role.casefold(): heading for role, heading in headings.items()}
    return (
        *([Listing(title="", id="", items=others)] if others else []),
        *(
            replace(
                listing,
                title=written.get(listing.title.casefold()) or _pluralize_role(listing.title, language),
            )
            for listing in large
        ),
    )


def _pluralize_role(role: str, language: Language) -> str:
    """An English role in the plural: "PhD student" becomes "PhD students"; "Faculty" and "Head of IT" stay as written."""
    is_regular = re.fullmatch(r"(?:[\w.-]+ )*\w*(?<!s)(?<!y)(?<!staff)(?<!man)", role)
    if language.primary_subtag != "en" or not is_regular or {"of", "in", "and"} & set(role.split()):
        return role
    return f"{role}s"


def _group_heading(site: Site, entry: Entry, grouping: str) -> tuple[str, str]:
    if grouping == "kind":
        kind = _entry_kind(entry)
        family = "talk" if isinstance(entry, Talk) else "kind"
        return site.active_theme.translations.get(f"{family}_{kind}", kind), f"kind-{make_slug(kind)}"
    if grouping == "role" and isinstance(entry, CustomEntry):
        return entry.role, f"role-{make_slug(plain_text(entry.role))}"
    if grouping == "term" and entry.entry_period:
        term = entry.entry_period.format_text(site.active_theme.translations)
        return term, f"term-{make_slug(term)}"
    years = _entry_years(entry)
    year = str(years[-1]) if years else site.active_theme.translations["undated"]
    return year, f"year-{make_slug(year)}"


def _entry_kind(entry: Entry) -> str:
    return entry.kind if isinstance(entry, Publication | Talk) else ""


def select_counted_works(
    site: Site, config: SectionConfig, entries: Iterable[Entry], problems: Problems
) -> Mapping[str, Work]:
    """The counts of publications by their keys, if the section asks for them; a missing file is reported."""
    if not config.counts:
        return {}
    if site.counts is None:
        if not problems.has_source("content/counts.yaml", "content/counts.yml"):
            message = f'section "{config.name}" shows counts, and there is no file content/counts.yaml'
            hint = "write fetch: {counts: openalex} into site.yaml and call fetch --write, or delete counts"
            problems.report("missing-file", config.place_of("counts"), message, hint)
        return {}
    return site.counts.select_works(entry for entry in entries if isinstance(entry, Publication))


def add_counts_source(intro: Markdown, translations: Translations, counts: CitationCounts) -> Markdown:
    """The text above a section, with the source and the day of the citation counts."""
    source = translations["comma"].join([counts.service, counts.day.format_text(translations, "long")])
    line = f"{translations.format_labelled(translations['citations'], source)}."
    return Markdown("\n\n".join(part for part in (intro, line) if part))
