"""Related content of a publication: entries that mention it, and similar publications."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from tenure.frozen import dataclass
from tenure.model.dates import Period
from tenure.model.names import Name
from tenure.model.scholar import Entry, Markdown, Publication
from tenure.model.site import Collection, Site
from tenure.web.citations import Library

MOST = 4
"""Maximum number of similar publications shown."""

CROWD = 24
"""A trait that more publications share is ignored: it does not make any two of them similar."""

MANY_AUTHORS = 30
"""The authors of a publication with this many or more are ignored: they need not know each other."""

ABOUT_ONE_THING = ("projects", "talks", "posts")
"""Collections whose entries have a single subject, unlike a position of five years."""

WEIGHTS: Mapping[str, tuple[int, int]] = {"entry": (4000, 2), "topic": (3000, 2), "person": (2000, 1)}
"""For each kind of trait its weight, divided among the publications that share it, and its points; 2 points mean similar."""

ENOUGH = 0xFE
"""Selects the points in the lowest byte of a score, without the lowest bit: one point is not enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A link in a list: "#anchor" or a path, its title, its period, and a label of its kind ("Talks", "SOSP '24")."""

    title: Markdown
    path: str
    when: Period | None = None
    kind: str = ""


def mentions(
    site: Site, places: Mapping[tuple[str, str], str], library: Library, address: Callable[[Entry], str]
) -> dict[str, list[Line]]:
    """For each publication's key, links to the projects, talks, posts and pages that name or cite it."""
    found: dict[str, list[Line]] = {}
    for name, collection in site.collections.items():
        for entry in collection.entries:
            path = address(entry) or places.get((entry.source, entry.id), "")
            if not path:
                continue
            cited = [paper.key for paper in library.cited_by(entry)]
            title = Markdown(library.spoken(entry.name) or entry.id.replace("-", " ").capitalize())
            line = Line(title=title, path=path, when=entry.when, kind=_kind(site, name, collection))
            for key in dict.fromkeys((*entry.publications, *cited)):
                found.setdefault(key, []).append(line)
    return found


def _kind(site: Site, name: str, collection: Collection) -> str:
    words = site.look.words
    shown = "pages" if collection.kind == "prose" else name
    spoken = name[:1].upper() + name[1:].replace("-", " ").replace("_", " ")
    return collection.title or words.get(f"section_{shown}") or words.get(f"page_{shown}") or spoken


def near(site: Site) -> dict[str, tuple[Publication, ...]]:
    """
    For each publication's id the most similar publications, best first; ties keep the order of the list.

    Two publications are similar if they share a topic, if one project, talk or post names both, or if they have two
    co-authors in common besides the owner of the site. The fewer publications share a trait, the more it weighs.
    """
    papers = [paper for paper in site.publications if paper.page]
    having: dict[tuple[str, str], list[int]] = {}
    for number, paper in enumerate(papers):
        for trait in dict.fromkeys(_traits(paper)):
            having.setdefault(trait, []).append(number)
    having |= _named_together(site, papers)
    shares: list[dict[int, int]] = [{} for _ in papers]
    for (kind, _), numbers in having.items():
        if 1 < len(numbers) <= CROWD:
            weight, points = WEIGHTS[kind]
            value = (weight // len(numbers) << 8) + points
            for one in numbers:
                share = shares[one]
                for other in numbers:
                    share[other] = share.get(other, 0) + value
    return {
        paper.id: tuple(papers[other] for other in _nearest(number, shares[number]))
        for number, paper in enumerate(papers)
        if shares[number]
    }


def _nearest(number: int, share: Mapping[int, int]) -> list[int]:
    others = [(-(value >> 8), other) for other, value in share.items() if value & ENOUGH and other != number]
    return [other for _, other in sorted(others)[:MOST]]


@lru_cache(maxsize=20_000)
def _folded(name: Name) -> str:
    """The name for comparison; cached, because a co-author occurs in many publications."""
    return name.full.casefold()


def _traits(paper: Publication) -> Iterator[tuple[str, str]]:
    for tag in paper.tags:
        yield "topic", tag.casefold()
    people = paper.authors.people
    if len(people) < MANY_AUTHORS:
        for author in people:
            if not author.me:
                yield "person", _folded(author.name)


def _named_together(site: Site, papers: Sequence[Publication]) -> dict[tuple[str, str], list[int]]:
    """The publications that one project, talk or post names."""
    numbers = {key: number for number, paper in enumerate(papers) for key in (paper.key, *paper.preprints)}
    found: dict[tuple[str, str], list[int]] = {}
    for name in ABOUT_ONE_THING:
        for entry in site.collections[name].entries if name in site.collections else ():
            named = sorted({numbers[key] for key in entry.publications if key in numbers})
            if len(named) > 1:
                found["entry", f"{name} {entry.id}"] = named
    return found
