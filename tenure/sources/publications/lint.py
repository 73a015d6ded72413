"""
Lint of a bibliography: probable duplicates, entries without a year, unknown fields, spellings of the owner.

The objects: a ParsedPublication is a publication with the Node of its entry, for the places of its fields.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from tenure.model.entries import Profile, Publication
from tenure.model.names import Name, fold_text, list_owner_spellings, may_be_same_person
from tenure.problems import Place, Problems, format_count
from tenure.record import Record
from tenure.sources.bibtex.bib_fields import find_use, list_fields, suggest_field
from tenure.sources.bibtex.reader import CITATION_KEY, SOURCE_KEY, find_field_place, place_at_offset
from tenure.sources.publications.entry_fields import move_metadata, read_keywords
from tenure.sources.publications.preprints import find_preprint_pairs
from tenure.sources.publications.publication_dates import PUBLICATION_STATES
from tenure.sources.reading.node import Node


class ParsedPublication(Record):
    """A publication with the node of its entry."""

    node: Node
    publication: Publication

    @property
    def key(self) -> str:
        return self.node.mapping[CITATION_KEY].text

    def field_text(self, name: str) -> str:
        return self.node.child(name).text

    def place_of(self, name: str = "") -> Place:
        """The place of a field, or of the entry if no name is given."""
        if name:
            return find_field_place(self.node.place, self.source_text, name)
        return self.node.place

    @property
    def source_text(self) -> str:
        """The text of the entry in its file."""
        return self.node.mapping[SOURCE_KEY].text

    def value_offset(self, name: str) -> int | None:
        """The offset of a field's value in the text of the entry; None if the value has several parts."""
        assignment = re.search(rf"(?i)(?<![\w-]){re.escape(name)}\s*=\s*[{{\"]", self.source_text)
        value = self.field_text(name)
        is_one_part = assignment and value and self.source_text.startswith(value, assignment.end())
        return assignment.end() if assignment and is_one_part else None

    @property
    def preprint_of_place(self) -> Place:
        """The place of the value of `preprint_of`; the place of the field if the value has several parts."""
        offset = self.value_offset("preprint_of")
        if offset is None:
            return self.place_of("preprint_of")
        length = len(self.field_text("preprint_of"))
        return place_at_offset(self.node.place, self.source_text, offset, length)


def lint_bibliography(entries: Sequence[ParsedPublication], owner: Profile, problems: Problems) -> None:
    """Report doubtful entries. Each of these warnings can be ignored by its code."""
    reported = problems.sorted_problems()
    broken_lines = {(p.place.file, p.place.line) for p in reported if p.code == "bib-syntax"}
    for entry in entries:
        if not _has_date(entry) and not _is_broken(entry, broken_lines):
            message = f"“{entry.key}” has no year"
            problems.report("bib-missing-field", entry.node.place, message, "add year = {…}")
    _report_unused_fields(entries, frozenset(problem.place for problem in reported), problems)
    _check_duplicates(entries, problems)
    _check_owner_name(entries, owner, problems)


def _has_date(entry: ParsedPublication) -> bool:
    """Whether an entry has a date, needs none, or has one that cannot be read and is reported there."""
    fields = entry.node.mapping
    has_field = "date" in fields or "year" in fields
    return has_field or entry.publication.date is not None or _is_in_progress(entry.publication)


def _is_broken(entry: ParsedPublication, broken_lines: Set[tuple[str, int]]) -> bool:
    """Whether a syntax error was reported in an entry or in the line after it."""
    place = entry.node.place
    # a } too many ends the entry before its last field: title = {Looms}},⏎ year = 2020 }
    end = place.line + entry.source_text.count("\n") + 1
    lines = range(place.line, end + 1)
    return not broken_lines.isdisjoint((place.file, line) for line in lines)


def _is_in_progress(publication: Publication) -> bool:
    """
    Whether a publication has no year because it is not finished, as its type, state, note or venue says.
    """
    text = f"{publication.note} {publication.venue.name}".casefold()
    is_unfinished = publication.kind == "unpublished" or bool(publication.status)
    return is_unfinished or any(state in text for state in PUBLICATION_STATES)


