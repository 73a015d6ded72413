"""Lint of a bibliography: probable duplicates, missing fields, doubtful values."""

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from tenure.counts import format_count
from tenure.model.entries import Profile, Publication
from tenure.model.names import fold_text, list_owner_spellings, may_be_same_person
from tenure.problems import Edit, Place, Problems
from tenure.record import Record, replace
from tenure.sources.bibtex.reader import CITATION_KEY, SOURCE_KEY, TYPE_KEY, find_field_place, place_at_offset
from tenure.sources.node import Node
from tenure.sources.publications.fields import find_image_field, find_use, suggest_field
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
        return self.node.child(name).text

    def place_of(self, name: str = "") -> Place:
        """The place of a field, or of the entry if no name is given."""
        return find_field_place(self.node.place, self.source_text, name) if name else self.node.place

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
        is_one_part = assignment and value and self.source_text.startswith(value, assignment.end())
        return assignment.end() if assignment and is_one_part else None

    @property
    def preprint_of_place(self) -> Place:
        """The place of the value of `preprint_of`; the place of the field if the value is concatenated from several parts."""
        offset, length = self.value_offset("preprint_of"), len(self.field_text("preprint_of"))
        if offset is None:
            return self.place_of("preprint_of")
        return place_at_offset(self.node.place, self.source_text, offset, length)


def _build_eprint_edits(entry: ParsedPublication, number: str) -> tuple[Edit, ...]:
    """An edit that adds the field `eprint` after the key of an entry."""
    head = re.match(r"(?P<key>@\s*\w+\s*[{(]\s*[^,\s]+\s*,)[ \t]*(?P<margin>\n[ \t]*)?", entry.source_text)
    if head is None or "eprint" in entry.node.mapping:
        return ()
    return (entry.build_edit(head.end("key"), 0, f"{head['margin'] or ' '}eprint = {{{number}}},"),)


def _build_ampersand_edits(entry: ParsedPublication, name: str) -> tuple[Edit, ...]:
    """Edits that escape each bare & in a field; () if it may be part of a formula or a URL."""
    value, start = entry.field_text(name), entry.value_offset(name)
    if start is None or re.search(r"\$|\\(?:begin|url|href)|https?:", value):
        return ()
    ampersands = _BARE_AMPERSAND.finditer(value)
    return tuple(entry.build_edit(start + match.start(), 0, "\\") for match in ampersands)


def lint_bibliography(entries: Sequence[ParsedPublication], owner: Profile, problems: Problems) -> None:
    """Report doubtful entries. Each of these warnings can be ignored by its code."""
    reported = problems.sorted_problems()
    broken_lines = {(p.place.file, p.place.line) for p in reported if p.code == "bib-syntax"}
    for entry in entries:
        _check_entry_type(entry, problems)
        first, line_count = entry.node.place, entry.source_text.count("\n") + 2  # with the line after it
        if broken_lines.isdisjoint((first.file, first.line + i) for i in range(line_count)):
            _check_missing_fields(entry, problems)
        _check_field_values(entry, problems)
    _report_unused_fields(entries, frozenset(problem.place for problem in reported), problems)
    _check_duplicates(entries, problems)
    _check_venue_names(entries, problems)
    _check_owner_name(entries, owner, problems)


def _check_entry_type(entry: ParsedPublication, problems: Problems) -> None:
    """Report an entry type that is similar to a known one; any other unknown type is assumed to be intended."""
    entry_type = entry.node.mapping[TYPE_KEY].text
    if entry_type in BIBLATEX_TYPES:
        return
    for near_type in difflib.get_close_matches(entry_type, sorted(BIBLATEX_TYPES), n=1, cutoff=0.83):
        place = replace(entry.node.place, length=len(entry_type) + 1)
        message = f"“{entry.key}” has an unknown entry type: @{entry_type}"
        problems.report("bib-type", place, message, f"write @{near_type}")


