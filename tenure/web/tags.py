"""Tags of posts and news, and the pages that gather what bears one."""

from collections.abc import Iterator, Mapping

from tenure.frozen import dataclass
from tenure.model.site import SectionWish, Site
from tenure.text import slug

TAGGED = ("posts", "news")
"""Whose tags have pages; the tags of publications are facets of their own page."""

FIRST = ("posts", "news", "publications", "projects", "talks")
"""The order of a tag's page; other collections follow in the order of their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag as it is spelled first, every spelling of it, and the path of its page."""

    name: str
    spellings: tuple[str, ...]
    path: str


def tags_of(site: Site) -> tuple[Tag, ...]:
    """The tags that have a page, by name; spellings that differ in case or signs alone are one tag."""
    spelled: dict[str, list[str]] = {}
    for tag in _tags(site):
        spelled.setdefault(slug(tag), []).append(tag)
    return tuple(
        Tag(name=spellings[0], spellings=tuple(dict.fromkeys(spellings)), path=f"/tags/{name}/")
        for name, spellings in sorted(spelled.items())
        if name
    )


def _tags(site: Site) -> Iterator[str]:
    """Every tag of every entry whose words a post or a line of news has."""
    own = [
        tag
        for name in TAGGED
        if name in site.collections
        for e in site.collections[name].entries
        for tag in e.tags
    ]
    wanted = {slug(tag) for tag in own}
    yield from own
    if wanted:
        for collection in site.collections.values():
            for entry in collection.entries:
                yield from (tag for tag in entry.tags if slug(tag) in wanted)


def paths_of(site: Site) -> Mapping[str, str]:
    """The path of each tag's page, by every spelling."""
    return {spelling: tag.path for tag in tags_of(site) for spelling in tag.spellings}


def wishes(site: Site, tag: Tag) -> tuple[SectionWish, ...]:
    """The sections of a tag's page: all that bears it, collection by collection."""
    names = sorted(
        site.collections, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)
    )
    return tuple(
        SectionWish(name=name, tag=tag.spellings)
        for name in names
        if site.collections[name].kind != "prose"
        and any(set(tag.spellings) & set(entry.tags) for entry in site.collections[name].entries)
    )
