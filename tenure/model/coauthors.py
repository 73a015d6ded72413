"""Who the owner has written with: one person for all spellings of a name, with the joint works."""

from collections.abc import Iterable

from tenure.frozen import dataclass
from tenure.model.additions import Coauthor
from tenure.model.names import Name, abbreviates, name_key, spellings
from tenure.model.scholar import Publication

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Partner:
    """Someone the owner has written with: the fullest spelling of the name, the joint works, what is known beside."""

    name: Name
    papers: tuple[Publication, ...]
    known: Coauthor | None


def partners(papers: Iterable[Publication], known: Iterable[Coauthor]) -> tuple[Partner, ...]:
    """
    The co-authors of some publications in the order in which they come, with their works in that order.

    Spellings are joined by `known`; and an abbreviated name with the one full name that it fits, unless both are authors
    of one work.
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
    """Join each abbreviated name with the one full name that it fits."""
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
