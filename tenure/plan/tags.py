"""Tags of posts and news with the sections of their pages, and the choices of the search form of publications."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tenure.markdown.html import make_slug
from tenure.model.entries import Entry, Markdown, Person, Publication
from tenure.model.people import is_by_person
from tenure.model.site import SectionConfig, Site
from tenure.record import Record

TAGGED_COLLECTIONS = ("posts", "news")
"""Collections whose tags have pages; the tags of publications are filters on the publications page."""

TAG_PAGE_ORDER = ("posts", "news", "publications", "projects", "talks")
"""Order of the sections on a tag's page; other collections follow, sorted by name."""

PERSON_PAGE_ORDER = ("publications", "projects", "talks", "awards", "teaching", "people", "news", "posts")
"""Order of the sections on a person's page; other collections follow, sorted by name."""


class PageTag(Record, kw_only=True):
    """A tag: its first spelling, all spellings, and the path of its page."""

    name: str
    spellings: tuple[str, ...]
    path: str


def collect_tags(site: Site) -> tuple[PageTag, ...]:
    """Tags that have a page, sorted by slug; spellings with the same slug are one tag."""
    spellings_by_slug: dict[str, list[str]] = {}
    for tag in _iterate_tag_names(site):
        spellings_by_slug.setdefault(make_slug(tag), []).append(tag)
    return tuple(
        PageTag(name=spellings[0], spellings=tuple(dict.fromkeys(spellings)), path=f"/tags/{name}/")
        for name, spellings in sorted(spellings_by_slug.items())
        if name
    )


def _iterate_tag_names(site: Site) -> Iterator[str]:
    """All tags of posts and news, then every spelling of them in other collections."""
    tag_names = [tag for name in TAGGED_COLLECTIONS for entry in site.entries_of(name) for tag in entry.tags]
    tag_slugs = {make_slug(tag) for tag in tag_names}
    yield from tag_names
    for entry in site.iterate_entries() if tag_slugs else ():
        yield from (tag for tag in entry.tags if make_slug(tag) in tag_slugs)


def map_tags_to_paths(site: Site) -> Mapping[str, str]:
    """Paths of the tags' pages by spelling."""
    return {spelling: tag.path for tag in collect_tags(site) for spelling in tag.spellings}


def person_page_sections(site: Site, person: Person) -> tuple[SectionConfig, ...]:
    """Sections of a person's page: one for each collection with publications of the person or entries that name the person."""
    is_advisor = any(person.id in other.advisors for other in site.people)
    advisees = Markdown(site.active_theme.translations["section_advisees"]) if is_advisor else None
    return tuple(
        SectionConfig(name=name, by=(person.id,), title=advisees, past="table")
        if name == "people"
        else SectionConfig(name=name, by=(person.id,))
        for name in sort_collections(site, PERSON_PAGE_ORDER)
        if any(is_by_person(entry, (person.id,)) for entry in site.entries_of(name))
    )


def sort_collections(site: Site, order: Sequence[str]) -> list[str]:
    """The names of the collections: those of the order first, then the others by name."""
    return sorted(
        site.collections, key=lambda name: (order.index(name) if name in order else len(order), name)
    )


def tag_page_sections(site: Site, tag: PageTag) -> tuple[SectionConfig, ...]:
    """Sections of a tag's page: one for each collection with tagged entries."""
    return tuple(
        SectionConfig(name=name, tag=tag.spellings)
        for name in sort_collections(site, TAG_PAGE_ORDER)
        if site.collections[name].kind != "prose"
        and any(set(tag.spellings) & set(entry.tags) for entry in site.entries_of(name))
    )


MAX_TOPICS = 24
"""Maximum number of topics in the filter of a list; a longer filter is hard to use."""


def count_topics(entries: Iterable[Entry]) -> tuple[tuple[str, int], ...]:
    """The MAX_TOPICS most common topics with their counts, by name; topics of one publication are omitted."""
    unique = {entry.id: entry for entry in entries}
    counts = Counter(tag.casefold() for entry in unique.values() for tag in dict.fromkeys(entry.tags))
    common = [(topic, count) for topic, count in counts.most_common(MAX_TOPICS) if count > 1]
    spellings = {tag.casefold(): tag for entry in reversed(unique.values()) for tag in entry.tags}
    return tuple(sorted((spellings[topic], count) for topic, count in common))


def count_members(entries: Iterable[Entry]) -> dict[str, int]:
    """The numbers of publications by the ids of their authors who are people of the site; those of one publication are omitted."""
    unique = {entry.id: entry for entry in entries if isinstance(entry, Publication)}
    counts = Counter(
        author
        for entry in unique.values()
        for author in {author.person for author in entry.authors.people if author.person}
    )
    return {author: count for author, count in counts.items() if count > 1}
