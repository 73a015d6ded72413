"""
The names of people and the keys of publications in entries and in the profile: resolved, and checked.

people: [Ada Lovelace] -> the id of the person; publications: [lovelace1842arxiv] -> the published version
"""

from collections.abc import Mapping, Sequence

from tenure.model.dates import Date, Period
from tenure.model.entries import Entry, Person, Profile, Publication
from tenure.model.names import name_match_key
from tenure.model.people import find_people, person_spellings, resolve_reference_list
from tenure.model.site import Collection, Settings, map_entries
from tenure.problems import Place, Problems
from tenure.record import replace
from tenure.sources.publications.collect import MAIN_LIST, report_unknown_publications

PEOPLE = "people"
"""The name of the list of people."""


def list_people(collections: Mapping[str, Collection]) -> tuple[Person, ...]:
    """The people of content/people.yaml and content/people/."""
    collection = collections.get(PEOPLE)
    entries = collection.entries if collection else ()
    return tuple(entry for entry in entries if isinstance(entry, Person))


def resolve_references(
    collections: Mapping[str, Collection], profile: Profile, settings: Settings, problems: Problems
) -> tuple[dict[str, Collection], Profile]:
    """
    The collections and the profile with ids in place of names, and published works in place of preprints.

    A name that means nobody or two people, and a key that no .bib file has, is reported. The future ends of
    people become expected ends.
    """
    people = list_people(collections)
    _report_shared_spellings(people, problems)
    main_list = collections[MAIN_LIST].entries if MAIN_LIST in collections else ()
    publications = [entry for entry in main_list if isinstance(entry, Publication)]
    published_keys = {preprint: work.key for work in publications for preprint in work.preprints}

    def resolve(entry: Entry) -> Entry:
        # a preprint is shown in its published work
        if entry.publications and published_keys:
            keys = tuple(dict.fromkeys(published_keys.get(key, key) for key in entry.publications))
            entry = replace(entry, publications=keys)
        if entry.people:
            ids = resolve_reference_list(entry, "people", entry.people, people, problems)
            entry = replace(entry, people=ids)

        # an advisor may be of another group: such a name stays, without a report
        if isinstance(entry, Person) and entry.advisors:
            known = [text for text in entry.advisors if find_people(people, text)]
            ids = resolve_reference_list(entry, "advisors", known, people, problems)
            by_name = dict(zip(known, ids, strict=True))
            entry = replace(entry, advisors=tuple(by_name.get(text, text) for text in entry.advisors))
        return entry

    resolved = map_entries(collections, resolve)
    _check_publication_keys(resolved, {work.key for work in publications}, problems)
    head = resolve_reference_list(profile, "head", profile.head, people, problems)
    return _mark_expected_ends(resolved, settings, problems), replace(profile, head=head)


def _mark_expected_ends(
    collections: dict[str, Collection], settings: Settings, problems: Problems
) -> dict[str, Collection]:
    """
    The collections with the future ends of people as expected ends, which are reported once.

    An end is in the future if it is later than every date of the site that is no end, because a build does
    not look at the clock. With `updated` in site.yaml, or with what the person does now, nothing is guessed.
    """
    if settings.updated:
        return collections
    starts = _list_starts(collections)
    future = {
        person.source: replace(person, date=period)
        for person in list_people(collections)
        if (period := _expect_end(person, starts))
    }
    if not future:
        return collections

    first = next(iter(future.values()))
    place = first.places.values.get("end") or first.place_of("date")
    subject = f"the end of {first.title} is"
    if len(future) > 1:
        subject = f"the ends of {len(future)} people, such as {first.title}, are"
    message = f"{subject} later than every other date of this site, and shown as expected"
    problems.report("future-end", place, message, "write (expected) after it, or updated: … in site.yaml")
    return map_entries(collections, lambda entry: future.get(entry.source, entry))


def _list_starts(collections: Mapping[str, Collection]) -> list[Date]:
    """The dates of all entries, and the starts of their periods, that have a year and are not expected."""
    periods = [entry.entry_period for collection in collections.values() for entry in collection.entries]
    dates = [period.start for period in periods if period and period.start]
    return [date for date in dates if date.year is not None and not date.expected]


def _expect_end(person: Person, starts: Sequence[Date]) -> Period | None:
    """
    The period of a person whose end is later than all starts, with an expected end; None for others.

    A site whose entries begin at the latest in 2025: 2023 – 2027 -> 2023 – expected 2027.
    """
    end = person.date.end if person.date else None
    if person.date is None or end is None or end.year is None or end.expected or person.is_former:
        return None
    if not starts or any(start.may_be_on_or_after(end) for start in starts):
        return None
    return replace(person.date, end=replace(end, expected=True))


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


def _check_publication_keys(
    collections: Mapping[str, Collection], keys: set[str], problems: Problems
) -> None:
    """Report publication keys in entries that no .bib file has, or that have no page."""
    all_entries = [entry for collection in collections.values() for entry in collection.entries]
    separate = [entry for entry in all_entries if isinstance(entry, Publication) and not entry.page]
    separate_keys = {entry.key for entry in separate} - keys
    for entry in all_entries:
        places = {key: entry.item_place_of("publications", key) for key in entry.publications}
        report_unknown_publications(places.items(), keys, problems)
        for key in separate_keys.intersection(entry.publications):
            message = f'"{key}" is in a separate list and has no page to link to'
            problems.report("unknown-publication", places[key], message, "write its URL under links:")
