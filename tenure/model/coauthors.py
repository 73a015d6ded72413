"""The collaborators of the owner: one for all spellings of a name, with the joint publications."""

from collections.abc import Iterable

from tenure.frozen import dataclass
from tenure.model.additions import Coauthor
from tenure.model.names import Name, abbreviates, name_key, spellings
from tenure.model.scholar import Publication

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Partner:
    """A co-author of the owner: the fullest spelling of the name, the joint publications, the record in coauthors.yaml."""

    name: Name
    papers: tuple[Publication, ...]
    known: Coauthor | None


def partners(papers: Iterable[Publication], known: Iterable[Coauthor]) -> tuple[Partner, ...]:
    """
    The co-authors of publications in order of first appearance, each with their publications in the same order.

    Spellings are joined if a record of `coauthors` has them. An abbreviated name is joined with the only full name that
    it fits, unless both are authors of one publication.
    """
    listed = {name_key(spelling): one for one in known for spelling in spellings(one.name, one.aliases)}
    names: dict[Key, Name] = {}
    works: dict[Key, dict[int, Publication]] = {}
    for place, paper in enumerate(papers):
        for author in paper.authors.people:
            if not author.me and not author.name.group:
                one = listed.get(name_key(author.name))
                name = Name.parse(one.name) if one else author.name
                names.setdefault(name_key(name), name)
                works.setdefault(name_key(name), {})[place] = paper
    _join(names, works)
    return tuple(
        Partner(name, tuple(paper for _, paper in sorted(works[key].items())), listed.get(key))
        for key, name in names.items()
    )


def _join(names: dict[Key, Name], works: dict[Key, dict[int, Publication]]) -> None:
    """Join each abbreviated name with the only full name that it fits, in place."""
    families: dict[str, list[Key]] = {}
    for key in names:
        families.setdefault(key[0], []).append(key)
    for short, name in [*names.items()]:
        fits = [
            other
            for other in families[short[0]]
            if other != short and other in names and abbreviates(name, names[other])
        ]
        if len(fits) == 1 and not works[short].keys() & works[fits[0]].keys():
            works[fits[0]] |= works.pop(short)
            del names[short]
