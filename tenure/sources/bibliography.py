"""Build a Publication from the Node of a BibTeX entry."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence

from tenure.model.languages import named
from tenure.model.links import Address, Link, instead_of
from tenure.model.names import Authors, Name
from tenure.model.scholar import Markdown, Publication, Venue
from tenure.problems import Place, Problems
from tenure.sources.addresses import doi_of, link_of
from tenure.sources.bib_fields import (
    ALWAYS_LINKS,
    TAG_FIELDS,
    TRUE,
    is_draft,
    is_link,
    link_name,
    picture_field,
)
from tenure.sources.bibtex import KEY, KIND, PARENTS, SOURCE, STRINGS, field_place
from tenure.sources.handout import handout
from tenure.sources.latex import to_address, to_markdown, to_text
from tenure.sources.moments import Moment, moment
from tenure.sources.people import annotated, read_authors
from tenure.sources.preprint_servers import (
    ARXIV,
    ARXIV_NUMBER,
    Preprint,
    may_name_server,
    parse_arxiv_number,
    parse_preprint,
)
from tenure.sources.tree import Node

KINDS: Mapping[str, str] = {"conference": "inproceedings", "www": "online", "electronic": "online"}
"""Old names of entry types. Source: biblatex manual, section 2.1.2, "Type Aliases"."""

VENUE_FIELDS = ("journaltitle", "journal", "booktitle", "eventtitle", "maintitle", "howpublished")
SAY_AN_ADDRESS = frozenset({"arxiv", "doi", "hal", "html", "pmid", "url", "website"})
"""Links to the publication itself: one with a URL that is already linked is omitted. Other links also name the content."""

ADDRESS_OF: Mapping[str, str] = {
    "arxiv": "https://arxiv.org/abs/{}",
    "hal": "https://hal.science/{}",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
}
BOOKS = frozenset(
    {"book", "mvbook", "proceedings", "mvproceedings", "collection", "mvcollection", "periodical"}
)
PARTS = frozenset({"inproceedings", "incollection", "inbook", "bookinbook", "inreference"})
"""Types that are a part of a book: `booktitle` takes precedence over `journal`."""

PREPRINT = "misc"
"""The entry type of a preprint. BibTeX has no type for it; bibliography styles write @misc."""

MAY_BE_PREPRINT = frozenset(
    {"article", "incollection", "inproceedings", "misc", "online", "report", "techreport", "unpublished"}
)
TYPED = frozenset(
    {"techreport", "report", "thesis", "phdthesis", "mastersthesis", "misc", "patent", "unpublished"}
)
"""Types whose field `type` is shown in the note: "Ph.D. dissertation"."""


def publication(node: Node, owner: Sequence[Name], entry_id: str, problems: Problems) -> Publication:
    """Build a publication from the Node of an entry. Doubtful values are reported and not dropped."""
    return _Entry(node, problems).publication(owner, entry_id)


def _macros(node: Node) -> dict[str, str]:
    """The values of the macros that an entry uses, by name."""
    return {name: child.words for name, child in node.entries[STRINGS].entries.items()}


class _Entry:
    """Builds the publication of one entry and reports its problems."""

    def __init__(self, node: Node, problems: Problems) -> None:
        self._problems = problems
        self._place = node.place
        self._raw = node.entries[SOURCE].words
        self.kind = KINDS.get(node.entries[KIND].words, node.entries[KIND].words)
        self.key = node.entries[KEY].words
        self._strings = _macros(node)
        inherited = node.entries[PARENTS].items if PARENTS in node.entries else ()
        self._parents = tuple(handout(p.entries[SOURCE].words, _macros(p)) for p in inherited)
        self._fields = {name: child.words for name, child in node.entries.items() if not name.startswith("@")}
        self._preprint = self._find_preprint()
        if self._preprint is not None and self.kind in MAY_BE_PREPRINT:
            self.kind = PREPRINT

    def _find_preprint(self) -> Preprint | None:
        """The preprint named by the first venue field that is set; None if that field names another venue."""
        venue = next(
            (name for name in self._venue_fields() if self._fields.get(name, "").strip()), "publisher"
        )
        return self._server(venue) if self.kind in MAY_BE_PREPRINT else None

    def _server(self, name: str) -> Preprint | None:
        """The preprint that a field names, or None."""
        written = self._fields.get(name, "")
        return parse_preprint(to_text(written).text) if may_name_server(written) else None

    def publication(self, owner: Sequence[Name], entry_id: str) -> Publication:
        appeared = self._moment()
        eprint = self._eprint()
        return Publication(
            id=entry_id,
            source=str(self._place),
            key=self.key,
            kind=self.kind,
            title=self._title(),
            authors=self._people("author", owner),
            editors=self._people("editor", owner),
            date=appeared.date,
            venue=self._venue(eprint),
            status=self._text("pubstate") or self._text("status") or appeared.status,
            awards=tuple(
                award
                for award in dict.fromkeys((self._markdown("award_name"), self._markdown("award")))
                if award
            ),
            abstract=self._markdown("abstract"),
            note=self._note(),
            selected=self._fields.get("selected", "").strip().casefold() in TRUE,
            tags=tuple(dict.fromkeys(self._keywords())),
            language=named(self._text("langid") or self._text("language")),
            doi=doi_of(to_address(self._fields.get("doi", ""))),
            eprint=eprint,
            server=self._preprint.server if self._preprint else "",
            links=tuple(self._links(eprint)),
            image=Address(to_address(self._fields.get(picture_field(self._fields), ""))),
            draft=is_draft(self._fields),
            bibtex=handout(self._raw, self._strings),
            parents=self._parents,
        )

    def _tell(self, code: str, field: str, words: str, message: str, hint: str = "") -> None:
        """Report a problem at an excerpt of a field's value, or else at the field."""
        place = field_place(self._place, self._raw, field)
        rest = self._raw.split("\n")[place.line - self._place.line :]
        shift = self._place.column - 1 if place.line == self._place.line else 0
        for number, line in enumerate(rest if words else ()):
            at = line.find(words, place.column + place.length - shift if number == 0 else 0)
            if at >= 0:
                column = at + 1 + (shift if number == 0 else 0)
                place = Place(place.file, place.line + number, column, len(words))
                break
        self._problems.tell(code, place, message, hint)

    def _text(self, *names: str) -> str:
        """The first of these fields that is set, as plain text."""
        value = next((self._fields[name] for name in names if self._fields.get(name, "").strip()), "")
        return to_text(value).text

    def _markdown(self, *names: str) -> Markdown:
        """The first of these fields that is set, as Markdown; unknown commands are reported."""
        name = next((name for name in names if self._fields.get(name, "").strip()), "")
        if not name:
            return Markdown("")
        decoded = to_markdown(self._fields[name])
        for command in decoded.unknown:
            message = f'the command {command} in the {name} of "{self.key}" is not known'
            self._tell("bib-latex", name, command, message, "it is shown as written")
        return Markdown(decoded.text)

    def _title(self) -> Markdown:
        title = self._markdown("title")
        subtitle = self._markdown("subtitle")
        if not title and self.kind in BOOKS:
            title = self._markdown("booktitle", "maintitle")
        if not title:
            names = [name for name in self._fields if not name.endswith("title")]
            meant = next(iter(difflib.get_close_matches("title", names, n=1, cutoff=0.75)), "")
            place = field_place(self._place, self._raw, meant) if meant else self._place
            hint = 'did you mean "title"?' if meant else "add title = {…}"
            self._problems.tell("bib-missing-title", place, f'the entry "{self.key}" has no title', hint)
            return Markdown(to_markdown(self.key).text or "?")
        return Markdown(f"{title}: {subtitle}") if subtitle else title

    def _people(self, field: str, owner: Sequence[Name]) -> Authors:
        value = self._fields.get(field, "")
        if not value.strip():
            return Authors()
        read = read_authors(value)
        for complaint in [*_unparted(value)] or read.complaints:
            words = next(iter(re.findall("“(.*)”", complaint)), "and and")
            hint = next(
                (hint for sign, hint in NAME_HINTS if sign in complaint), 'write "Family, Given and …"'
            )
            self._tell("bib-name", field, words, f'{complaint} in "{self.key}"', hint)
        notes = next(
            (v for n, v in self._fields.items() if n == f"{field}+an" or n.startswith(f"{field}+an:")), ""
        )
        authors = read.authors.with_owner(owner)
        return annotated(authors, notes) if notes else authors

    def _moment(self) -> Moment:
        """The date or publication state; values that are not dates are reported."""
        found = moment(self._text)
        for part in found.complaints:
            self._tell("bib-bad-date", part.field, part.words, f'{part.message} in "{self.key}"', part.hint)
        return found

    def _venue(self, eprint: str) -> Venue:
        """The venue. A preprint server is named once, and an arXiv number is not repeated if `eprint` has it."""
        numbers = [self._text("volume"), self._text("number", "issue"), self._text("pages", "eid")]
        publisher = self._markdown("publisher")
        if self._preprint is None:
            name = self._markdown(*self._venue_fields())
        else:
            known = self._preprint.server == ARXIV and eprint
            name = Markdown("" if known else self._preprint.server)
            numbers = ["" if known and parse_arxiv_number(text) else text for text in numbers]
            publisher = Markdown("") if self._server("publisher") else publisher
        return Venue(
            name=name,
            short=self._text("abbr", "shortjournal", "shortbooktitle"),
            volume=numbers[0],
            number=numbers[1],
            pages=re.sub(r"(?<=\d)\s*[-–—]+\s*(?=\w)", "–", numbers[2]),
            series=self._markdown("series"),
            edition=self._text("edition"),
            publisher=publisher,
            institution=self._markdown("school", "institution", "organization"),
            location=self._markdown("venue", "location", "address")
            if self.kind != "article"
            else Markdown(""),
        )

    def _venue_fields(self) -> tuple[str, ...]:
        """The fields that may name the venue, in order of precedence."""
        return ("booktitle", "eventtitle", *VENUE_FIELDS) if self.kind in PARTS else VENUE_FIELDS

    def _note(self) -> Markdown:
        """The field `type`, the notes, and a second venue field that is not shown as the venue."""
        used = next((name for name in self._venue_fields() if self._fields.get(name, "").strip()), "")
        hidden = [name for name in ("journal", "howpublished") if used not in ("", name, "journaltitle")]
        names = (*(["type"] if self.kind in TYPED else []), "note", *hidden, "additional_info", "annotation")
        parts = dict.fromkeys(
            self._markdown(name).strip() for name in names if name not in hidden or not self._server(name)
        )
        return Markdown(" ".join(part for part in parts if part))

    def _keywords(self) -> Iterator[str]:
        for word in re.split(r"[;,]", ",".join(self._text(name) for name in TAG_FIELDS)):
            if word.strip():
                yield word.strip()

    def _eprint(self) -> str:
        """The arXiv number from `arxiv`, `eprint` or a venue field."""
        archive = self._text("archiveprefix", "eprinttype").casefold()
        written = to_address(self._fields.get("arxiv", "") or self._fields.get("arxivid", ""))
        if not written and archive in ("arxiv", ""):
            written = to_address(self._fields.get("eprint", ""))
        match = re.search(r"\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}", written)
        return match[0] if match else self._eprint_of_venue()

    def _eprint_of_venue(self) -> str:
        """The arXiv number in a venue field, in volume, number, pages or eid, or in the DOI; otherwise ""."""
        named = [self._server(name) for name in (*VENUE_FIELDS, "publisher")]
        on_arxiv = [preprint for preprint in named if preprint is not None and preprint.server == ARXIV]
        if not on_arxiv:
            return ""
        numbers = [parse_arxiv_number(self._text(name)) for name in ("volume", "number", "pages", "eid")]
        doi = _ARXIV_DOI.fullmatch(doi_of(to_address(self._fields.get("doi", ""))))
        return next(
            filter(None, [*(preprint.number for preprint in on_arxiv), *numbers, doi[1] if doi else ""]), ""
        )

    def _links(self, eprint: str) -> Iterator[Link]:
        fields = dict(self._fields)
        if eprint:
            fields["arxiv"] = eprint
        if "hal_id" in fields:
            fields.setdefault("hal", fields["hal_id"])
        others = sorted(
            name
            for name in fields
            if name not in ALWAYS_LINKS
            and (name.endswith("_url") or name.startswith("url_") or is_link(name, to_address(fields[name])))
        )
        seen: set[str] = set()
        if self._preprint is not None and self._preprint.url and self._preprint.server != ARXIV:
            seen.add(self._preprint.url)
            yield Link(label=self._preprint.server, url=Address(self._preprint.url))
        for name in (*(name for name in ALWAYS_LINKS if name in fields), *others):
            written = self._address(name, to_address(fields[name]))
            if not written:
                continue
            link, complaint = link_of(link_name(name), written)
            if link is None:
                hint = instead_of(written)
                self._tell("bib-bad-address", name, written, f'{complaint} in "{self.key}"', hint)
            elif link.url not in seen or name not in SAY_AN_ADDRESS:
                seen.add(link.url)
                yield link

    def _address(self, name: str, written: str) -> str:
        """The URL for a field's value, or "". A wrong DOI is reported."""
        if not written or written.casefold() in TRUE | {"false"}:
            return ""
        if name == "url" and doi_of(written) and "://" not in written:
            return f"https://doi.org/{doi_of(written)}"
        if name == "doi" and doi_of(written) and len(written.split()) > 1:
            message = f'the doi of "{self.key}" holds more than a DOI; {doi_of(written)} is linked'
            self._tell(
                "bib-bad-address",
                "doi",
                written.split(maxsplit=1)[0],
                message,
                "keep one, and put the rest into url",
            )
        if name == "doi" and not doi_of(written) and "://" not in written:
            message = f'“{written}” is not a DOI in "{self.key}"'
            self._tell(
                "bib-bad-address", "doi", written, message, "write doi = {10.…/…}, or delete the field"
            )
            return ""
        if name == "arxiv" and "://" not in written:
            return ADDRESS_OF[name].format(written)
        if name in ADDRESS_OF and "/" not in written.strip("/"):
            return ADDRESS_OF[name].format(written)
        return written


_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.({ARXIV_NUMBER})", re.IGNORECASE)
"""Source: arXiv, "New arXiv articles are now automatically assigned DOIs" (2022)."""

NAME_HINTS = (
    ("ends in a comma", 'delete the comma before "and"'),
    ("too many commas", 'put "and" between the authors'),
    ("does not separate", 'put "and" in its place'),
    ("empty", 'delete one "and"'),
)


def _unparted(value: str) -> Iterator[str]:
    """The problem message for a separator of authors that BibTeX does not know, such as "&" or ";"."""
    bare = re.sub(r"\{[^{}]*\}", "", value)
    for sign in (r"\&", "&", ";"):
        if sign in bare:
            yield f"“{sign}” does not separate authors"
            return
