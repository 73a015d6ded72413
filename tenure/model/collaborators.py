"""The collaborators of the owner: one for all spellings of a name, with the joint publications."""

from collections.abc import Iterable

from tenure.model.entries import Publication
from tenure.model.names import Name, is_abbreviation_of, name_match_key, parse_spellings
from tenure.model.overlays import Coauthor
from tenure.record import Record

NameKey = tuple[str, str]


class Collaborator(Record):
    """A co-author of the owner: the fullest spelling of the name, the joint publications, the record in coauthors.yaml."""

    name: Name
    publications: tuple[Publication, ...]
    record: Coauthor | None


def find_collaborators(
    publications: Iterable[Publication], coauthors: Iterable[Coauthor]
) -> tuple[Collaborator, ...]:
    """
    The co-authors of publications in order of first appearance, each with their publications in the same order.

    Spellings are joined if a record of `coauthors` has them. An abbreviated name is joined with the only full name that
    it fits, unless both are authors of one publication.
    """
    coauthor_by_key = {
        name_match_key(spelling): coauthor
        for coauthor in coauthors
        for spelling in parse_spellings(coauthor.name, coauthor.aliases)
    }
    names: dict[NameKey, Name] = {}
    publications_by_key: dict[NameKey, dict[int, Publication]] = {}
    for index, publication in enumerate(publications):
        for author in publication.authors.people:
            if not author.me and not author.name.group:
                coauthor = coauthor_by_key.get(name_match_key(author.name))
                name = Name.parse(coauthor.name) if coauthor else author.name
                names.setdefault(name_match_key(name), name)
                publications_by_key.setdefault(name_match_key(name), {})[index] = publication
    keys_by_family: dict[str, list[NameKey]] = {}
    for key in names:
        keys_by_family.setdefault(key[0], []).append(key)
    for short_key, name in [*names.items()]:
        full_keys = [
            key
            for key in keys_by_family[short_key[0]]
            if key != short_key and key in names and is_abbreviation_of(name, names[key])
        ]
        shared = publications_by_key[full_keys[0]].keys() if len(full_keys) == 1 else None
        if shared is not None and not publications_by_key[short_key].keys() & shared:
            publications_by_key[full_keys[0]] |= publications_by_key.pop(short_key)
            del names[short_key]
    return tuple(
        Collaborator(
            name, tuple(p for _, p in sorted(publications_by_key[key].items())), coauthor_by_key.get(key)
        )
        for key, name in names.items()
    )
