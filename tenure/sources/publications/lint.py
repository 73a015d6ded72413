"""Lint of a bibliography: probable duplicates, missing fields, doubtful values."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tenure.model.entries import Profile, Publication
from tenure.model.names import fold_text, list_owner_spellings, may_be_same_person
from tenure.problems import Edit, Place, Problems
from tenure.record import Record, replace
from tenure.sources.bibtex.reader import CITATION_KEY, SOURCE_KEY, TYPE_KEY, find_field_place, place_at_offset
from tenure.sources.node import Node
from tenure.sources.publications.bib_fields import (
    find_image_field,
    is_known_field,
    is_link_field,
    is_program_field,
    suggest_field,
)
from tenure.sources.publications.preprints import find_preprint_pairs
from tenure.sources.publications.program_notes import list_unused_keys

VENUE_NAMES: Mapping[str, str] = {
    "article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "phdthesis": "school", "mastersthesis": "school",
    "techreport": "institution", "report": "institution",
}  # fmt: skip
"""The field for the venue of each entry type that needs one."""

TYPES_WITHOUT_AUTHOR = frozenset(
    """proceedings mvproceedings collection mvcollection manual misc online software dataset book mvbook periodical reference mvreference
    inreference jurisdiction legal legislation standard movie video performance""".split()  # noqa: SIM905 - a list of words
)
"""Entry types that are complete without an author."""

BIBLATEX_TYPES = frozenset(
    """article artwork audio bibnote book bookinbook booklet collection commentary conference dataset electronic image
    inbook incollection inproceedings inreference jurisdiction legal legislation letter manual mastersthesis misc
    movie music mvbook mvcollection mvproceedings mvreference online patent performance periodical phdthesis
    proceedings reference report review set software standard suppbook suppcollection suppperiodical techreport
    thesis unpublished video www""".split()  # noqa: SIM905 - a list of words
)
"""Entry types of BibTeX and of biblatex 3.20 (manual, section 2.1)."""

LATEX_FIELDS = ("title", "journal", "journaltitle", "booktitle", "publisher")

_BARE_AMPERSAND = re.compile(r"(?<!\\)&(?!\w+;)")


class ParsedPublication(Record):
    """A publication with the node of its entry."""

    node: Node
    publication: Publication

    @property
    def key(self) -> str:
        return self.node.mapping[CITATION_KEY].text

    def field_text(self, name: str) -> str:
        return self.node.mapping[name].text if name in self.node.mapping else ""

    def place_of(self, name: str = "") -> Place:
        """The place of a field, or of the entry if no name is given."""
        return (
            find_field_place(self.node.place, self.node.mapping[SOURCE_KEY].text, name)
            if name
            else self.node.place
        )

    def list_lines(self) -> Iterable[tuple[str, int]]:
        """The file and number of each line of the entry, and of the line after it."""
        first = self.node.place
        return ((first.file, first.line + i) for i in range(self.source_text.count("\n") + 2))

    @property
    def source_text(self) -> str:
        """The text of the entry in its file."""
        return self.node.mapping[SOURCE_KEY].text

    def build_edit(self, offset: int, length: int, text: str) -> Edit:
        """An edit that replaces characters of the entry."""
        return Edit(place_at_offset(self.node.place, self.source_text, offset, length), text)

    def value_offset(self, name: str) -> int | None:
        """The offset of a field's value in the text of the entry; None if the value is concatenated from several parts."""
        assignment = re.search(rf"(?i)(?<![\w-]){re.escape(name)}\s*=\s*[{{\"]", self.source_text)
        value = self.field_text(name)
        return (
            assignment.end()
            if assignment and value and self.source_text.startswith(value, assignment.end())
            else None
        )

    def place_of_value(self, name: str) -> Place:
        """The place of a field's value; the place of the field if the value is concatenated from several parts."""
        offset = self.value_offset(name)
        return (
            self.place_of(name)
            if offset is None
            else place_at_offset(self.node.place, self.source_text, offset, len(self.field_text(name)))
        )


def _build_field_edit(entry: ParsedPublication, name: str, value: str) -> tuple[Edit, ...]:
    """An edit that adds a field after the key of an entry."""
    head = re.match(r"@\s*\w+\s*[{(]\s*[^,\s]+\s*,", entry.source_text)
    if head is None or name in entry.node.mapping:
        return ()
    following = re.match(r"[ \t]*(\n[ \t]*)?", entry.source_text[head.end() :])
    margin = (following and following[1]) or " "
    return (entry.build_edit(head.end(), 0, f"{margin}{name} = {{{value}}},"),)


