"""
Related content: entries that mention a publication, similar publications, neighbouring posts, and tags.

A tag of posts and news has a page; those of publications are choices of their search form.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations

from tenure.markdown.html import make_slug
from tenure.model.dates import Period
from tenure.model.entries import Entry, Markdown, Post, Publication
from tenure.model.languages import Language
from tenure.model.site import Site
from tenure.plan.citations import CitationLibrary
from tenure.plan.kinds import find_list_title
from tenure.problems import Place
from tenure.record import Record

MAX_SIMILAR = 4
"""Maximum number of similar publications shown."""

MAX_SHARED = 24
"""A tag or person that more publications share is ignored: it does not make any two of them similar."""

MANY_AUTHORS = 30
"""
The co-authors of a publication with this many authors or more are ignored: they need not know each other.
"""

TAG_POINTS = 100
COAUTHOR_POINTS = 1
SUFFICIENT_POINTS = 2
"""The points that make two publications similar: those of a shared tag, or of two co-authors."""


class PageLink(Record, kw_only=True):
    """A link in a list: "#anchor" or a path, its title, its period, and a label of its kind: "Talks"."""

    title: Markdown
    path: str
    when: Period | None = None
    kind: str = ""


class PageVersion(Record):
    """A page in one of the languages of the site; `path` begins with its tag, "/en/talks/", in each."""

    language: Language
    path: str


def find_backlinks(
    site: Site,
    section_urls: Mapping[tuple[Place, str], str],
    library: CitationLibrary,
    url_of: Callable[[Entry], str],
) -> dict[str, list[PageLink]]:
    """
    For each publication's key, links to the projects, talks, posts and pages that name or cite it.

    {"lee2024": [the link to the talk that names it]}. The link leads to the page of the entry by `url_of`, or
    else to its anchor by `section_urls`, the URLs by place and id; an entry without both is left out.
    `library` finds the publications that the texts of an entry cite.
    """
    backlinks: dict[str, list[PageLink]] = {}
    for name, collection in site.collections.items():
        list_name = "pages" if collection.kind == "prose" else name
        for entry in collection.entries:
            path = url_of(entry) or section_urls.get((entry.source, entry.id), "")
            if not path:
                continue
            cited_keys = [publication.key for publication in library.find_cited_publications(entry)]
            title = Markdown(
                library.render_without_links(entry.name) or entry.id.replace("-", " ").capitalize()
            )
            link = PageLink(
                title=title,
                path=path,
                when=entry.entry_period,
                kind=find_list_title(site, list_name, "section", "page"),
            )
            for key in dict.fromkeys((*entry.publications, *cited_keys)):
                backlinks.setdefault(key, []).append(link)

    return backlinks


def find_similar(site: Site) -> dict[str, tuple[Publication, ...]]:
    """
    For each publication's id the most similar publications, best first; ties keep the order of the list.

    Two publications are similar if they share a tag, or two co-authors besides the owner of the site.
    Publications with more tags in common come first, then those with more co-authors in common.
    """
    publications = [publication for publication in site.publications if publication.page]
    # a trait is a tag or a co-author with its points; publications with one trait are similar by its points
    numbers_by_trait: dict[tuple[int, str], list[int]] = {}
    for number, publication in enumerate(publications):
        for trait in set(_iterate_traits(publication)):
            numbers_by_trait.setdefault(trait, []).append(number)

    all_points = [Counter[int]() for _ in publications]
    for (points, _), numbers in numbers_by_trait.items():
        if len(numbers) <= MAX_SHARED:
            for first, second in permutations(numbers, 2):
                all_points[first][second] += points

    similar: dict[str, tuple[Publication, ...]] = {}
    for publication, points_of in zip(publications, all_points, strict=True):
        sufficient = [other for other in points_of if points_of[other] >= SUFFICIENT_POINTS]
        # most points first, then the order of the list
        best = sorted(sufficient, key=lambda other: (-points_of[other], other))[:MAX_SIMILAR]
        similar[publication.id] = tuple(publications[other] for other in best)
    return similar


def _iterate_traits(publication: Publication) -> Iterator[tuple[int, str]]:
    """The tags and co-authors of a publication, each with its points."""
    for tag in publication.tags:
        yield TAG_POINTS, tag.casefold()
    if len(publication.authors.people) < MANY_AUTHORS:
        for author in publication.authors.people:
            if not author.me:
                yield COAUTHOR_POINTS, author.name.full_name.casefold()


def link_neighbouring_posts(
    entries: Sequence[Entry], find_path: Callable[[Entry], str]
) -> tuple[dict[int, PageLink], dict[int, PageLink]]:
    """
    The earlier and the later post of each post, by its id(); posts without a date are before all others.
    """
    undated = ((0, 0, 0), (0, 0, 0))
    posts = sorted(
        (entry for entry in entries if isinstance(entry, Post)),
        key=lambda post: post.date.sort_key if post.date else undated,
    )
    links = [PageLink(title=post.title, path=find_path(post)) for post in posts]
    earlier = {id(post): link for post, link in zip(posts[1:], links, strict=False)}
    return earlier, {id(post): link for post, link in zip(posts, links[1:], strict=False)}


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
    if not names:
        return ()
    spellings_by_slug: dict[str, list[str]] = {}
    for tag in names:
        spellings_by_slug.setdefault(make_slug(tag), []).append(tag)
    # the spellings in other lists; a tag that only those have is none
    for entry in site.iterate_entries():
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
