"""
Sections of a page: the selected entries of a collection, their groups and their numbers.

The objects: a Section has Listings, which are groups with a heading, "2024"; a Listing has ListItems, which
are entries with a number and an anchor. A SectionConfig is what site.yaml says of a section.
A brief section shows only the heads of its entries; a legend explains the star of authors.
"""

import re
from collections.abc import Collection as Values
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.markdown.html import make_slug, make_unique, plain_text
from tenure.model.dates import Date, Period
from tenure.model.entries import Course, CustomEntry, Entry, Markdown, Person, Prose, Publication, Talk
from tenure.model.field_html import keep_field_html
from tenure.model.languages import Language
from tenure.model.overlays import Work
from tenure.model.people import is_by_person, is_past, resolve_reference_list
from tenure.model.roles import RANKS, find_rank, fold_role, name_role
from tenure.model.site import CitationStyleName, Collection, CollectionKind, SectionConfig, Site, View
from tenure.plan.kinds import LISTS, PAGE_LISTS, ListKind, find_list_title
from tenure.problems import Problems, find_similar_word, suggest_word
from tenure.record import Record, replace

ORDERS = ("written", "newest", "oldest")


class ListItem(Record, kw_only=True):
    """
    An entry in a list; `number` is shown as [n], `id` is its anchor on the page or "".

    `language` is "" if it equals the language of the section. `style` is the citation style of a publication,
    or None. `citations` is how often it is cited, if the section shows that.
    """

    entry: Entry
    number: int | None = None
    id: str = ""
    style: CitationStyleName | None = None
    citations: int | None = None
    language: Language = Language("")


class Listing(Record, kw_only=True):
    """
    A group of a section: its heading ("2024", or "") and its items; `view` differs from that of the section.
    """

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
    `language` is "" if it equals the language of the page. `title_language` is the language of the title if
    it differs from `language`, else "".
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


def make_section(
    site: Site, config: SectionConfig, page_kind: str, earlier_sections: Sequence[Section], problems: Problems
) -> Section | None:
    """
    Make a configured section; None if it would be empty. An unknown name is reported.

    `earlier_sections` are those above it on the page: their anchors are taken, and numbers go on from theirs.
    """
    collection = site.collections.get(config.name)
    if collection is None:
        _report_unknown_name(site, config, problems)
        return None

    text = _find_text(collection)
    title = _find_title(site, config, text)
    anchors = set[str]().union(*map(_list_anchors, earlier_sections))
    section = Section(
        id=make_unique(make_slug(plain_text(title)) or make_slug(config.name) or "section", anchors),
        name=config.name,
        kind=collection.kind,
        title=title,
        intro=config.intro,
        text=text,
    )

    language = (text or collection).language
    if language not in ("", site.settings.language):
        # titles that the program or site.yaml gives are in the language of the page
        has_own_title = config.title is not None if text else title != collection.title
        title_language = site.settings.language if has_own_title else Language("")
        section = replace(section, language=language, title_language=title_language)
    if text:
        return section

    _report_unknown_order(config, problems)
    config = _resolve_filters(site, config, problems)
    earlier = [item for other in earlier_sections if other.name == config.name for item in other.items]
    entries = _select_entries(site, config, collection.entries, {id(item.entry) for item in earlier})
    counts = _select_counted_works(site, config, entries, problems)
    if counts:
        section = replace(section, intro=_name_source_of_counts(site, config.intro))

    if not entries:
        _report_empty_section(config, collection.entries, problems)
        return None
    return _fill_list(site, config, section, entries, counts, page_kind, earlier, anchors)


def _list_anchors(section: Section) -> set[str]:
    """The anchors of a section, of its groups and of its items."""
    groups = (listing.id for listing in section.listings)
    return {section.id, *groups, *(item.id for item in section.items)}


def _report_unknown_name(site: Site, config: SectionConfig, problems: Problems) -> None:
    """
    Report a name that no file could have; "talks" is known, and is left out as long as there are none.

    "education" of site.yaml is reported if the site has "education-list", as an import names it; but an
    imported "publications-list" waits for a .bib file.
    """
    known_names = {*site.collections, *PAGE_LISTS, "education", "experience", "about"}
    from_bib = {section.name for section in site.settings.bib_sections}
    own_name = f"{config.name}-list"
    is_renamed = bool(config.source.file) and own_name in site.collections and config.name != "publications"
    is_known = config.name in known_names | from_bib and not is_renamed
    if not is_known and not has_source_file(config.name, problems):
        message = f'content/ has no "{config.name}"'
        hint = suggest_repair(config.name, {own_name} if is_renamed else known_names)
        problems.report("unknown-section", config.place_of("name"), message, hint)