def _build_ampersand_edits(entry: ParsedPublication, name: str) -> tuple[Edit, ...]:
    """Edits that escape each bare & in a field; () if it may be part of a formula or a URL."""
    value, start = entry.field_text(name), entry.value_offset(name)
    if start is None or re.search(r"\$|\\(?:begin|url|href)|https?:", value):
        return ()
    return tuple(
        entry.build_edit(start + match.start(), 0, "\\") for match in _BARE_AMPERSAND.finditer(value)
    )


def _build_doi_edit(entry: ParsedPublication) -> tuple[Edit, ...]:
    """An edit that removes the resolver or prefix from the DOI of an entry."""
    start = entry.value_offset("doi")
    return (
        ()
        if start is None
        else (entry.build_edit(start, len(entry.field_text("doi")), entry.publication.doi),)
    )


def lint_bibliography(entries: Sequence[ParsedPublication], owner: Profile, problems: Problems) -> None:
    """Report doubtful entries. Each of these warnings can be ignored by its code."""
    reported = problems.sorted_problems()
    broken_lines = {(p.place.file, p.place.line) for p in reported if p.code == "bib-syntax"}
    for entry in entries:
        _check_entry_type(entry, problems)
        if broken_lines.isdisjoint(entry.list_lines() if broken_lines else ()):
            _check_missing_fields(entry, problems)
        _check_field_values(entry, problems)
    _report_unused_fields(entries, frozenset(problem.place for problem in reported), problems)
    _check_duplicates(entries, problems)
    _check_venue_names(entries, problems)
    _check_owner_name(entries, owner, problems)


def _check_entry_type(entry: ParsedPublication, problems: Problems) -> None:
    """Report an entry type that is similar to a known one; any other unknown type is assumed to be intended."""
    entry_type = entry.node.mapping[TYPE_KEY].text
    near = (
        []
        if entry_type in BIBLATEX_TYPES
        else difflib.get_close_matches(entry_type, sorted(BIBLATEX_TYPES), n=1, cutoff=0.83)
    )
    if near:
        place = replace(entry.place_of(), length=len(entry_type) + 1)
        message = f"“{entry.key}” has an unknown entry type: @{entry_type}"
        problems.report("bib-type", place, message, f"write @{near[0]}")


def _check_missing_fields(entry: ParsedPublication, problems: Problems) -> None:
    """Report missing authors, years, venues, alt texts and arXiv numbers."""
    publication = entry.publication
    venue = publication.venue
    if (
        not publication.authors.people
        and not publication.editors.people
        and publication.kind in BIBLATEX_TYPES - TYPES_WITHOUT_AUTHOR
    ):
        problems.report(
            "bib-missing-author", entry.place_of(), f"“{entry.key}” has no author", "add author = {…}"
        )
    has_date_field = {"date", "year"} & entry.node.mapping.keys()  # one that is not a year is reported there
    if publication.date is None and not publication.status and not has_date_field:
        problems.report("bib-missing-year", entry.place_of(), f"“{entry.key}” has no year", "add year = {…}")
    venue_text = (
        venue.name or venue.institution or venue.publisher or publication.eprint or publication.status
    )
    has_publisher = publication.kind in ("report", "techreport") and any(
        author.name.group for author in publication.authors.people
    )  # an organization publishes its own reports
    if publication.kind in VENUE_NAMES and not venue_text and not has_publisher:
        field = VENUE_NAMES[publication.kind]
        problems.report(
            "bib-missing-venue", entry.place_of(), f"“{entry.key}” has no {field}", f"add {field} = {{…}}"
        )
    has_image_without_alt = publication.image and not publication.image_alt
    fields = entry.node.mapping.items() if has_image_without_alt else ()
    field = find_image_field({name: child.text for name, child in fields})
    if field:
        hint = f"write into content/publications.yaml: - {{key: {entry.key}, image_alt: …}}"
        message = f"the thumbnail of “{entry.key}” has no alt text"
        problems.report("bib-missing-alt", entry.place_of(field), message, hint)
    searched_text = " ".join(entry.field_text(name) for name in ("journal", "note", "howpublished", "url"))
    arxiv_number = re.search(r"ar[xX]iv[:\s./]*(?:abs/|preprint\s+arXiv:)?\s*(\d{4}\.\d{4,5})", searched_text)
    if arxiv_number and not publication.eprint:
        hint = f"add eprint = {{{arxiv_number[1]}}}"
        message = f"“{entry.key}” is on arXiv but has no eprint"
        edits = _build_field_edit(entry, "eprint", arxiv_number[1])
        problems.report("bib-missing-eprint", entry.place_of(), message, hint, edits)