def _report_unused_fields(
    entries: Sequence[ParsedPublication], reported_places: frozenset[Place], problems: Problems
) -> None:
    """
    Report each probably misspelled field at its place, and the others that are not shown once per file.

    Those of programs are a report of their own, as they are not shown on purpose: what reference managers
    write for themselves (use "manager": owner), and what citation styles read (use "citation": shorthand).
    """
    unused: dict[str, Counter[str]] = {}
    of_programs: dict[str, Counter[str]] = {}
    for entry in entries:
        file = entry.node.place.file
        values = {name: node.text for name, node in entry.node.mapping.items() if not name.startswith("@")}
        of_programs.setdefault(file, Counter()).update(_list_data_of_programs(values))
        for name in values:
            # a name like that of a field is a misspelling: "journnal"
            use = find_use(name, values[name])
            near = suggest_field(name) if use == "unused" else ""
            if use in ("manager", "citation"):
                of_programs[file][name] += 1
            elif use == "unused" and not near:
                unused.setdefault(file, Counter())[name] += 1
            elif near and entry.place_of(name) not in reported_places:
                message = f'unknown field "{name}" in “{entry.key}”'
                problems.report("bib-unknown", entry.place_of(name), message, f'did you mean "{near}"?')

    for file, counts in unused.items():
        message = f"fields that are not shown: {_list_counts(counts)}"
        problems.report("bib-unknown", Place(file), message, "they are not in the BibTeX of readers either")
    for file, counts in of_programs.items():
        if counts:
            message = f"fields of programs that are not shown: {_list_counts(counts)}"
            problems.report("bib-details", Place(file), message)


def _list_data_of_programs(values: Mapping[str, str]) -> Iterable[str]:
    """What programs wrote into notes and keywords: "zscc in a note", "“_tablet” in keywords"."""
    _, unused_keys = move_metadata(values)
    for key in unused_keys:
        yield f"{key} in a note"
    for name in list_fields("tag"):
        for tag in read_keywords(values.get(name, "")).unpublished:
            # a database numbers its keywords: 12345
            if not tag.isdecimal():
                yield f"“{tag}” in keywords"


def _list_counts(counts: Counter[str]) -> str:
    """The names and numbers of fields: "jabref (2), owner (14)"."""
    return ", ".join(f"{name} ({count})" for name, count in sorted(counts.items()))


def _check_duplicates(entries: Sequence[ParsedPublication], problems: Problems) -> None:
    """
    Report entries with the same DOI, or the same title and first author, unless one is known as a preprint
    of the other, or as related to it.
    """
    first_entries: dict[str, ParsedPublication] = {}
    pairs = find_preprint_pairs([entry.publication for entry in entries])
    joined_keys = {entries[pair.preprint].key for pair in pairs}
    for entry in entries:
        # related = {pan2025}: the owner knows that there is another entry
        is_marked = entry.field_text("preprint_of") or entry.field_text("related")
        if is_marked or entry.key in joined_keys:
            continue
        for identity_key in list_identity_keys(entry.publication):
            first_entry = first_entries.setdefault(identity_key, entry)
            if first_entry.key != entry.key:
                _report_duplicate(entry, first_entry, problems)
                break


def _report_duplicate(entry: ParsedPublication, first_entry: ParsedPublication, problems: Problems) -> None:
    """Report that two entries are probably one work, with the place of the first."""
    place = first_entry.node.place
    location = f"{place.file}:{place.line}"
    if place.file == entry.node.place.file:
        location = f"line {place.line}"
    message = f"“{entry.key}” is probably the same work as “{first_entry.key}” in {location}"
    hint = "delete one; in a preprint, write preprint_of = {key of the other}; two works: {none}"
    problems.report("bib-duplicate-work", entry.node.place, message, hint)


def list_identity_keys(publication: Publication) -> Iterable[str]:
    """Texts that two entries of the same work share: the DOI, and a long title with the first author."""
    if publication.doi:
        yield f"doi {publication.doi.casefold()}"
    title = fold_text(publication.title)
    if len(title) > 12 and publication.authors.people:
        first_author = publication.authors.people[0].name
        yield f"title {title} by {fold_text(first_author.family or first_author.group)}"