def _find_text(collection: Collection) -> Prose | None:
    """The text of a collection such as about.md; None for a list."""
    if collection.kind != "prose":
        return None
    return next((entry for entry in collection.entries if isinstance(entry, Prose)), None)


def _find_title(site: Site, config: SectionConfig, text: Prose | None) -> Markdown:
    """The title that the section has in site.yaml, or else that of its text or of its list."""
    title: str | None = config.title
    if title is None and text is not None:
        title = text.name or None
    if title is None:
        title = find_list_title(site, config.name, "section")
    return Markdown(keep_field_html(title, has_blocks=False))


def _name_source_of_counts(site: Site, intro: Markdown) -> Markdown:
    """The intro, and below it who counted the citations, and when: "Citations: OpenAlex, 1 May 2026."."""
    t = site.active_theme.translations
    counts = site.counts
    if counts is None:
        return intro
    source = t["comma"].join([counts.service, counts.day.format_text(t, "long")])
    line = f"{t.format_labelled(t['citations'], source)}."
    return Markdown("\n\n".join(filter(None, (intro, line))))


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
    """
    The section of a list with its entries in groups, each with a number, an anchor and its citation count.
    """
    name = config.name
    kind = LISTS.get(name.casefold(), ListKind())
    grouping = config.group or (kind.group if page_kind == name else "none")
    numbering = config.number or _choose_numbering(name, page_kind)

    # the numbers go on from those of the earlier sections with this list
    last = max((item.number or 0 for item in earlier_items), default=0)
    numbers = [*range(last + 1, last + 1 + len(entries))]
    if numbering == "descending":
        numbers.reverse()

    anchors = earlier_anchors | {section.id}
    shown_ids = {id(item.entry) for item in earlier_items}
    items: list[ListItem] = []
    for entry, number in zip(entries, numbers, strict=True):
        # an entry that is repeated on the page has an anchor only the first time
        anchor = ""
        if id(entry) not in shown_ids:
            anchor = _take_anchor(entry.id, anchors)
        items.append(
            ListItem(
                entry=entry,
                number=None if numbering == "none" else number,
                id=anchor,
                style=config.style,
                citations=_count_citations(entry, counts),
                language=_find_item_language(site, name, entry),
            )
        )

    papers = (entry for entry in entries if isinstance(entry, Publication))
    return replace(
        section,
        listings=_group_items(site, config, items, grouping, anchors),
        legend=any(paper.authors.has_equal_contribution for paper in papers),
        brief=config.brief,
        abstracts=config.abstracts,
        view=config.view or _find_view(kind, entries),
        grouped=grouping != "none",
        numbered=numbering != "none",
        total=len(site.collections[name].entries),
    )


def _choose_numbering(name: str, page_kind: str) -> str:
    """How a section without `number` is numbered: publications on their page and in the CV from the last."""
    is_counted = name == "publications" and page_kind in ("publications", "cv")
    return "descending" if is_counted else "none"


def _take_anchor(name: str, used_anchors: set[str]) -> str:
    """An anchor that is not used yet, which is used now: "2024", then "2024-2"; "" without a name."""
    if not name:
        return ""
    anchor = make_unique(name, used_anchors)
    used_anchors.add(anchor)
    return anchor


def _count_citations(entry: Entry, counts: Mapping[str, Work]) -> int | None:
    """How often a publication is cited; None if it is not, or if nothing is known of it."""
    if not isinstance(entry, Publication) or entry.key not in counts:
        return None
    return counts[entry.key].citations or None


def _find_item_language(site: Site, name: str, entry: Entry) -> Language:
    """The language of an item, if it is not that of its list."""
    list_language = site.collections[name].language or site.settings.language
    # the language of a publication applies only to its title
    if isinstance(entry, Publication) or entry.language == list_language:
        return Language("")
    return entry.language


def _find_view(kind: ListKind, entries: Iterable[Entry]) -> View:
    """Cards for people, and for former people if there is a photo of one."""
    if kind.view == "cards" or (kind.view == "photos" and any(entry.image for entry in entries)):
        return "cards"
    return "list"


def _resolve_filters(site: Site, config: SectionConfig, problems: Problems) -> SectionConfig:
    """The section with its default filters, and with ids of people in `by`."""
    # openings that have ended are left out unless the section asks for them
    if config.show == "all" and LISTS.get(config.name, ListKind()).is_current:
        config = replace(config, show="current")

    by = config.by
    if config.during and not by:
        by = ("people",)
    named = [text for text in by if text != "people"]
    ids = resolve_reference_list(config, "by", named, site.people, problems)
    if "people" in by:
        ids += tuple(person.id for person in site.people)
    return replace(config, by=ids)