def _check_field_values(entry: ParsedPublication, problems: Problems) -> None:
    """Report titles in capitals, bare ampersands, and doubtful pages and DOIs."""
    for name in ("title", "journal", "booktitle"):
        title = re.sub(r"[^\w\s]", "", entry.field_text(name))
        if title.isupper() and len(title.split()) > 2 and sum(map(str.isupper, title)) > 12:
            message = f"the {name} of “{entry.key}” is in capitals"
            hint = "write it in normal upper and lower case"
            problems.report("bib-capitals", entry.place_of(name), message, hint)
    for name in LATEX_FIELDS:
        if _BARE_AMPERSAND.search(entry.field_text(name)):
            message = f"{name} of “{entry.key}” has an & without a backslash"
            hint = "write \\&, so that LaTeX can read the entry too"
            edits = _build_ampersand_edits(entry, name)
            problems.report("bib-ampersand", entry.place_of(name), message, hint, edits)
    pages = re.fullmatch(r"\s*(\d{1,18})\s*(-+|–|—)\s*(\d{1,18})\s*", entry.field_text("pages"))
    if pages and len(pages[1]) == len(pages[3]) and int(pages[3]) < int(pages[1]):
        problems.report(
            "bib-pages",
            entry.place_of("pages"),
            f"the pages of “{entry.key}” are in reverse order",
            "put the first page first",
        )
    elif "?" in entry.field_text("pages"):
        problems.report(
            "bib-pages",
            entry.place_of("pages"),
            f"the pages of “{entry.key}” are not known",
            "delete the field",
        )
    doi = entry.field_text("doi").strip()
    if re.match(r"(?:https?://|doi:|dx\.)", doi, re.IGNORECASE) and entry.publication.doi:
        hint = f"write doi = {{{entry.publication.doi}}}"
        message = f"the doi of “{entry.key}” has more than the DOI"
        problems.report("bib-doi-prefix", entry.place_of("doi"), message, hint, _build_doi_edit(entry))


def _report_unused_fields(
    entries: Sequence[ParsedPublication], reported_places: frozenset[Place], problems: Problems
) -> None:
    """
    Report each probably misspelled field at its place, and the other unused fields once per file.

    A field at one of `reported_places` is not reported again. Notes list each unused field at its place, and the fields of programs once per file.
    """
    unused: dict[str, Counter[str]] = {}
    for entry in entries:
        for name, child in entry.node.mapping.items():
            if name.startswith("@") or is_known_field(name, child.text):
                continue
            near = suggest_field(name)
            if near and entry.place_of(name) not in reported_places:
                message = f'unknown field "{name}" in “{entry.key}”'
                problems.report("bib-unknown-field", entry.place_of(name), message, f'did you mean "{near}"?')
            elif not near:
                unused.setdefault(entry.place_of().file, Counter())[name] += 1
                message = f'the field "{name}" of “{entry.key}” is not shown'
                problems.report("bib-other-fields", entry.place_of(name), message)
    for file, field_counts in unused.items():
        message = f"fields that are not shown: {_list_counts(field_counts)}"
        problems.report("bib-unused-fields", Place(file), message, UNUSED_FIELDS_HINT)
    for file, field_counts in _count_program_fields(entries).items():
        message = f"fields of programs that are not shown: {_list_counts(field_counts)}"
        problems.report("bib-other-fields", Place(file), message)


def _count_program_fields(entries: Sequence[ParsedPublication]) -> dict[str, Counter[str]]:
    """The numbers of the fields of programs that are not shown, and of such keys in notes, by file."""
    of_programs: dict[str, Counter[str]] = {}
    for entry in entries:
        values = {name: node.text for name, node in entry.node.mapping.items() if not name.startswith("@")}
        names = [
            name
            for name, value in values.items()
            if is_known_field(name, value) and is_program_field(name) and not is_link_field(name, value)
        ]
        names += [f"{key} in a note" for key in list_unused_keys(values)]
        if names:
            of_programs.setdefault(entry.place_of().file, Counter()).update(names)
    return of_programs


def _list_counts(field_counts: Counter[str]) -> str:
    """The names and numbers of fields: "jabref (2), owner (14)"."""
    return ", ".join(f"{name} ({count})" for name, count in sorted(field_counts.items()))


