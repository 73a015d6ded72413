"""Ways from a publication to what else there is: what names it, and the publications near it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from tenure.frozen import dataclass
from tenure.model.dates import Period
from tenure.model.names import Name
from tenure.model.scholar import Entry, Markdown, Publication
from tenure.model.site import Collection, Site
from tenure.web.citations import Library

MOST = 4
"""So many publications are shown as near."""

CROWD = 24
"""A trait of more publications than these tells nothing of any two of them, and is passed over."""

MANY_AUTHORS = 30
"""With so many authors or more, a paper says little of who works with whom."""

ABOUT_ONE_THING = ("projects", "talks", "posts")
"""Collections whose entries are about one thing, as a position of five years is not."""

WEIGHTS: Mapping[str, tuple[int, int]] = {"entry": (4000, 2), "topic": (3000, 2), "person": (2000, 1)}
"""For each kind of trait how much it weighs, shared out among those that have it, and its points; 2 points are near."""

ENOUGH = 0xFE
"""A share has its points in the lowest byte: one point alone is not enough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a list: "#anchor" or a path, its words, when it was, and what it is one of ("Talks", "SOSP '24")."""

    title: Markdown
    path: str
    when: Period | None = None
    kind: str = ""


def mentions(
    site: Site, places: Mapping[tuple[str, str], str], library: Library, address: Callable[[Entry], str]
) -> dict[str, list[Line]]:
    """For each publication's key, lines to the projects, talks, posts and pages that name or cite it."""
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
    For each publication's id the few that are nearest, nearest first; the order of the list decides between equals.

    Near are two that share a topic, that one project or talk names both, or that have two co-authors in common beside
    the owner of the site. The fewer share such a trait, the more it weighs.
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
    """A name as two are compared; a co-author of many papers is asked for with each."""
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