def _report_unknown_order(config: SectionConfig, problems: Problems) -> None:
    """Report an order that does not exist; for people, and for groups by role, it names roles."""
    unknown = [name for name in config.order if name not in ORDERS]
    if unknown and config.name != "people" and config.group != "role":
        near = find_similar_word(unknown[0], ORDERS) or "written"
        message = f'"{unknown[0]}" is no order of "{config.name}"'
        place = config.item_place_of("order", unknown[0])
        problems.report("bad-value", place, message, f'write "{near}"')


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
    """A repair for an unknown name: a similar name, or the file to write, after what is `also` possible."""
    hint = f"write {also}content/{name}.yaml or content/{name}.md"
    return _DROPPED_SECTIONS.get(name) or suggest_word(name, known_names, hint)


def _report_empty_section(config: SectionConfig, entries: Sequence[Entry], problems: Problems) -> None:
    """Report that the filters of a section of site.yaml match no entry; a list of openings may be empty."""
    is_expected = config.show in ("current", "past")
    if is_expected or not config.source.file or not any(_is_from_named_files(e, config) for e in entries):
        return
    message = f'the filters of "{config.name}" match no entry'
    hint = _suggest_filter(config, entries)
    problems.report("empty-section", config.place_of("name"), message, hint)


def _suggest_filter(config: SectionConfig, entries: Sequence[Entry]) -> str:
    """
    A value that the filter of an empty section could have, or how to mark entries for it; "" if nothing is
    known.

    tag: thoery -> did you mean "theory"; kind: x -> kinds here: invited, poster
    """
    tags = sorted({tag for entry in entries for tag in entry.tags})
    kinds = sorted({*map(_entry_kind, entries)} - {""})
    for wanted, available, key in ((config.tag, tags, "tags"), (config.kind, kinds, "kinds")):
        if not _has_one(wanted, available):
            listed = f"no entry here has {key}"
            if available:
                listed = f"{key} here: {', '.join(available[:6])}"
            return suggest_word(wanted[0], available, listed)

    if config.show == "first_author":
        return "give every spelling of your name under aliases: in content/profile.yaml"
    if config.show == "selected" and isinstance(entries[0], Publication):
        return "mark papers in the .bib file with selected = {true}"
    return ""


def _select_entries(
    site: Site, config: SectionConfig, entries: Sequence[Entry], shown_ids: set[int]
) -> list[Entry]:
    """The entries that match all filters of a section, in its order; `shown_ids` are above it on the page."""

    def matches(entry: Entry) -> bool:
        # show: rest has what the sections above leave
        is_repeated = config.show == "rest" and id(entry) in shown_ids
        if is_repeated or not _is_shown(entry, config, site.settings.updated):
            return False
        if config.during is not None and not _is_during_membership(entry, site.people, config):
            return False
        return _has_filtered_values(entry, config)

    selected = [*filter(matches, entries)]
    order = _find_order(config, selected)
    # an entry without a date is the oldest, but the newest among papers that are in press
    if order != "written":
        papers = [entry for entry in selected if isinstance(entry, Publication) and not entry.entry_period]
        undated = Period(ongoing=any(paper.status for paper in papers))
        selected.sort(key=lambda e: (e.entry_period or undated).sort_key, reverse=order == "newest")
    if config.limit and config.name in site.collections:
        return selected[: config.limit]
    return selected


def _is_shown(entry: Entry, config: SectionConfig, today: Date | None) -> bool:
    """Whether `show` and `past` of a section leave an entry in it; some values are only for publications."""
    if config.past == "hide" and _has_left(entry, today):
        return False
    match config.show:
        case "current":
            return not is_past(entry, today)
        case "past":
            return is_past(entry, today)
        case "first_author":
            return not isinstance(entry, Publication) or entry.authors.owner_is_first
        case "selected":
            return not isinstance(entry, Publication) or entry.selected
    return True


def _has_left(entry: Entry, today: Date | None) -> bool:
    """Whether a person has left the group."""
    return isinstance(entry, Person) and entry.has_left(today)


def _has_filtered_values(entry: Entry, config: SectionConfig) -> bool:
    """Whether an entry has one of the values of each filter, and none that the section excludes."""
    return (
        _is_from_named_files(entry, config)
        and (not config.by or is_by_person(entry, config.by))
        and _has_one(config.kind, [_entry_kind(entry)])
        and _has_one(config.tag, entry.tags)
        and _has_one(config.year, _entry_years(entry))
        and set(config.without).isdisjoint(entry.tags)
    )