UNUSED_FIELDS_HINT = (
    "nor are they in the BibTeX of readers; to ignore them: checks: {ignore: [bib-unused-fields]}"
)


def _check_duplicates(entries: Sequence[ParsedPublication], problems: Problems) -> None:
    """Report entries with the same DOI, or the same title and first author, unless one is marked as a preprint."""
    first_entries: dict[str, ParsedPublication] = {}
    pairs = find_preprint_pairs([entry.publication for entry in entries])
    joined_keys = {entries[pair.preprint].key for pair in pairs}
    for entry in entries:
        if entry.field_text("preprint_of") or entry.field_text("related") or entry.key in joined_keys:
            continue
        for identity_key in list_identity_keys(entry.publication):
            first_entry = first_entries.setdefault(identity_key, entry)
            if first_entry is not entry and first_entry.key != entry.key:
                first_place = first_entry.node.place
                location = (
                    f"line {first_place.line}"
                    if first_place.file == entry.place_of().file
                    else f"{first_place.file}:{first_place.line}"
                )
                message = f"“{entry.key}” is probably the same work as “{first_entry.key}” in {location}"
                hint = f"delete one, or write preprint_of = {{{first_entry.key}}}"
                problems.report("bib-duplicate-work", entry.place_of(), message, hint)
                break


def list_identity_keys(publication: Publication) -> Iterable[str]:
    """Texts that two entries of the same work share: the DOI, and a long title with the first author."""
    if publication.doi:
        yield f"doi {publication.doi.casefold()}"
    title = fold_text(publication.title)
    if len(title) > 12 and publication.authors.people:
        first_author = publication.authors.people[0].name
        yield f"title {title} by {fold_text(first_author.family or first_author.group)}"


def _check_venue_names(entries: Sequence[ParsedPublication], problems: Problems) -> None:
    """Report a venue that is spelled in two ways."""
    first_spellings: dict[str, tuple[str, ParsedPublication]] = {}
    for entry in entries:
        name = entry.publication.venue.name
        key = re.sub(r"\b(?:the|of|and|in|on|for)\b|\s", "", fold_text(name.replace("&", " and ")))
        if len(key) < 8:
            continue
        first_name, first_entry = first_spellings.setdefault(key, (name, entry))
        if first_name != name:
            field = next(
                (
                    field_name
                    for field_name in ("journaltitle", "journal", "booktitle")
                    if entry.field_text(field_name)
                ),
                "",
            )
            message = f"“{_shorten_venue_name(name)}” is spelled “{_shorten_venue_name(first_name)}” in “{first_entry.key}”"
            problems.report("bib-venue-names", entry.place_of(field), message, "choose one spelling")


def _shorten_venue_name(text: str) -> str:
    return text if len(text) <= 50 else text[:49].rstrip() + "…"


def _check_owner_name(entries: Sequence[ParsedPublication], owner: Profile, problems: Problems) -> None:
    """Report spellings of the owner's name that the profile lacks, or that the owner is an author of no entry."""
    publications = [entry.publication for entry in entries if entry.publication.authors.people]
    spellings = {} if owner.is_group else _list_possible_owner_spellings(entries, owner)
    for spelling, same_name in spellings.items():
        count = f"{len(same_name)} entries" if len(same_name) > 1 else "1 entry"
        message = f"“{spelling}” of {count}, such as “{same_name[0].key}”, may be you, and is not marked"
        hint = f'if so, add the spelling in content/profile.yaml: aliases: ["{spelling}"]'
        problems.report("bib-owner-spelling", same_name[0].place_of("author"), message, hint)
    if (
        not spellings
        and publications
        and not any(
            author.me
            for publication in publications
            for author in (*publication.authors.people, *publication.editors.people)
        )
    ):
        message, hint = (
            "no entry in bib/ has your name among its authors",
            "add the spelling used there: aliases: [A. Name]",
        )
        if owner.is_group:
            message = "no entry in bib/ has anybody of content/people.yaml among its authors"
            hint = "add the spellings used there to the people: aliases: [A. Name]"
        elif any(author.person for publication in publications for author in publication.authors.people):
            hint += "; if this is the site of a lab, add kind: group"
        problems.report(
            "bib-owner-absent",
            owner.key_place_of("name"),
            message,
            hint,
        )


def _list_possible_owner_spellings(
    entries: Sequence[ParsedPublication], owner: Profile
) -> Mapping[str, Sequence[ParsedPublication]]:
    """The names of authors that may be another spelling of the owner's name, each with the entries in which nobody is marked as the owner."""
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
