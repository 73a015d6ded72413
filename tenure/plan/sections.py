"""Sections of a page: the selected entries of a collection, their groups and their numbers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.markdown.html import make_slug, make_unique, plain_text
from tenure.model.entries import Course, CustomEntry, Entry, Markdown, Person, Prose, Publication, Talk
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language
from tenure.model.overlays import Work
from tenure.model.people import is_by_person, is_past, resolve_reference_list
from tenure.model.roles import RANKS, find_rank, fold_role, name_role
from tenure.model.site import CitationStyleName, CollectionKind, SectionConfig, Site, View
from tenure.plan.kinds import LISTS, PAGE_LISTS, ListKind, find_list_title
from tenure.problems import Problems, find_similar_word, suggest_word
from tenure.record import Record, replace

ORDERS = ("written", "newest", "oldest")


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
    A list or a text on a page.

    An empty `title` shows no heading. `legend`: a legend explains the star for equal contribution.
    `whole`: projects with their texts. `abstracts`: publications with their abstracts.
    `full_list_path` is the page with the full list if this list is shortened; `total` counts the full list.
    `language` is "" if it equals the language of the page. `title_language` is the language of the title if it differs from `language`, else "".
    """

    id: str
    name: str
    kind: CollectionKind
    title: str
    intro: Markdown = Markdown("")
    listings: tuple[Listing, ...] = ()
    text: Prose | None = None
    legend: bool = False
    brief: bool = False
    whole: bool = False
    abstracts: bool = False
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
"""The number of people from which a role is a heading in any case."""


def make_section(
    site: Site, config: SectionConfig, page_kind: str, earlier_sections: Sequence[Section], problems: Problems
) -> Section | None:
    """Make a configured section; None if it would be empty. An unknown name is reported."""
    collection, t = site.collections.get(config.name), site.active_theme.translations
    if collection is None:
        known_names = {*site.collections, *PAGE_LISTS, "education", "experience", "about"}
        from_bib = {section.name for section in site.settings.bib_sections}
        if config.name not in known_names | from_bib and not has_source_file(config.name, problems):
            message, hint = f'content/ has no "{config.name}"', suggest_repair(config.name, known_names)
            problems.report("unknown-section", config.place_of("name"), message, hint)
        return None
    texts = collection.entries if collection.kind == "prose" else ()
    text = next((entry for entry in texts if isinstance(entry, Prose)), None)
    title = config.title
    if title is None and text is not None and text.name:
        title = Markdown(text.name)
    elif title is None:
        title = Markdown(find_list_title(site, config.name, "section"))
    title = Markdown(keep_field_html(title, has_blocks=False))
    anchors = {other.id for other in earlier_sections}
    anchors |= {listing.id for other in earlier_sections for listing in other.listings}
    anchors |= {item.id for other in earlier_sections for item in other.items}
    section = Section(
        id=make_unique(make_slug(plain_text(title)) or make_slug(config.name) or "section", anchors),
        name=config.name,
        kind=collection.kind,
        title=title,
        intro=config.intro,
        text=text,
    )
    language, is_title_in_language = collection.language, title == collection.title
    if text is not None:
        language, is_title_in_language = text.language, config.title is None
    else:
        config = _resolve_people_and_order(site, config, problems)
        earlier = [item for other in earlier_sections if other.name == config.name for item in other.items]
        entries = _select_entries(site, config, collection.entries, {id(item.entry) for item in earlier})
        counts = _select_counted_works(site, config, entries, problems)
        if counts and site.counts is not None:
            source = t["comma"].join([site.counts.service, site.counts.day.format_text(t, "long")])
            line = f"{t.format_labelled(t['citations'], source)}."
            section = replace(section, intro=Markdown("\n\n".join(filter(None, (config.intro, line)))))
        if entries:
            section = _fill_list(site, config, section, entries, counts, page_kind, earlier, anchors)
        if not section.listings:
            _report_empty_section(config, collection.entries, problems)
            return None
    page_language = site.settings.language
    if language in ("", page_language):
        return section
    title_language = Language("") if is_title_in_language else page_language
    return replace(section, language=language, title_language=title_language)