def _has_one(wanted: Values[object], values: Iterable[object]) -> bool:
    """Whether one of the wanted values is there; a filter that wants none has no say."""
    return not wanted or not set(wanted).isdisjoint(values)


def _is_during_membership(entry: Entry, people: Iterable[Person], config: SectionConfig) -> bool:
    """Whether an entry is from the time in which one of its people was a member, or from the year after."""
    members = [person for person in people if person.id in config.by and is_by_person(entry, (person.id,))]
    return any(year in _membership_years(person) for person in members for year in _entry_years(entry))


def _membership_years(person: Person) -> range:
    """The years of a member, and the one after; without dates, all years."""
    period = person.date or Period()
    first = last = None
    if period.start:
        first = period.start.year
    if period.end:
        last = period.end.year
    # 2020 to 2024 -> 2020, …, 2025
    return range(first or 0, (last or 9998) + 2)


def _find_order(config: SectionConfig, entries: Iterable[Entry]) -> str:
    """The order of a section: by default newest first in groups by time and for dated courses."""
    order = next((name for name in config.order if name in ORDERS), "")
    if order:
        return order
    is_dated = all(isinstance(entry, Course) and entry.entry_period for entry in entries)
    if is_dated or config.group in ("year", "term"):
        return "newest"
    return "written"


def _is_from_named_files(entry: Entry, config: SectionConfig) -> bool:
    """Whether the entry is from one of the .bib files of a section: bib/press.bib is also named press.bib."""
    file = entry.source.file
    return not config.bib or any(f"/{file}".endswith(f"/{name.removeprefix('./')}") for name in config.bib)


def _entry_years(entry: Entry) -> tuple[int, ...]:
    """The years in which an entry begins and ends: 2022 and 2024."""
    period = entry.entry_period or Period()
    return tuple(date.year for date in (period.start, period.end) if date and date.year is not None)


def _group_items(
    site: Site, config: SectionConfig, items: Sequence[ListItem], grouping: str, used_anchors: set[str]
) -> tuple[Listing, ...]:
    """
    The items in groups, each with a heading and a unique anchor.

    Former people are in the last group, unless the section shows only them.
    """
    # only people can be former
    former: list[ListItem] = []
    current: list[ListItem] = []
    for item in items:
        is_former = config.show != "past" and _has_left(item.entry, site.settings.updated)
        (former if is_former else current).append(item)
    if grouping == "role":
        groups = _group_by_role(site, config, current)
    else:
        groups = _group_by_heading(site, current, grouping)

    listings: list[Listing] = []
    for listing in groups:
        title = keep_field_html(listing.title, has_blocks=False)
        listings.append(replace(listing, title=title, id=_take_anchor(listing.id, used_anchors)))

    if former:
        view: View = "list" if config.past is None or config.past == "hide" else config.past
        title = site.active_theme.translations["section_alumni"]
        anchor = make_unique("alumni", used_anchors)
        listings.append(Listing(title=title, id=anchor, items=tuple(former), view=view))
    return tuple(listings)


def _group_by_heading(site: Site, items: Iterable[ListItem], grouping: str) -> Iterator[Listing]:
    """The items by year, term or kind, in their order; one list without a heading if they are not grouped."""
    groups: dict[str, Listing] = {}
    for item in items:
        title, anchor = _group_heading(site, item.entry, grouping)
        group = groups.get(title, Listing(title=title, id=anchor, items=()))
        groups[title] = replace(group, items=(*group.items, item))
    yield from groups.values()


MIN_ROLE_GROUP = 3
"""The number of people from which a role is a heading in any case."""


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
        has_heading = key and (headed or len(group) >= MIN_ROLE_GROUP)
        if not has_heading:
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
    """The role of a person or of an entry of a list; "" for others."""
    return item.entry.role if isinstance(item.entry, CustomEntry) else ""


def _pluralize_role(role: str, language: Language) -> str:
    """An English role in the plural: "PhD student" -> "PhD students"; "Faculty" and "Head of IT" stay."""
    # not "Emeritus", "Faculty", "Support staff" or "Chairman"
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
        kind = _entry_kind(entry)
        family = "talk" if isinstance(entry, Talk) else "kind"
        return t.get(f"{family}_{kind}", kind), f"kind-{make_slug(kind)}"
    if grouping == "term" and entry.entry_period:
        term = entry.entry_period.format_text(t)
        return term, f"term-{make_slug(term)}"
    years = _entry_years(entry)
    year = str(years[-1]) if years else t["undated"]
    return year, f"year-{make_slug(year)}"


def _entry_kind(entry: Entry) -> str:
    """The kind by which publications and talks are filtered and grouped; "" for others."""
    return entry.kind if isinstance(entry, Publication | Talk) else ""
