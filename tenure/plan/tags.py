"""
Tags of posts and news with the paths of their pages, and the choices of the search form of publications.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from tenure.markdown.html import make_slug
from tenure.model.entries import Entry, Publication
from tenure.model.site import Site
from tenure.record import Record

TAGGED_COLLECTIONS = ("posts", "news")
"""Collections whose tags have pages; the tags of publications are filters on the publications page."""


class PageTag(Record, kw_only=True):
    """A tag: its first spelling, all spellings, and the path of its page."""

    name: str
    spellings: tuple[str, ...]
    path: str


def collect_tags(site: Site) -> tuple[PageTag, ...]:
    """The tags of posts and news, sorted by slug; spellings with one slug, in any list, are one tag."""
    names = [tag for name in TAGGED_COLLECTIONS for entry in site.entries_of(name) for tag in entry.tags]
    spellings_by_slug: dict[str, list[str]] = {}
    for tag in names:
        spellings_by_slug.setdefault(make_slug(tag), []).append(tag)
    for entry in site.iterate_entries() if names else ():
        for tag in entry.tags:
            spellings_by_slug.get(make_slug(tag), []).append(tag)
    return tuple(
        PageTag(name=spellings[0], spellings=tuple(dict.fromkeys(spellings)), path=f"/tags/{name}/")
        for name, spellings in sorted(spellings_by_slug.items())
        if name
    )


def map_tags_to_paths(site: Site) -> Mapping[str, str]:
    """Paths of the tags' pages by spelling."""
    return {spelling: tag.path for tag in collect_tags(site) for spelling in tag.spellings}


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
    """The numbers of publications by the ids of people of the site; those of one publication are omitted."""
    unique = {entry.id: entry for entry in entries if isinstance(entry, Publication)}
    counts: Counter[str] = Counter()
    for entry in unique.values():
        counts.update({author.person for author in entry.authors.people if author.person})
    return {author: count for author, count in counts.items() if count > 1}
