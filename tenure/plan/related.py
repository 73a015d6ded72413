"""Related content of a publication: entries that mention it, and similar publications."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from tenure.model.dates import Period
from tenure.model.entries import Entry, Markdown, Publication
from tenure.model.names import Name
from tenure.model.site import Collection, Site
from tenure.plan.citations import CitationLibrary
from tenure.record import dataclass

MAX_SIMILAR = 4
"""Maximum number of similar publications shown."""

MAX_TRAIT_SIZE = 24
"""A trait that more publications share is ignored: it does not make any two of them similar."""

MANY_AUTHORS = 30
"""The authors of a publication with this many or more are ignored: they need not know each other."""

SINGLE_SUBJECT_COLLECTIONS = ("projects", "talks", "posts")
"""Collections whose entries have a single subject, unlike a position of five years."""

TRAIT_WEIGHTS: Mapping[str, tuple[int, int]] = {"entry": (4000, 2), "topic": (3000, 2), "person": (2000, 1)}
"""For each kind of trait its weight, divided among the publications that share it, and its points; 2 points mean similar."""

SUFFICIENT_POINTS_MASK = 0xFE
"""Selects the points in the lowest byte of a score, without the lowest bit: one point is not enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLink:
    """A link in a list: "#anchor" or a path, its title, its period, and a label of its kind ("Talks", "SOSP '24")."""

    title: Markdown
    path: str
    when: Period | None = None
    kind: str = ""


def find_backlinks(
    site: Site,
    section_urls: Mapping[tuple[str, str], str],
    library: CitationLibrary,
    url_of: Callable[[Entry], str],
) -> dict[str, list[PageLink]]:
    """For each publication's key, links to the projects, talks, posts and pages that name or cite it."""
    backlinks: dict[str, list[PageLink]] = {}
    for name, collection in site.collections.items():
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
                kind=_collection_label(site, name, collection),
            )
            for key in dict.fromkeys((*entry.publications, *cited_keys)):
                backlinks.setdefault(key, []).append(link)
    return backlinks


def _collection_label(site: Site, name: str, collection: Collection) -> str:
    translations = site.active_theme.translations
    label_key = "pages" if collection.kind == "prose" else name
    fallback = name[:1].upper() + name[1:].replace("-", " ").replace("_", " ")
    return (
        collection.title
        or translations.get(f"section_{label_key}")
        or translations.get(f"page_{label_key}")
        or fallback
    )


def find_similar(site: Site) -> dict[str, tuple[Publication, ...]]:
    """
    For each publication's id the most similar publications, best first; ties keep the order of the list.

    Two publications are similar if they share a topic, if one project, talk or post names both, or if they have two
    co-authors in common besides the owner of the site. The fewer publications share a trait, the more it weighs.
    """
    publications = [publication for publication in site.publications if publication.page]
    numbers_by_trait: dict[tuple[str, str], list[int]] = {}
    for number, publication in enumerate(publications):
        for trait in dict.fromkeys(_publication_traits(publication)):
            numbers_by_trait.setdefault(trait, []).append(number)
    numbers_by_trait |= _find_shared_mentions(site, publications)
    all_scores: list[dict[int, int]] = [{} for _ in publications]
    for (kind, _), numbers in numbers_by_trait.items():
        if 1 < len(numbers) <= MAX_TRAIT_SIZE:
            weight, points = TRAIT_WEIGHTS[kind]
            value = (weight // len(numbers) << 8) + points
            for first in numbers:
                scores = all_scores[first]
                for second in numbers:
                    scores[second] = scores.get(second, 0) + value
    return {
        publication.id: tuple(publications[second] for second in _rank_similar(number, all_scores[number]))
        for number, publication in enumerate(publications)
        if all_scores[number]
    }


def _rank_similar(number: int, scores: Mapping[int, int]) -> list[int]:
    ranked = [
        (-(value >> 8), index)
        for index, value in scores.items()
        if value & SUFFICIENT_POINTS_MASK and index != number
    ]
    return [index for _, index in sorted(ranked)[:MAX_SIMILAR]]


@lru_cache(maxsize=20_000)
def _casefold_name(name: Name) -> str:
    """The name for comparison; cached, because a co-author occurs in many publications."""
    return name.full_name.casefold()


def _publication_traits(publication: Publication) -> Iterator[tuple[str, str]]:
    for tag in publication.tags:
        yield "topic", tag.casefold()
    people = publication.authors.people
    if len(people) < MANY_AUTHORS:
        for author in people:
            if not author.me:
                yield "person", _casefold_name(author.name)


def _find_shared_mentions(
    site: Site, publications: Sequence[Publication]
) -> dict[tuple[str, str], list[int]]:
    """The publications that one project, talk or post names."""
    numbers = {
        key: number
        for number, publication in enumerate(publications)
        for key in (publication.key, *publication.preprints)
    }
    numbers_by_trait: dict[tuple[str, str], list[int]] = {}
    for name in SINGLE_SUBJECT_COLLECTIONS:
        for entry in site.collections[name].entries if name in site.collections else ():
            mentioned_numbers = sorted({numbers[key] for key in entry.publications if key in numbers})
            if len(mentioned_numbers) > 1:
                numbers_by_trait["entry", f"{name} {entry.id}"] = mentioned_numbers
    return numbers_by_trait
