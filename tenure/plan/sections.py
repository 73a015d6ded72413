"""Sections of a page: the selected entries of a collection, their groups and their numbers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from tenure.markdown.html import make_slug, make_unique, plain_text
from tenure.model.entries import Course, CustomEntry, Entry, Markdown, Person, Prose, Publication, Talk
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language
from tenure.model.overlays import Work
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
from tenure.plan.kinds import CURRENT_LISTS, LISTS, MENU_PAGES, PAGE_LISTS, ListKind, title_from_name
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


MIN_ROLE_GROUP = 3
"""The number of people from which a role is a heading; below it is only under each name."""


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
    text = None
    if collection.kind == "prose":
        text = next((entry for entry in collection.entries if isinstance(entry, Prose)), None)
        if text is None:
            return None
    title = keep_field_html(_section_title(site, config, collection, text), has_blocks=False)
    anchor = _make_anchor(title, config.name, earlier_sections)
    section = Section(
        id=anchor, name=config.name, kind=collection.kind, title=title, intro=config.intro, text=text
    )
    if text is not None:
        language, is_title_in_language = text.language, config.title is None
    else:
        config = _resolve_section(site, config, problems)
        entries = _select_entries(site, config, collection.entries, earlier_sections)
        if not entries:
            _report_empty_section(config, collection.entries, problems)
            return None
        language, is_title_in_language = collection.language, title == collection.title
        section = _fill_section(site, config, section, entries, page_kind, earlier_sections, problems)
    page_language = site.settings.language
    if language in ("", page_language):
        return section
    title_language = Language("") if is_title_in_language else page_language
    return replace(section, language=language, title_language=title_language)


def _fill_section(
    site: Site,
    config: SectionConfig,
    section: Section,
    entries: Sequence[Entry],
    page_kind: str,
    earlier_sections: Sequence[Section],
    problems: Problems,
) -> Section:
    """The section of a list with its entries, which have numbers, anchors and citation counts, in their groups."""
    name, collection = config.name, site.collections[config.name]
    works = _select_counted_works(site, config, entries, problems)
    earlier_items = [item for other in earlier_sections if other.name == name for item in other.items]
    shown_ids = {id(item.entry) for item in earlier_items}
    offset = 0 if config.restart else max((item.number or 0 for item in earlier_items), default=0)
    is_counted = name == "publications" and page_kind in ("publications", "cv")
    numbering = config.number or ("descending" if is_counted else "none")
    anchors = _collect_anchors(earlier_sections) | {section.id}
    items: list[ListItem] = []
    for position, entry in enumerate(entries):
        number = offset + (position + 1 if numbering == "ascending" else len(entries) - position)
        # an entry that is repeated on the page has an anchor only the first time
        anchor = "" if id(entry) in shown_ids or not entry.id else make_unique(entry.id, anchors)
        anchors.add(anchor)
        is_publication = isinstance(entry, Publication)
        work = works.get(entry.key) if isinstance(entry, Publication) else None
        # the language of a publication applies only to its title, not to the whole item
        is_in_language = entry.language in ("", collection.language or site.settings.language)
        items.append(
            ListItem(
                entry=entry,
                number=None if numbering == "none" else number,
                id=anchor,
                style=config.style,
                citations=(work.citations or None) if work else None,
                language=Language("") if is_in_language or is_publication else entry.language,
            )
        )
    kind = LISTS.get(name.casefold(), ListKind())
    grouping = config.group or (kind.group if page_kind == name else "none")
    is_cards = kind.view == "cards" or (kind.view == "photos" and any(entry.image for entry in entries))
    publications = [entry for entry in entries if isinstance(entry, Publication)]
    return replace(
        section,
        intro=_make_intro(site, config, works),
        listings=_list_items(site, config, items, grouping, anchors),
        legend=any(paper.authors.has_equal_contribution for paper in publications),
        brief=config.brief,
        view=config.view or ("cards" if is_cards else "list"),
        grouped=grouping != "none",
        numbered=numbering != "none",
        full_list_path=_full_list_path(site, name) if len(entries) < len(collection.entries) else "",
        total=len(collection.entries),
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
    counted_works = _select_counted_works(site, config, publications, problems)
    works = {paper.key: counted_works[paper.key] for paper in publications if paper.key in counted_works}
    figures = [*make_figures(translations, publications, talks, site.coauthors, config.limit)]
    if any(work.citations for work in works.values()):
        figures.append(count_citations(translations, [*works.values()]))
    if not figures:
        _report_empty_section(config, candidates, problems)
        return None
    title = translations["section_statistics"] if config.title is None else config.title
    return Section(
        id=_make_anchor(title, config.name, earlier_sections),
        name=config.name,
        kind=STATISTICS,
        title=title,
        intro=_make_intro(site, config, works),
        figures=tuple(figures),
    )


def _make_intro(site: Site, config: SectionConfig, works: Mapping[str, Work]) -> Markdown:
    """The text above a section; a section that shows citation counts names their source and their day."""
    counts, translations = site.counts, site.active_theme.translations
    if not works or counts is None:
        return config.intro
    source = translations["comma"].join([counts.service, counts.day.format_text(translations, "long")])
    line = f"{translations.format_labelled(translations['citations'], source)}."
    return Markdown("\n\n".join(part for part in (config.intro, line) if part))


def _select_counted_works(
    site: Site, config: SectionConfig, entries: Iterable[Entry], problems: Problems
) -> Mapping[str, Work]:
    """The counts of publications by their keys, if the section asks for them; a missing file is reported."""
    if config.counts and site.counts is not None:
        return site.counts.select_works(entry for entry in entries if isinstance(entry, Publication))
    if config.counts and not problems.has_source("content/counts.yaml", "content/counts.yml"):
        message = f'section "{config.name}" shows counts, and there is no file content/counts.yaml'
        hint = "write fetch: {counts: openalex} into site.yaml and call fetch --write, or delete counts"
        problems.report("missing-file", config.place_of("counts"), message, hint)
    return {}


def _report_unknown_section(site: Site, config: SectionConfig, problems: Problems) -> None:
    known_names = {*site.collections, *PAGE_LISTS, "education", "experience", "about", STATISTICS}
    from_bib = {source_config.name for source_config in site.settings.bib_sections}
    if config.name not in known_names | from_bib and not has_source_file(config.name, problems):
        message, hint = f'content/ has no "{config.name}"', suggest_repair(config.name, known_names)
        problems.report("unknown-section", config.place_of("name"), message, hint)


def has_source_file(name: str, problems: Problems) -> bool:
    """Whether a source file of the collection was read, even if it has no valid entry."""
    return problems.has_source(*(f"content/{name}.{ending}" for ending in ("yaml", "yml", "md")))


def suggest_repair(name: str, known_names: Iterable[str]) -> str:
    """Suggest a repair for an unknown name: a similar name, or the file to write."""
    return suggest_word(name, known_names, f"write content/{name}.yaml or content/{name}.md")


def _report_empty_section(config: SectionConfig, entries: Sequence[Entry], problems: Problems) -> None:
    """Report that a section of site.yaml has no entries, with a value for its filter, or how to mark entries, as the repair."""
    is_expected = config.show in ("current", "past") or not any(
        _is_from_named_files(e, config) for e in entries
    )
    if not config.source.file or is_expected:
        return
    hint = ""
    if config.show == "selected" and isinstance(entries[0], Publication):
        hint = "mark papers in the .bib file with selected = {true}"
    if config.show == "first_author":
        hint = "give every spelling of your name under aliases: in content/profile.yaml"
    tags = sorted({tag for entry in entries for tag in entry.tags})
    kinds = sorted({*map(_entry_kind, entries)} - {""})
    for wanted, available, key in ((config.kind, kinds, "kinds"), (config.tag, tags, "tags")):
        if wanted and not set(wanted) & set(available):
            listed = f"{key} here: {', '.join(available[:6])}" if available else f"no entry here has {key}"
            hint = suggest_word(wanted[0], available, listed)
    message = f'the filters of "{config.name}" match no entry'
    problems.report("empty-section", config.place_of("name"), message, hint)


def _section_title(site: Site, config: SectionConfig, collection: Collection, text: Prose | None) -> str:
    if config.title is not None:
        return config.title
    if text is not None and (text.name or config.name == "about"):
        return text.name or site.active_theme.translations["section_about"]
    label = site.active_theme.translations.get(f"section_{config.name}")
    page_titles = (
        page.title for page in site.settings.pages or () if page.name == config.name and page.title
    )
    return collection.title or label or next(page_titles, "") or title_from_name(config.name)


def _full_list_path(site: Site, name: str) -> str:
    """Path of the page with the full list of a collection, or ""."""
    pages = site.settings.all_pages
    if pages is None:
        return f"/{name}/" if name in ("news", *MENU_PAGES) else ""
    paths = (page.path or name for page in pages if name in (page.name, page.path.strip("/")))
    return next((f"/{path.strip('/')}/" for path in paths), "")


def _select_entries(
    site: Site, config: SectionConfig, entries: Sequence[Entry], earlier_sections: Sequence[Section]
) -> list[Entry]:
    """The entries that match the filters of a section, in its order: by default newest first in groups by time and for dated courses."""
    earlier = [section for section in earlier_sections if section.name == config.name]
    shown_ids = {id(item.entry) for section in earlier for item in section.items}
    selected = [entry for entry in entries if _is_included(site, entry, config, shown_ids)]
    order = next((name for name in config.order if name in ORDERS), "")
    if not order:
        is_dated = all(isinstance(entry, Course) and entry.entry_period for entry in selected)
        order = "newest" if config.group in ("year", "term") or is_dated else "written"
    if order != "written":
        undated = ((0, 0, 0), (0, 0, 0))
        selected.sort(
            key=lambda entry: entry.entry_period.sort_key if entry.entry_period else undated,
            reverse=order == "newest",
        )
    return selected[: config.limit] if config.limit else selected


def _is_included(site: Site, entry: Entry, config: SectionConfig, shown_ids: set[int]) -> bool:
    """Whether an entry matches all filters of a section; `shown_ids` are the entries of the earlier sections."""
    today, tags = site.settings.updated, set(entry.tags)
    is_hidden_person = config.past == "hide" and isinstance(entry, Person) and entry.has_left(today)
    if isinstance(entry, Publication) and (
        (config.show == "first_author" and not entry.authors.owner_is_first)
        or (config.show == "selected" and not entry.selected)
    ):
        return False
    return (
        (config.show not in ("current", "past") or (config.show == "past") == is_past(entry, today))
        and not is_hidden_person
        and (not config.by or is_by_person(entry, config.by))
        and (config.during is None or _is_during_membership(site, entry, config.by))
        and not (config.show == "rest" and id(entry) in shown_ids)
        and _is_from_named_files(entry, config)
        and (not config.kind or _entry_kind(entry) in config.kind)
        and (not config.tag or not tags.isdisjoint(config.tag))
        and tags.isdisjoint(config.without)
        and (not config.year or not set(config.year).isdisjoint(_entry_years(entry)))
    )


def _is_during_membership(site: Site, entry: Entry, ids: Sequence[str]) -> bool:
    """Whether an entry is from the time in which one of its people was a member, or from the year after."""
    for person in site.people:
        if person.id in ids and is_by_person(entry, (person.id,)):
            start, end = (person.date.start, person.date.end) if person.date else (None, None)
            first = start.year if start and start.year else 0
            last = end.year + 1 if end and end.year else 9999
            if any(first <= year <= last for year in _entry_years(entry)):
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


def _make_anchor(title: str, name: str, earlier_sections: Iterable[Section]) -> str:
    """The anchor of a section: its title as a slug, or its name if the title has no letter or digit."""
    slug = make_slug(plain_text(Markdown(title))) or make_slug(name) or "section"
    return make_unique(slug, _collect_anchors(earlier_sections))


def _collect_anchors(sections: Iterable[Section]) -> set[str]:
    anchors: set[str] = set()
    for section in sections:
        anchors |= {section.id, *(listing.id for listing in section.listings)}
        anchors |= {item.id for item in section.items}
    return anchors


def _list_items(
    site: Site, config: SectionConfig, items: Sequence[ListItem], grouping: str, used_anchors: set[str]
) -> tuple[Listing, ...]:
    """The groups of a section; former people are in the last one, unless the section shows only them."""
    today = site.settings.updated
    former = tuple(
        item
        for item in items
        if config.show != "past" and isinstance(item.entry, Person) and item.entry.has_left(today)
    )
    current = [item for item in items if item not in former] if former else items
    groups = _group_items(site, current, grouping, used_anchors, config) if current else ()
    if not former:
        return groups
    title = site.active_theme.translations["section_alumni"]
    anchor = make_unique("alumni", used_anchors)
    view: View = "table" if config.past is None or config.past == "hide" else config.past
    return (*groups, Listing(title=title, id=anchor, items=former, view=view))


def _group_items(
    site: Site, items: Sequence[ListItem], grouping: str, used_anchors: set[str], config: SectionConfig
) -> tuple[Listing, ...]:
    """
    The items in groups, each with a heading and a unique anchor; those in the section's `order` first.

    Roles that few have, or all without photos, are one list without a heading, before the others.
    """
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
        unique_anchor = make_unique(anchor, used_anchors)
        used_anchors.add(unique_anchor)
        title = keep_field_html(title, has_blocks=False)
        listings.append(Listing(title=title, id=unique_anchor, items=tuple(group)))
    if grouping != "role":
        return tuple(listings)
    has_photos = any(item.entry.image for item in items)
    large = [listing for listing in listings if has_photos and len(listing.items) >= MIN_ROLE_GROUP]
    others = tuple(item for listing in listings if listing not in large for item in listing.items)
    written = {role.casefold(): heading for role, heading in config.groups.headings.items()}
    titles = [
        written.get(listing.title.casefold()) or _pluralize_role(listing.title, site.settings.language)
        for listing in large
    ]
    titled = [replace(listing, title=title) for listing, title in zip(large, titles, strict=True)]
    return (*([Listing(title="", id="", items=others)] if others else []), *titled)


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