def _check_owner_name(entries: Sequence[ParsedPublication], owner: Profile, problems: Problems) -> None:
    """
    Report spellings of the owner's name that the profile lacks, or that the owner is an author of no entry.
    """
    spellings = {} if owner.is_group else list_possible_owner_spellings(entries, owner)
    for spelling, same_name in spellings.items():
        count = format_count(len(same_name), "entry", "entries")
        message = f"“{spelling}” of {count}, such as “{same_name[0].key}”, may be you, and is not marked"
        hint = f'if so, add the spelling in content/profile.yaml: aliases: ["{spelling}"]'
        problems.report("bib-owner", same_name[0].place_of("author"), message, hint)
    if not spellings:
        publications = [entry.publication for entry in entries if entry.publication.authors.people]
        _check_owner_is_author(publications, owner, problems)
    if not spellings and not owner.is_group:
        _report_foreign(entries, problems)


def _report_foreign(entries: Sequence[ParsedPublication], problems: Problems) -> None:
    """Report the works of others in a file that a reference manager has exported: somebody has read them."""
    exports = {
        entry.node.place.file
        for entry in entries
        if any(find_use(name, value.text) == "manager" for name, value in entry.node.mapping.items())
    }
    foreign = [
        entry for entry in entries if entry.node.place.file in exports and _is_foreign(entry.publication)
    ]
    # of nearly all, the name is spelled otherwise
    if 0 < len(foreign) <= len(entries) / 2:
        keys = ", ".join(entry.key for entry in foreign)
        message = f"your name is not among the authors of {keys}"
        hint = 'delete what is not yours, or add the spelling used there to "aliases"'
        problems.report("bib-owner", foreign[0].node.place, message, hint)


def _is_foreign(publication: Publication) -> bool:
    """Whether a publication has authors, and none of its people is the owner or a person of the site."""
    people = (*publication.authors.people, *publication.editors.people)
    return bool(people) and not any(one.me or one.person for one in people)


def _check_owner_is_author(publications: Sequence[Publication], owner: Profile, problems: Problems) -> None:
    """Report that the owner, or anybody of a group, is an author or editor of no publication of the site."""
    authors = [author for publication in publications for author in publication.authors.people]
    editors = [editor for publication in publications for editor in publication.editors.people]
    if not publications or any(person.me for person in (*authors, *editors)):
        return
    message = "no entry in bib/ has your name among its authors"
    hint = "add the spelling used there: aliases: [A. Name]"
    own = _find_short_name(Name.parse(owner.name))
    similar = {author.name.full_name for author in authors if _find_short_name(author.name) == own}
    if len(similar) == 1:
        # without syntax, so that forms show it
        hint = f'if “{similar.pop()}” is you, add it to "aliases"'
    if owner.is_group:
        message = "no entry in bib/ has anybody of content/people.yaml among its authors"
        hint = "add the spellings used there to the people: aliases: [A. Name]"
    elif any(author.person for author in authors):
        hint += "; if this is the site of a lab, add kind: group"
    problems.report("bib-owner", owner.key_place_of("name"), message, hint)


def _find_short_name(name: Name) -> tuple[str, str]:
    """The first family name and the initial: Jorun Maasbeek-Oyelaran, Joris Maasbeek -> maasbeek, j"""
    return fold_text(re.split(r"[\s-]", name.family)[0]), fold_text(name.given)[:1]


def list_possible_owner_spellings(
    entries: Sequence[ParsedPublication], owner: Profile
) -> Mapping[str, Sequence[ParsedPublication]]:
    """
    The names of authors that may be another spelling of the owner's name, each with its entries.

    Entries in which somebody is marked as the owner have none.
    """
    names = list_owner_spellings(owner.name, owner.aliases)
    spellings = dict[str, list[ParsedPublication]]()
    for entry in entries:
        people = (*entry.publication.authors.people, *entry.publication.editors.people)
        if any(author.me for author in people):
            continue
        for author in entry.publication.authors.people:
            if not author.person and any(may_be_same_person(author.name, name) for name in names):
                spellings.setdefault(author.name.full_name, []).append(entry)
    return spellings
