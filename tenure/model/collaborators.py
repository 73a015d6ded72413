"""The collaborators of the owner: one for all spellings of a name, with the joint publications."""

from collections.abc import Iterable

from tenure.model.entries import Publication
from tenure.model.names import Name, is_abbreviation_of, name_match_key, parse_spellings
from tenure.model.overlays import Coauthor
from tenure.record import Record

NameKey = tuple[str, str]


class Collaborator(Record):
    """A co-author: the fullest spelling of the name, the joint publications, the record in coauthors.yaml."""

    name: Name
    publications: tuple[Publication, ...]
    record: Coauthor | None


def find_collaborators(
    publications: Iterable[Publication], coauthors: Iterable[Coauthor]
) -> tuple[Collaborator, ...]:
    """
    The co-authors of publications in order of first appearance, each with their publications in the same
    order.

    Spellings are joined if a record of `coauthors` has them. An abbreviated name is joined with the only full
    name that it fits, unless both are authors of one publication.
    """
    coauthor_by_key = {
        name_match_key(spelling): coauthor
        for coauthor in coauthors
        for spelling in parse_spellings(coauthor.name, coauthor.aliases)
    }
    names: dict[NameKey, Name] = {}
    works: dict[NameKey, dict[int, Publication]] = {}
    for index, publication in enumerate(publications):
        for author in publication.authors.people:
            if author.me or author.name.group:
                continue
            coauthor = coauthor_by_key.get(name_match_key(author.name))
            name = Name.parse(coauthor.name) if coauthor else author.name
            names.setdefault(name_match_key(name), name)
            works.setdefault(name_match_key(name), {})[index] = publication

    _join_abbreviations(names, works)
    collaborators: list[Collaborator] = []
    for key, name in names.items():
        joint = tuple(works[key][index] for index in sorted(works[key]))
        collaborators.append(Collaborator(name, joint, coauthor_by_key.get(key)))
    return tuple(collaborators)


def _join_abbreviations(names: dict[NameKey, Name], works: dict[NameKey, dict[int, Publication]]) -> None:
    """Move the works of "R. Pan" to "Rui Pan", if no other name fits and no work has both."""
    keys_by_family: dict[str, list[NameKey]] = {}
    for key in names:
        keys_by_family.setdefault(key[0], []).append(key)

    for short_key, name in [*names.items()]:
        # a name that has been joined is no candidate any more
        full_keys = [
            key
            for key in keys_by_family[short_key[0]]
            if key != short_key and key in names and is_abbreviation_of(name, names[key])
        ]
        if len(full_keys) != 1 or works[short_key].keys() & works[full_keys[0]].keys():
            continue
        works[full_keys[0]] |= works.pop(short_key)
        del names[short_key]