def _fill_list(
    site: Site,
    config: SectionConfig,
    section: Section,
    entries: Sequence[Entry],
    counts: Mapping[str, Work],
    page_kind: str,
    earlier_items: Sequence[ListItem],
    earlier_anchors: set[str],
) -> Section:
    """The section of a list with its entries, which have numbers, anchors and citation counts, in their groups."""
    name, collection = config.name, site.collections[config.name]
    shown_ids, anchors = {id(item.entry) for item in earlier_items}, earlier_anchors | {section.id}
    offset = max((item.number or 0 for item in earlier_items), default=0)
    is_counted = name == "publications" and page_kind in ("publications", "cv")
    numbering = config.number or ("descending" if is_counted else "none")
    items: list[ListItem] = []
    for position, entry in enumerate(entries):
        number = offset + (position + 1 if numbering == "ascending" else len(entries) - position)
        # an entry that is repeated on the page has an anchor only the first time
        anchor = "" if id(entry) in shown_ids or not entry.id else make_unique(entry.id, anchors)
        anchors.add(anchor)
        # the language of a publication applies only to its title, not to the whole item
        is_in_language = entry.language in ("", collection.language or site.settings.language)
        work = counts.get(entry.key) if isinstance(entry, Publication) else None
        items.append(
            ListItem(
                entry=entry,
                number=None if numbering == "none" else number,
                id=anchor,
                style=config.style,
                citations=(work.citations or None) if work else None,
                language=Language("" if is_in_language or isinstance(entry, Publication) else entry.language),
            )
        )
    kind = LISTS.get(name.casefold(), ListKind())
    grouping = config.group or (kind.group if page_kind == name else "none")
    is_cards = kind.view == "cards" or (kind.view == "photos" and any(entry.image for entry in entries))
    return replace(
        section,
        listings=_group_items(site, config, items, grouping, anchors),
        legend=any(
            entry.authors.has_equal_contribution for entry in entries if isinstance(entry, Publication)
        ),
        brief=config.brief,
        abstracts=config.abstracts,
        view=config.view or ("cards" if is_cards else "list"),
        grouped=grouping != "none",
        numbered=numbering != "none",
        total=len(collection.entries),
    )


def _resolve_people_and_order(site: Site, config: SectionConfig, problems: Problems) -> SectionConfig:
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
    is_current = config.show == "all" and LISTS.get(config.name, ListKind()).is_current
    return replace(config, by=(*ids, *everybody), show="current" if is_current else config.show)


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


def has_source_file(name: str, problems: Problems) -> bool:
    """Whether a source file of the collection was read, even if it has no valid entry."""
    return problems.has_source(*(f"content/{name}.{ending}" for ending in ("yaml", "yml", "md")))


_DROPPED_SECTIONS: Mapping[str, str] = {
    "statistics": "the section is gone: delete it, or write the numbers into content/statistics.md",
}
"""The hints for names of sections that an older version had."""


def suggest_repair(name: str, known_names: Iterable[str], also: str = "") -> str:
    """Suggest a repair for an unknown name: a similar name, or the file to write, after what is `also` possible."""
    hint = f"write {also}content/{name}.yaml or content/{name}.md"
    return _DROPPED_SECTIONS.get(name) or suggest_word(name, known_names, hint)


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


def _select_entries(
    site: Site, config: SectionConfig, entries: Sequence[Entry], shown_ids: set[int]
) -> list[Entry]:
    """
    The entries that match all filters of a section, in its order: by default newest first in groups by time and for dated courses.

    `shown_ids` are the entries of the earlier sections.
    """
    today, period_members = site.settings.updated, [p for p in site.people if p.id in config.by]

    def is_during_membership(entry: Entry) -> bool:
        """Whether an entry is from the time in which one of its people was a member, or from the year after."""
        for person in period_members:
            start, end = (person.date.start, person.date.end) if person.date else (None, None)
            first = start.year if start and start.year else 0
            last = end.year + 1 if end and end.year else 9999
            if is_by_person(entry, (person.id,)) and any(first <= y <= last for y in _entry_years(entry)):
                return True
        return False

    def is_included(entry: Entry) -> bool:
        tags = set(entry.tags)
        if isinstance(entry, Publication) and (
            (config.show == "first_author" and not entry.authors.owner_is_first)
            or (config.show == "selected" and not entry.selected)
        ):
            return False
        return (
            (config.show not in ("current", "past") or (config.show == "past") == is_past(entry, today))
            and not (config.past == "hide" and isinstance(entry, Person) and entry.has_left(today))
            and (not config.by or is_by_person(entry, config.by))
            and (config.during is None or is_during_membership(entry))
            and not (config.show == "rest" and id(entry) in shown_ids)
            and _is_from_named_files(entry, config)
            and (not config.kind or _entry_kind(entry) in config.kind)
            and (not config.tag or not tags.isdisjoint(config.tag))
            and tags.isdisjoint(config.without)
            and (not config.year or not set(config.year).isdisjoint(_entry_years(entry)))
        )

    selected = [*filter(is_included, entries)]
    order = next((name for name in config.order if name in ORDERS), "")
    is_dated = all(isinstance(entry, Course) and entry.entry_period for entry in selected)
    is_newest = order == "newest" or (not order and (config.group in ("year", "term") or is_dated))
    if is_newest or order == "oldest":
        undated = ((0, 0, 0), (0, 0, 0))
        selected.sort(key=lambda e: e.entry_period.sort_key if e.entry_period else undated, reverse=is_newest)
    return selected[: config.limit] if config.limit and config.name in site.collections else selected


def _is_from_named_files(entry: Entry, config: SectionConfig) -> bool:
    """Whether the section names no .bib files, or one of them (by its path or the end of it) has the entry."""
    file = entry.source.file
    return not config.bib or any(f"/{file}".endswith(f"/{name.removeprefix('./')}") for name in config.bib)


def _entry_years(entry: Entry) -> tuple[int, ...]:
    period = entry.entry_period
    dates = (period.start, period.end) if period else ()
    return tuple(date.year for date in dates if date and date.year is not None)