def _check_missing_fields(entry: ParsedPublication, problems: Problems) -> None:
    """Report missing authors, years, venues, alt texts and arXiv numbers."""
    publication, venue, place = entry.publication, entry.publication.venue, entry.node.place
    has_people = publication.authors.people or publication.editors.people
    if not has_people and publication.kind in BIBLATEX_TYPES - TYPES_WITHOUT_AUTHOR:
        problems.report("bib-missing-author", place, f"“{entry.key}” has no author", "add author = {…}")
    has_date_field = {"date", "year"} & entry.node.mapping.keys()  # one that is not a year is reported there
    if publication.date is None and not publication.status and not has_date_field:
        problems.report("bib-missing-year", place, f"“{entry.key}” has no year", "add year = {…}")
    has_group = any(author.name.group for author in publication.authors.people)
    is_own_report = has_group and publication.kind in ("report", "techreport")  # an organization publishes it
    texts = (venue.name, venue.institution, venue.publisher, publication.eprint, publication.status)
    if publication.kind in VENUE_NAMES and not any(texts) and not is_own_report:
        field = VENUE_NAMES[publication.kind]
        problems.report("bib-missing-venue", place, f"“{entry.key}” has no {field}", f"add {field} = {{…}}")
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
        edits = _build_eprint_edits(entry, arxiv_number[1])
        problems.report("bib-missing-eprint", place, message, hint, edits)


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
    subject, place = f"the pages of “{entry.key}”", entry.place_of("pages")
    if pages and len(pages[1]) == len(pages[3]) and int(pages[3]) < int(pages[1]):
        problems.report("bib-pages", place, f"{subject} are in reverse order", "put the first page first")
    elif "?" in entry.field_text("pages"):
        problems.report("bib-pages", place, f"{subject} are not known", "delete the field")
    doi = entry.field_text("doi").strip()
    if re.match(r"(?:https?://|doi:|dx\.)", doi, re.IGNORECASE) and entry.publication.doi:
        start = entry.value_offset("doi")
        length, new_doi = len(entry.field_text("doi")), entry.publication.doi
        edits = () if start is None else (entry.build_edit(start, length, new_doi),)
        hint = f"write doi = {{{new_doi}}}"
        message = f"the doi of “{entry.key}” has more than the DOI"
        problems.report("bib-doi-prefix", entry.place_of("doi"), message, hint, edits)


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
            if name.startswith("@") or find_use(name, child.text) != "unused":
                continue
            near = suggest_field(name)
            if near and entry.place_of(name) not in reported_places:
                message = f'unknown field "{name}" in “{entry.key}”'
                problems.report("bib-unknown-field", entry.place_of(name), message, f'did you mean "{near}"?')
            elif not near:
                unused.setdefault(entry.node.place.file, Counter())[name] += 1
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
            if find_use(name, value) in ("manager", "citation")
        ]
        names += [f"{key} in a note" for key in list_unused_keys(values)]
        if names:
            of_programs.setdefault(entry.node.place.file, Counter()).update(names)
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
                is_same_file = first_place.file == entry.node.place.file
                location = f"{'line ' if is_same_file else f'{first_place.file}:'}{first_place.line}"
                message = f"“{entry.key}” is probably the same work as “{first_entry.key}” in {location}"
                hint = f"delete one, or write preprint_of = {{{first_entry.key}}}"
                problems.report("bib-duplicate-work", entry.node.place, message, hint)
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
            field = next(filter(entry.field_text, ("journaltitle", "journal", "booktitle")), "")
            message = f"“{_shorten_venue_name(name)}” is spelled “{_shorten_venue_name(first_name)}” in “{first_entry.key}”"
            problems.report("bib-venue-names", entry.place_of(field), message, "choose one spelling")


def _shorten_venue_name(text: str) -> str:
    return text if len(text) <= 50 else text[:49].rstrip() + "…"


def _check_owner_name(entries: Sequence[ParsedPublication], owner: Profile, problems: Problems) -> None:
    """Report spellings of the owner's name that the profile lacks, or that the owner is an author of no entry."""
    publications = [entry.publication for entry in entries if entry.publication.authors.people]
    authors = [author for publication in publications for author in publication.authors.people]
    editors = [editor for publication in publications for editor in publication.editors.people]
    spellings = {} if owner.is_group else _list_possible_owner_spellings(entries, owner)
    for spelling, same_name in spellings.items():
        count = format_count(len(same_name), "entry", "entries")
        message = f"“{spelling}” of {count}, such as “{same_name[0].key}”, may be you, and is not marked"
        hint = f'if so, add the spelling in content/profile.yaml: aliases: ["{spelling}"]'
        problems.report("bib-owner-spelling", same_name[0].place_of("author"), message, hint)
    if spellings or not publications or any(person.me for person in (*authors, *editors)):
        return
    message = "no entry in bib/ has your name among its authors"
    hint = "add the spelling used there: aliases: [A. Name]"
    if owner.is_group:
        message = "no entry in bib/ has anybody of content/people.yaml among its authors"
        hint = "add the spellings used there to the people: aliases: [A. Name]"
    elif any(author.person for author in authors):
        hint += "; if this is the site of a lab, add kind: group"
    problems.report("bib-owner-absent", owner.key_place_of("name"), message, hint)


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
