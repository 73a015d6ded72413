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
    _join_abbreviated_names(names, publications_by_key)
    return tuple(
        Collaborator(
            name,
            tuple(publication for _, publication in sorted(publications_by_key[key].items())),
            coauthor_by_key.get(key),
        )
        for key, name in names.items()
    )


def _join_abbreviated_names(
    names: dict[NameKey, Name], publications_by_key: dict[NameKey, dict[int, Publication]]
) -> None:
    """Join each abbreviated name with the only full name that it fits, in place."""
    keys_by_family: dict[str, list[NameKey]] = {}
    for key in names:
        keys_by_family.setdefault(key[0], []).append(key)
    for abbreviated_key, name in [*names.items()]:
        candidates = [
            full_key
            for full_key in keys_by_family[abbreviated_key[0]]
            if full_key != abbreviated_key and full_key in names and is_abbreviation_of(name, names[full_key])
        ]
        if (
            len(candidates) == 1
            and not publications_by_key[abbreviated_key].keys() & publications_by_key[candidates[0]].keys()
        ):
            publications_by_key[candidates[0]] |= publications_by_key.pop(abbreviated_key)
            del names[abbreviated_key]