def _group_items(
    site: Site, config: SectionConfig, items: Sequence[ListItem], grouping: str, used_anchors: set[str]
) -> tuple[Listing, ...]:
    """
    The items in groups, each with a heading and a unique anchor.

    Former people are in the last group, unless the section shows only them.
    """
    today, t = site.settings.updated, site.active_theme.translations

    def is_former(item: ListItem) -> bool:
        return config.show != "past" and isinstance(item.entry, Person) and item.entry.has_left(today)

    current = [item for item in items if not is_former(item)]
    if grouping == "role":
        groups = _group_by_role(site, config, current)
    else:
        groups = _group_by_heading(site, current, grouping)
    listings: list[Listing] = []
    for listing in groups:
        anchor = make_unique(listing.id, used_anchors) if listing.id else ""
        used_anchors.add(anchor)
        listings.append(replace(listing, title=keep_field_html(listing.title, has_blocks=False), id=anchor))

    if former := [*filter(is_former, items)]:
        view: View = "table" if config.past is None or config.past == "hide" else config.past
        anchor = make_unique("alumni", used_anchors)
        listings.append(Listing(title=t["section_alumni"], id=anchor, items=tuple(former), view=view))
    return tuple(listings)


def _group_by_heading(site: Site, items: Iterable[ListItem], grouping: str) -> Iterator[Listing]:
    """The items by year, term or kind, in their order; one list without a heading if they are not grouped."""
    groups: dict[str, Listing] = {}
    for item in items:
        title, anchor = _group_heading(site, item.entry, grouping)
        group = groups.get(title, Listing(title=title, id=anchor, items=()))
        groups[title] = replace(group, items=(*group.items, item))
    yield from groups.values()


def _group_by_role(site: Site, config: SectionConfig, items: Iterable[ListItem]) -> Iterator[Listing]:
    """
    The items by their roles: a role of three or more has a heading, and so has each role below it.

    Before the first heading is one list of the others; those who have no role are its last.
    """
    groups: dict[str, list[ListItem]] = {}
    for item in items:
        groups.setdefault(fold_role(_entry_role(item)), []).append(item)
    written_roles = site.collections[config.name].order
    headings = {fold_role(role): role for role in written_roles}
    headings |= {fold_role(role): heading for role, heading in config.groups.headings.items()}

    first: list[ListItem] = []
    headed: list[Listing] = []
    for key in _sort_roles(groups, config.order or written_roles):
        group = groups[key]
        if not key or (len(group) < MIN_ROLE_GROUP and not headed):
            first += group
            continue
        role = _entry_role(group[0])
        title = headings.get(key) or _title_role(group, site.settings.language)
        anchor = f"role-{make_slug(plain_text(role))}"
        headed.append(Listing(title=title, id=anchor, items=tuple(group)))

    if first:
        yield Listing(title="", id="", items=tuple(first))
    yield from headed


def _sort_roles(groups: Mapping[str, Sequence[ListItem]], order: Sequence[str]) -> list[str]:
    """The roles of groups: first those in an order, then the others by rank; `written`: as in the file."""
    if set(order) & set(ORDERS):
        return list(groups)
    places = {fold_role(role): place for place, role in enumerate(order)}
    ranks = {key: RANKS.index(find_rank(_entry_role(group[0])) or "other") for key, group in groups.items()}
    return sorted(groups, key=lambda key: (places.get(key, len(places)), ranks[key]))


def _title_role(group: Sequence[ListItem], language: Language) -> str:
    """The heading of the people with one role: as all of them write it, or else its common name."""
    role = _entry_role(group[0])
    if any(_entry_role(item).casefold() != role.casefold() for item in group):
        role = name_role(role)
    return _pluralize_role(role, language) if len(group) > 1 else role


def _entry_role(item: ListItem) -> str:
    return item.entry.role if isinstance(item.entry, CustomEntry) else ""


def _pluralize_role(role: str, language: Language) -> str:
    """An English role in the plural: "PhD student" becomes "PhD students"; "Faculty" and "Head of IT" stay as written."""
    is_regular = re.fullmatch(r"(?:[\w.'’-]+ )*\w*(?<!s)(?<!y)(?<!staff)(?<!man)", role)
    if language.primary_subtag != "en" or not is_regular or {"of", "in", "and"} & set(role.split()):
        return role
    return f"{role}s"


def _group_heading(site: Site, entry: Entry, grouping: str) -> tuple[str, str]:
    """The heading of the group of an entry and its anchor; both are "" in a list without groups."""
    t = site.active_theme.translations
    if grouping == "none":
        return "", ""
    if grouping == "kind":
        kind, family = _entry_kind(entry), "talk" if isinstance(entry, Talk) else "kind"
        return t.get(f"{family}_{kind}", kind), f"kind-{make_slug(kind)}"
    if grouping == "term" and entry.entry_period:
        term = entry.entry_period.format_text(t)
        return term, f"term-{make_slug(term)}"
    years = _entry_years(entry)
    year = str(years[-1]) if years else t["undated"]
    return year, f"year-{make_slug(year)}"


def _entry_kind(entry: Entry) -> str:
    return entry.kind if isinstance(entry, Publication | Talk) else ""
