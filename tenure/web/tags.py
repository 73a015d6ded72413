"""Tags of posts and news, and the sections of a tag's page."""

from collections.abc import Iterator, Mapping

from tenure.frozen import dataclass
from tenure.model.site import SectionWish, Site
from tenure.text import slug

TAGGED = ("posts", "news")
"""Collections whose tags have pages; the tags of publications are filters on the publications page."""

FIRST = ("posts", "news", "publications", "projects", "talks")
"""Order of the sections on a tag's page; other collections follow, sorted by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag: its first spelling, all spellings, and the path of its page."""

    name: str
    spellings: tuple[str, ...]
    path: str


def tags_of(site: Site) -> tuple[Tag, ...]:
    """Tags that have a page, sorted by slug; spellings with the same slug are one tag."""
    spelled: dict[str, list[str]] = {}
    for tag in _tags(site):
        spelled.setdefault(slug(tag), []).append(tag)
    return tuple(
        Tag(name=spellings[0], spellings=tuple(dict.fromkeys(spellings)), path=f"/tags/{name}/")
        for name, spellings in sorted(spelled.items())
        if name
    )


def _tags(site: Site) -> Iterator[str]:
    """All tags of posts and news, then every spelling of them in other collections."""
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
    """Paths of the tags' pages by spelling."""
    return {spelling: tag.path for tag in tags_of(site) for spelling in tag.spellings}


def wishes(site: Site, tag: Tag) -> tuple[SectionWish, ...]:
    """Sections of a tag's page: one for each collection with tagged entries."""
    names = sorted(
        site.collections, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name)
    )
    return tuple(
        SectionWish(name=name, tag=tag.spellings)
        for name in names
        if site.collections[name].kind != "prose"
        and any(set(tag.spellings) & set(entry.tags) for entry in site.collections[name].entries)
    )
