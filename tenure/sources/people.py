"""Resolves the names of people in entries and in the profile to the people of content/people.yaml."""

from collections.abc import Mapping, Sequence

from tenure.model.entries import Entry, Person, Profile
from tenure.model.names import name_match_key
from tenure.model.people import find_people, person_spellings, resolve_reference_list
from tenure.model.site import Collection
from tenure.problems import Place, Problems
from tenure.record import replace

PEOPLE = "people"
"""The name of the list of people."""


def list_people(collections: Mapping[str, Collection]) -> tuple[Person, ...]:
    """The people of content/people.yaml and content/people/."""
    collection = collections.get(PEOPLE)
    return tuple(entry for entry in (collection.entries if collection else ()) if isinstance(entry, Person))


def resolve_people(
    collections: Mapping[str, Collection], profile: Profile, problems: Problems
) -> tuple[dict[str, Collection], Profile]:
    """The collections and the profile with ids in place of the names of people. A name that means nobody or two people is reported."""
    people = list_people(collections)
    _report_shared_spellings(people, problems)
    head = resolve_reference_list(profile, "head", profile.head, people, problems)

    def resolve(entry: Entry) -> Entry:
        if entry.people:
            ids = resolve_reference_list(entry, "people", entry.people, people, problems)
            entry = replace(entry, people=ids)
        if isinstance(entry, Person) and entry.advisors:
            known = [text for text in entry.advisors if find_people(people, text)]
            resolved = dict(
                zip(known, resolve_reference_list(entry, "advisors", known, people, problems), strict=True)
            )
            entry = replace(entry, advisors=tuple(resolved.get(text, text) for text in entry.advisors))
        return entry

    resolved_collections = {
        name: replace(collection, entries=tuple(map(resolve, collection.entries)))
        for name, collection in collections.items()
    }
    return resolved_collections, replace(profile, head=head)


def _report_shared_spellings(people: Sequence[Person], problems: Problems) -> None:
    """Report a spelling that two people have: it then matches neither of them among authors."""
    first_sources: dict[tuple[str, str], Place] = {}
    for person in people:
        for spelling in person_spellings(person):
            first = first_sources.setdefault(name_match_key(spelling), person.source)
            if first != person.source:
                message = f"the name {spelling.full_name} is also that of the person at {first}"
                hint = "give one of the two another spelling"
                problems.report("duplicate-id", person.place_of("title"), message, hint)
