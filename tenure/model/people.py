"""
The people of content/people.yaml: their pages, and the search for them by name.

A Collaborator is a co-author: one for all spellings of a name, with the joint publications.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tenure.limits import cache_texts
from tenure.markdown.html import make_slug, plain_text
from tenure.model.dates import Date
from tenure.model.entries import Entry, Markdown, Person, Publication
from tenure.model.names import (
    Author,
    Authors,
    Name,
    is_abbreviation_of,
    list_owner_spellings,
    name_match_key,
    parse_spellings,
    remove_titles,
)
from tenure.model.overlays import Coauthor
from tenure.model.places import SourceRecord
from tenure.problems import Problems, suggest_word
from tenure.record import Record, replace

NameKey = tuple[str, str]


def person_page_path(person: Person) -> str:
    """Path of the page of a person who has one, or ""."""
    return f"/people/{person.id}/" if person.body or person.page else ""


def person_spellings(person: Person) -> tuple[Name, ...]:
    """The names of a person in every spelling."""
    return _list_spellings(person.title, person.aliases)


@cache_texts
def _list_spellings(title: Markdown, aliases: tuple[str, ...]) -> tuple[Name, ...]:
    return list_owner_spellings(plain_text(title), aliases)


def find_people(people: Sequence[Person], text: str) -> tuple[Person, ...]:
    """
    The people that a text in a source may mean: by id or a spelling of the name, or else by a part of the
    name.

    "bo" means both Bo Lee and Bo Chen.
    """
    slug = make_slug(text)
    key = name_match_key(Name.parse(remove_titles(text)))
    exact = tuple(
        person
        for person in people
        if slug == person.id or key in map(name_match_key, person_spellings(person))
    )
    words = {*slug.split("-"), ""} - {""}
    if exact or not words:
        return exact
    return tuple(person for person in people if words <= {*make_slug(plain_text(person.title)).split("-")})


def resolve_reference_list(
    record: SourceRecord, field: str, texts: Iterable[str], people: Sequence[Person], problems: Problems
) -> tuple[str, ...]:
    """
    The ids of the people that a field names.

    A name that means nobody or two people is reported, and stays as written.
    """
    ids: list[str] = []
    for text in texts:
        matches = find_people(people, text)
        if len(matches) == 1:
            ids.append(matches[0].id)
            continue
        ids.append(text)

        if matches:
            message = f'"{text}" means {" and ".join(str(person.title) for person in matches[:3])}'
            hint = f"write {' or '.join(person.id for person in matches[:3])}"
        else:
            message = f'nobody in content/people.yaml is called "{text}"'
            known = [person.id for person in people]
            hint = suggest_word(text, known, "add the person to content/people.yaml")
        problems.report("unknown-person", record.item_place_of(field, text), message, hint)
    return tuple(ids)


def is_past(entry: Entry, today: Date | None) -> bool:
    """
    Whether a person has left, or another entry ended before the site was last revised; not without a date.

    A talk of May 2024 is past in June 2024, and not yet in May, of which the day is not known.
    """
    if isinstance(entry, Person):
        return entry.has_left(today)
    period = entry.entry_period
    if period is None or period.ongoing or today is None:
        return False
    last = period.end or period.start
    return last is not None and not last.may_be_on_or_after(today)


def is_by_person(entry: Entry, ids: Sequence[str]) -> bool:
    """
    Whether one of some people is an author of a publication, or is named by another entry.

    An entry names them in `people`, and a student in `advisors`.
    """
    if isinstance(entry, Publication):
        people = (*entry.authors.people, *entry.editors.people)
        return any(author.person in ids for author in people if author.person)
    if isinstance(entry, Person) and any(advisor in ids for advisor in entry.advisors):
        return True
    return any(person in ids for person in entry.people)


class AuthorIndex(Record):
    """
    The people of a site by the spellings of their names, to find them among authors.

    In a group, all of them are marked as owners (`is_group`).
    """

    is_group: bool
    people_by_key: Mapping[NameKey, tuple[Person, ...]]
    people_by_family: Mapping[str, tuple[Person, ...]]

    @classmethod
    def from_people(cls, people: Iterable[Person], *, is_group: bool) -> "AuthorIndex":
        """Index the spellings of people."""
        by_key: dict[NameKey, tuple[Person, ...]] = {}
        by_family: dict[str, tuple[Person, ...]] = {}
        for person in people:
            keys = dict.fromkeys(map(name_match_key, person_spellings(person)))
            for key in keys:
                by_key[key] = (*by_key.get(key, ()), person)
            for family in dict.fromkeys(family for family, _ in keys):
                by_family[family] = (*by_family.get(family, ()), person)
        return cls(is_group, by_key, by_family)

    def mark_authors(self, authors: Authors) -> Authors:
        """
        The authors with the ids and the pages of those who are in the list.

        The rule is that of the owner: an exact spelling, or else the only author with initials that fit.
        Initials that fit two people, or a spelling that two people share, match nobody.
        """
        exact = [self.people_by_key.get(name_match_key(author.name), ()) for author in authors.people]
        # a person who is found by an exact spelling is no one else
        known_ids = {person.id for people in exact for person in people}
        fitting = [
            () if people else self._find_by_initials(author.name)
            for author, people in zip(authors.people, exact, strict=True)
        ]
        counts = Counter(people[0].id for people in fitting if len(people) == 1)

        marked: list[Author] = []
        for author, people, others in zip(authors.people, exact, fitting, strict=True):
            matches = people
            # "B. Lee" is Bo Lee, if Bo Lee is not an author in full, and no other author is "B. Lee"
            if len(others) == 1 and others[0].id not in known_ids and counts[others[0].id] == 1:
                matches = others
            marked.append(self._mark_author(author, matches[0]) if len(matches) == 1 else author)
        return replace(authors, people=tuple(marked))

    def _mark_author(self, author: Author, person: Person) -> Author:
        """
        An author with the page of a person; in a group, each member is marked as the owner is elsewhere.
        """
        url = person_page_path(person) or person.url
        return replace(author, me=author.me or self.is_group, person=person.id, url=url)

    def _find_by_initials(self, name: Name) -> tuple[Person, ...]:
        """The people whom an abbreviated name may mean: "J. Roe" -> Jo Roe and Jana Roe."""

        def fits(person: Person) -> bool:
            return any(is_abbreviation_of(name, spelling) for spelling in person_spellings(person))

        return tuple(filter(fits, self.people_by_family.get(name_match_key(name)[0], ())))


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
            # neither the owner nor an organization is a collaborator
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
