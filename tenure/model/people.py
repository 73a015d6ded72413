"""The people of content/people.yaml: their pages, and the search for them by name."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from tenure.markdown.html import make_slug, plain_text
from tenure.model.dates import Date
from tenure.model.entries import Entry, Markdown, Person, Publication
from tenure.model.names import (
    Authors,
    Name,
    is_abbreviation_of,
    list_owner_spellings,
    name_match_key,
    parse_spellings,
    remove_titles,
)
from tenure.model.places import SourceRecord
from tenure.problems import Problems, suggest_word
from tenure.record import Record, replace

NameKey = tuple[str, str]


def person_page_path(person: Person) -> str:
    """Path of the page of a person who has one, or ""."""
    return f"/people/{person.id}/" if person.body or person.page else ""


def person_spellings(person: Person) -> tuple[Name, ...]:
    """The names of a person in every spelling."""
    return list_owner_spellings(plain_text(person.title), person.aliases)


def find_people(people: Sequence[Person], text: str) -> tuple[Person, ...]:
    """
    The people that a text in a source may mean: by id or a spelling of the name; if nobody has it, by a part of the name.

    "bo" means both Bo Lee and Bo Chen.
    """
    slug, key = make_slug(text), name_match_key(Name.parse(remove_titles(text)))
    exact = tuple(
        person
        for person in people
        if slug == person.id or key in _find_spelling_keys(person.title, person.aliases)
    )
    words = {*slug.split("-"), ""} - {""}
    return exact or tuple(person for person in people if words and words <= _split_title(person.title))


@lru_cache(maxsize=10_000)
def _find_spelling_keys(title: Markdown, aliases: tuple[str, ...]) -> frozenset[NameKey]:
    """The key of each spelling of a name; kept, because each reference to a person is compared with all people."""
    return frozenset(map(name_match_key, parse_spellings(plain_text(title), aliases)))


@lru_cache(maxsize=10_000)
def _split_title(title: Markdown) -> frozenset[str]:
    """The words of a name as in a slug."""
    return frozenset(make_slug(plain_text(title)).split("-"))


def resolve_reference_list(
    record: SourceRecord, field: str, texts: Iterable[str], people: Sequence[Person], problems: Problems
) -> tuple[str, ...]:
    """The ids of the people that a field names; a name that means nobody or two people is reported, and stays as written."""
    ids: list[str] = []
    for text in texts:
        matches = find_people(people, text)
        ids.append(matches[0].id if len(matches) == 1 else text)
        if len(matches) == 1:
            continue
        place = record.item_place_of(field, text)
        if matches:
            names = " and ".join(str(person.title) for person in matches[:3])
            hint = f"write {' or '.join(person.id for person in matches[:3])}"
            problems.report("unknown-person", place, f'"{text}" means {names}', hint)
        else:
            ids_of_site = [person.id for person in people]
            hint = suggest_word(text, ids_of_site, "add the person to content/people.yaml")
            message = f'nobody in content/people.yaml is called "{text}"'
            problems.report("unknown-person", place, message, hint)
    return tuple(ids)


def is_past(entry: Entry, today: Date | None) -> bool:
    """Whether a person has left, or another entry ended before the date of the last revision of the site; False if it has no date."""
    if isinstance(entry, Person):
        return entry.has_left(today)
    period = entry.entry_period
    last = (period.end or period.start) if period and not period.ongoing else None
    return bool(last and today and not last.may_be_on_or_after(today))


def is_by_person(entry: Entry, ids: Sequence[str]) -> bool:
    """Whether one of some people is an author of a publication, or is named by another entry."""
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
    people_by_key: dict[NameKey, tuple[Person, ...]]
    people_by_family: dict[str, tuple[Person, ...]]

    @classmethod
    def from_people(cls, people: Iterable[Person], *, is_group: bool) -> "AuthorIndex":
        """Index the spellings of people."""
        by_key: dict[NameKey, tuple[Person, ...]] = {}
        by_family: dict[str, tuple[Person, ...]] = {}
        for person in people:
            keys = dict.fromkeys(map(name_match_key, person_spellings(person)))
            for key in keys:
                by_key[key] = (*by_key.get(key, ()), person)
            for family in dict.fromkeys(key[0] for key in keys):
                by_family[family] = (*by_family.get(family, ()), person)
        return cls(is_group, by_key, by_family)

    def mark_authors(self, authors: Authors) -> Authors:
        """
        The authors with the ids and the pages of those who are in the list.

        The rule is that of the owner: an exact spelling, or else the only author with initials that fit. Initials that
        fit two people, or a spelling that two people share, match nobody.
        """
        matches = {
            i: self.people_by_key.get(name_match_key(a.name), ()) for i, a in enumerate(authors.people)
        }
        exact_ids = {person.id for people in matches.values() for person in people}
        abbreviated: dict[str, list[int]] = {}
        for i, author in enumerate(authors.people):
            if not matches[i]:
                candidates = self._find_by_initials(author.name)
                if len(candidates) == 1 and candidates[0].id not in exact_ids:
                    matches[i] = candidates
                    abbreviated.setdefault(candidates[0].id, []).append(i)
        for positions in abbreviated.values():
            if len(positions) > 1:
                matches |= dict.fromkeys(positions, ())
        if not any(len(people) == 1 for people in matches.values()):
            return authors
        marked = (
            replace(
                author,
                me=author.me or self.is_group,
                person=matches[i][0].id,
                url=person_page_path(matches[i][0]) or matches[i][0].url,
            )
            if len(matches[i]) == 1
            else author
            for i, author in enumerate(authors.people)
        )
        return replace(authors, people=tuple(marked))

    def _find_by_initials(self, name: Name) -> tuple[Person, ...]:
        candidates = self.people_by_family.get(name_match_key(name)[0], ())
        return tuple(
            person
            for person in candidates
            if any(is_abbreviation_of(name, spelling) for spelling in person_spellings(person))
        )
