"""
The text of a publication: its authors, its venue line, its notes and its links, in one language.

The objects: a Citation computes each part of a publication once, as phrases of a Writer; Credits are the
people in the place of the authors; a PaperLine is what a list shows of it. A fact has a label, and stands on
the page of the publication: "DOI: 10.1/x". A tagged line begins with the short name of the venue in a box:
[SOSP].
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from tenure.markdown.html import make_slug, plain_text
from tenure.model.entries import Publication
from tenure.model.names import Author, Authors
from tenure.model.publications import ARTICLES, BOOKS, CHAPTERS, PARTS, WITH_GENRE, WITHOUT_LABEL
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path
from tenure.presentation.writer import (
    Block,
    Phrase,
    Writer,
    ends_sentence,
    keep_filled,
    list_papers,
    present_bullets,
)
from tenure.record import Record, replace

_OWN_NUMBER = re.compile(r"\[|(?![ivxlcdm]+\b)[^\W\d_].*?[^\W\d_A-Z]{2}|[^\W\d_a-z]{2,}.*\d")
"""A number with words of its own: [1], "Publication No. 12", "ISO 690:2021"; xvi and A12 have none."""

_OWN_PAGES = re.compile(r"[§¶]|[^\W\d_]{2,}\.?\s+(?:\w+\.\s+)*\d")
"""Pages with words of their own: § 5, Rn. 12, Kat. Nr. 3."""

OWN_UNITS: Mapping[str, re.Pattern[str]] = {
    # "Publication No. 12", "ISO 690:2021"
    **dict.fromkeys(("volume", "number"), _OWN_NUMBER),
    # "Rn. 12", "§ 5", "Kat. Nr. 3"
    **dict.fromkeys(("page", "pages"), _OWN_PAGES),
    "page_total": re.compile(r".*?(?![ivxlcdm]+\b)[^\W\d_]+", re.IGNORECASE),  # "240 S., 120 Abb."
}
"""The start of numbers that need no unit before them, by the unit."""

_EDITION_WORD = re.compile(
    r"""
    \b (?:
        edn?|edition|éd|édition|edici[óo]n|edição|edizione
        |aufl(?:age)?|ausg(?:abe)?|vyd(?:ání)?|wyd(?:anie)?|изд(?:ание)?|baskı|druk
        |utg(?:ave|åva)?|uppl(?:agan)?|verze|version|printing|release
    )\b
    | [版刷]
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A word that says that a text is an edition: "2., überarb. Aufl."."""

_YEAR_AT_END = re.compile(r"\s*['’]?(?:19|20)?\d\d$")
"""The year after the short name of a venue: "Nature ’26"."""

_PATENT_KEY = re.compile(r"(patent|patreq)(de|eu|fr|uk|us)")
"""The genre of a patent with its country."""


class Credits(NamedTuple):
    """
    The authors of a publication, or its editors if there are no authors.

    A long list is in four parts: the first people, the hidden ones, the owner if hidden, and the last one.
    `more` says how many are hidden. A list with nobody hidden is all in `head`.
    """

    head: Phrase
    more: str = ""
    hidden: Phrase = ""
    hidden_owner: Phrase = ""
    tail: Phrase = ""
    ends_sentence: bool = False


class PaperLine(NamedTuple):
    """What a list without links shows of a publication, in this order; each part is a sentence."""

    title: Phrase
    people: Phrase
    venue: Phrase
    awards: tuple[Phrase, ...]
    note: Phrase


class CitationLink(NamedTuple):
    """A link of a publication; `description` names the publication too, for those who hear it alone."""

    label: str
    url: str
    description: str
    name: str = ""
    """The label as in the source, from which its icon is chosen."""


SHOWN_LINKS = 2
"""The number of links that a list shows of a publication; the others are folded."""


class Citation(Record, dict=True):
    """What a publication shows, in the language of `t`. Each part is computed once."""

    paper: Publication
    t: Translations
    w: Writer
    publications: Sequence[Publication] = ()
    """The publications of the site, which the publication may name."""

    is_numbered: bool = False
    """Whether the authors have the numbers of their affiliations."""

    citations: int | None = None
    """How often the publication is cited, if that is shown."""

    @cached_property
    def title(self) -> Phrase:
        """The title in its language."""
        return self.w.title(self.paper)

    @cached_property
    def linked_title(self) -> Phrase:
        """The title as a link to the page of the publication, or to its first link if it has no page."""
        first_url = next((link.url for link in self.paper.links), "")
        return self.w.link(self.title, entry_page_path(self.paper) or first_url)

    @cached_property
    def title_ends_sentence(self) -> bool:
        """Whether no period follows the title."""
        return ends_sentence(self.paper.title)

    @cached_property
    def kind_label(self) -> str:
        """The type in the language or as written, such as "Ph.D. thesis"; "" for one without a label."""
        genre = self.paper.genre
        if not genre:
            return self.t.get(f"type_{self.paper.kind}", "")
        patent = _PATENT_KEY.fullmatch(genre)
        if patent is not None:
            return f"{self.t[f'type_{patent[1]}']} ({patent[2].upper()})"
        return self.t.get(f"type_{genre}", genre)

    @property
    def _has_own_genre(self) -> bool:
        """Whether the genre says more than the type: a workshop paper, a software."""
        return bool(self.paper.genre) and self.paper.kind in WITH_GENRE

    @cached_property
    def status(self) -> str:
        """The status in the language, or as written."""
        status = self.paper.status
        if status:
            return self.t.get(f"status_{make_slug(status)}", status)
        return ""

    @cached_property
    def is_note_in_venue(self) -> bool:
        """Whether the note follows the status in the venue line: "In submission, arXiv preprint soon"."""
        return bool(self.paper.status and self.paper.note and not self.paper.venue.name)

    @cached_property
    def year(self) -> str:
        """The year or years, or "" if the name of the venue or a note before it contains the year."""
        paper = self.paper
        if paper.date is None:
            return ""
        year = str(paper.date.year) if paper.date.year else paper.date.text
        if paper.date.approximate:
            return self.t["date_approximate"].format(date=year)
        if paper.end_date is not None:
            return f"{year}–{paper.end_date.year}"

        venue_text: str = paper.venue.name
        if self.is_note_in_venue:
            venue_text = f"{venue_text} {paper.note}"
        # a pattern takes long to compile, and each year has its own
        if year not in venue_text:
            return year
        # "The 2024 Conference on Looms", but not "2024/25" or "2024-06"
        is_in_text = re.search(rf"(?<![\w/]){re.escape(year)}(?!\w|[-/.]\d)", venue_text)
        return "" if is_in_text else year

    @cached_property
    def awards(self) -> tuple[Phrase, ...]:
        """The awards in order."""
        return tuple(self.w.markdown(award, "award") for award in self.paper.awards)

    @cached_property
    def note(self) -> Phrase:
        """The note unless it is in the venue line, and how often the publication is cited."""
        note = "" if self.is_note_in_venue else self.w.markdown(self.paper.note, "note")
        if self.citations is None:
            return note
        separator = " " if ends_sentence(self.w.to_text(note)) else self.t["semicolon"]
        return self.w.join((note, self.w.plain(self.t.format_count("cited", self.citations))), separator)

    def with_citations(self, citations: int | None) -> "Citation":
        """The citation that shows how often the publication is cited; None shows nothing."""
        return self if citations is None else replace(self, citations=citations)

    @cached_property
    def links(self) -> tuple[CitationLink, ...]:
        """The links in order; the URL of the publication is the last one."""
        t = self.t
        written = [(t.translate_link_label(link.label), link.url, link.label) for link in self.paper.links]
        if self.paper.url:
            written.append((t["link_link"], self.paper.url, ""))
        return tuple(CitationLink(label, url, self.describe(label), name) for label, url, name in written)

    def link_rows(
        self, full: bool = False, has_abstract: bool = False
    ) -> tuple[Phrase, Phrase, tuple[str, ...]]:
        """
        The links that a list shows, those that it folds, a line each, and the labels of texts that it opens.

        `full` adds the abstract and the BibTeX entry: links to them on the page of the publication, or the
        texts without a page. `has_abstract`: the list has the abstract already.
        """
        paper = self.paper
        parts: list[str] = []
        if full and paper.abstract and not has_abstract:
            parts.append("abstract")
        if full and self.is_citable:
            parts.append("bibtex")

        links = list(self.links)
        opened = tuple(self.t[part] for part in parts)
        if paper.page:
            for label, part in zip(opened, parts, strict=True):
                url = f"{entry_page_path(paper)}#paper-{part}"
                links.append(CitationLink(label, url, self.describe(label)))
            opened = ()

        written = [self.w.plain(link.label, "link", link.url, link.description) for link in links]
        shown = self.w.join(written[:SHOWN_LINKS], "\n")
        folded = self.w.join(written[SHOWN_LINKS:], "\n")
        return shown, folded, opened

    @property
    def is_citable(self) -> bool:
        """Whether lists offer the BibTeX entry; what others wrote about the owner is read and not cited."""
        paper = self.paper
        return bool(paper.bibtex and (paper.page or any(author.me for author in paper.authors.people)))

    @cached_property
    def details(self) -> tuple[Block, ...]:
        """The bullets on the page of the publication."""
        return keep_filled(
            self.paper, [Block("bullets", bullets=present_bullets(self.w, self.paper.details))]
        )

    @cached_property
    def facts(self) -> tuple[Block, ...]:
        """
        The labelled facts on the page of the publication: its type, date, identifiers, awards, tags.

        An identifier is left out if a link leads to it, and the date if the line of the venue says as much.
        """
        paper = self.paper
        w = self.w
        t = self.t
        facts = {t["filter_type"]: [w.markdown(self.kind_label)]}
        # the line of the venue shows the year
        if not self.year or any(date.month for date in (paper.date, paper.end_date) if date):
            facts[t["published_on"]] = [self._format_dates()]

        linked_urls = {link.url for link in paper.links}
        if paper.doi_url not in linked_urls:
            facts[t["doi"]] = [w.plain(paper.doi, "name", paper.doi_url)]
        if paper.arxiv_url not in linked_urls:
            facts["arXiv"] = [w.plain(paper.eprint, "name", paper.arxiv_url)]

        for fact in paper.facts:
            text = w.markdown(fact.text)
            if fact.role:
                text = w.fill(self._role_pattern(fact.role, len(fact.people.people)), {"names": text})
            label = t.get(f"fact_{fact.name}") or t.translate_link_label(fact.name)
            facts.setdefault(label, []).append(text)

        blocks = [
            Block("fact", label=label, items=(w.join(texts, t["semicolon"]),))
            for label, texts in facts.items()
        ]
        papers = list_papers(w, t, self.publications, paper.publications)
        return keep_filled(paper, [*blocks, Block("tags", label=t["tags"]), papers])

    def _format_dates(self) -> Phrase:
        """The date of the publication in words, or its first and its last: "May 2019 – June 2021"."""
        start = self.w.date(self.t, self.paper.date, "long")
        end = self.w.date(self.t, self.paper.end_date, "long")
        if not end:
            return start
        return self.w.fill(self.t["date_period"], {"start": start, "end": end})

    @cached_property
    def _plain_title(self) -> str:
        """The title without markup, with the quotation marks of the language."""
        opening, _, closing = self.t["quote"].partition("{text}")
        return plain_text(self.paper.title).replace("“", opening).replace("”", closing)

    def describe(self, label: str) -> str:
        """A label of this publication with its title: "BibTeX: The title"."""
        return self.t.format_labelled(label, self._plain_title)

    def line(self, title: Phrase, max_people: int = 0) -> PaperLine:
        """The publication in one line, with its title as given; hidden people are a number."""
        shown = self.credits(max_people)
        more = self.w.plain(f"… {shown.more}" if shown.more else "")
        people = self.w.join((shown.head, more, shown.hidden_owner, shown.tail), self.t["comma"])

        end = self.w.end_sentence
        awards = tuple(map(end, self.awards))
        return PaperLine(
            end(title), end(people), end(self.venue_line(is_reference=True)), awards, end(self.note)
        )

    def reference(self, linked: bool = False) -> Phrase:
        """
        The publication as one line of a list of references; the title of a `linked` one leads to its page.

        At most six names, the title, the venue with volume, pages and publisher, the year, and the DOI or the
        arXiv URL.
        """
        people = self.people
        names = [self.w.plain(person.name.full_name, "name") for person in people.people[:6]]
        et_al = self.t["et_al"] if len(people.people) > 6 or people.others else ""
        credited = self.w.join((self.w.join(names, self.t["comma"]), self.w.plain(et_al)), " ")

        url = self.paper.doi_url or self.paper.arxiv_url
        sentences = (
            self.w.fill(self._credits_pattern, {"names": credited}),
            self.linked_title if linked else self.title,
            self.venue_line(full=True, is_reference=True),
        )
        return self.w.join((*map(self.w.end_sentence, sentences), self.w.plain(url, url=url)), " ")

    @cached_property
    def affiliations(self) -> tuple[Phrase, ...]:
        """The affiliations of the authors, each after its number if the authors have numbers."""
        written = []
        for number, affiliation in enumerate(self.paper.affiliations, 1):
            mark = self.w.plain(str(number) if self.is_numbered else "", "mark")
            name = self.w.link(self.w.markdown(affiliation.name, "name"), affiliation.url)
            written.append(f"{mark}{name}")
        return tuple(written)

    @cached_property
    def with_affiliation_numbers(self) -> "Citation":
        """The citation whose authors have the numbers of their affiliations, unless all have the same."""
        affiliations = self.paper.affiliations
        is_numbered = len(affiliations) > 1 or any(affiliation.authors for affiliation in affiliations)
        return replace(self, is_numbered=True) if is_numbered else self

    def credits(self, max_people: int = 0) -> Credits:
        """The authors or editors; of more than `max_people`, from 3 on, the first ones and the last one."""
        w = self.w
        t = self.t
        people = self.people.people
        others = w.plain(t["others"]) if self.people.others else ""
        # "et al."
        ends = bool(others) and t["others"].endswith(".")
        if max_people < 3 or len(people) <= max_people:
            head = w.fill(self._credits_pattern, {"names": self._join_people(people, others)})
            return Credits(head, ends_sentence=ends)

        before, _, after = self._credits_pattern.partition("{names}")
        hidden = people[max_people - 2 : -1]
        return Credits(
            head=f"{w.plain(before)}{self._join_people(people[: max_people - 2])}",
            more=t.format_count("more_authors", len(hidden)),
            hidden=self._join_people(hidden),
            hidden_owner=self._join_people([person for person in hidden if person.me][:1]),
            tail=f"{self._join_people(people[-1:], others)}{w.plain(after)}",
            ends_sentence=ends,
        )

    @cached_property
    def has_one_author(self) -> bool:
        """Whether the owner of the site is the only author."""
        authors = self.paper.authors
        return not authors.others and [person.me for person in authors.people] == [True]

    @cached_property
    def people(self) -> Authors:
        return self.paper.authors if self.paper.authors.people else self.paper.editors

    @cached_property
    def _credits_pattern(self) -> str:
        """The pattern of the people: of editors "{names} (eds.)"."""
        if self.paper.authors.people or self.paper.authors.others:
            return "{names}"
        return self._role_pattern(self.paper.editor_role, len(self.people.people) + self.people.others)

    def _role_pattern(self, role: str, count: int) -> str:
        """The pattern of people with a role, "{names} (eds.)" without one; other roles stay as written."""
        if not role:
            return self.t["editors" if count > 1 else "editor"]
        if f"role_{role}" in self.t:
            return self.t.format_count(f"role_{role}", count)
        return f"{{names}} ({self.t.get(f'fact_{role}', role)})"

    def _join_people(self, people: Iterable[Author], others: Phrase = "") -> Phrase:
        """Names, each with its footnote marks and the numbers of its affiliations: Ada Lee¹,²*, Bo Kim¹†."""
        w = self.w
        affiliations = self.paper.affiliations if self.is_numbered else ()
        names = []
        for person in people:
            name = w.plain(person.name.full_name, "owner" if person.me else "person", person.url)
            numbers = [
                str(number)
                for number, affiliation in enumerate(affiliations, 1)
                if person in affiliation.select_authors(self.paper.authors)
            ]
            name = f"{name}{w.plain(','.join(numbers), 'mark')}{self.write_marks(person)}"
            if person.corresponding:
                name = f"{name}{w.plain('†', 'mark', detail=self.t['corresponding'])}"
            names.append(name)

        return w.join((*names, others), self.t["comma"])

    def write_marks(self, person: Author) -> Phrase:
        """The footnote marks of a name, such as the star of an equal contribution."""
        marks = person.marks or ("*" if person.equal else "")
        return self.w.plain(marks, "mark", detail=self.t["equal"] if person.equal else "")

    def venue_line(
        self, full: bool = False, tagged: bool = False, heading: str = "", *, is_reference: bool = False
    ) -> Phrase:
        """
        The status, the venue, volume, pages and year.

        Looms: “in press · Caches (Q1), 12(3), 2024”; tagged: [in press] [CACM] [Q1] “Caches, 12(3)”.
        Series, edition, institution and publisher are omitted if the venue has a name, unless `full` or for a
        chapter, which also has the editors and the location. `tagged` begins with the status, the short name
        and the rank of the venue as tags. A year that is the `heading` of the list is omitted, and so is one
        that the name of the venue has, unless this is a reference.
        """
        paper = self.paper
        venue = paper.venue
        w = self.w
        # a line to cite has no rank
        rank = "" if full and is_reference else w.markdown(venue.rank, "name")
        full = full or paper.kind in CHAPTERS
        # one of spaces or marks alone has no words
        short_name = w.markdown(venue.short, "name") if plain_text(venue.short) else ""
        has_publisher = full or not venue.name
        # "PhD thesis", "Technical report"; without a venue, the label is in its place
        has_label = self._has_own_genre and (venue.name or short_name)
        has_year = self.year != heading and (is_reference or not self._is_year_in_name(tagged=tagged))
        year = self._write_year() if has_year else ""

        parts = [
            w.markdown(paper.note) if self.is_note_in_venue else "",
            w.markdown(self.kind_label) if has_label else "",
            self._venue_name(short_name, rank, tagged=tagged),
            self._write_editors() if full else "",
            w.markdown(venue.series) if has_publisher else "",
            *self._write_volume(),
            self.edition() if has_publisher else "",
            self.fill_unit("version", venue.version),
            self.fill_unit("part", venue.part),
            self.fill_unit("chapter", venue.chapter),
            self.fill_unit("volumes", venue.volumes) if full else "",
            self.pages(),
            *self._imprint(year, full=full),
        ]
        details = w.join(parts, self.t["comma"])
        if tagged:
            tags = w.plain(self.status, "status_tag"), w.nest(short_name, "tag"), w.nest(rank, "tag")
            return w.join((*tags, details), " ")
        separator = self.t["comma"] if self.is_note_in_venue else " · "
        return w.join((w.plain(self.status, "status"), details), separator)

    def _is_year_in_name(self, *, tagged: bool) -> bool:
        """
        Whether the short name is the only one shown, and ends with the year: “NeurIPS ’24”, “NeurIPS 2024”.

        It is the only one if the venue has no other name, or if the tag of the short name is all that is
        shown of "NeurIPS".
        """
        name = plain_text(self.paper.venue.name)
        short = plain_text(self.paper.venue.short)
        year = _YEAR_AT_END.search(short)
        names = ("", short, short[: year.start()]) if tagged and year else ("", short)
        if year is None or name not in names:
            return False
        digits = year[0].lstrip(" '’")
        return digits != year[0] and self.year.endswith(digits)

    def _write_editors(self) -> Phrase:
        """The editors of a work that has authors: "ed. by A and B"; "" without editors."""
        editors = self.paper.editors
        if not editors.people or not self.paper.authors.people:
            return ""
        pattern = self.t["edited_by"]
        if self.paper.editor_role:
            pattern = self._role_pattern(self.paper.editor_role, len(editors.people) + editors.others)
        others = self.w.plain(self.t["others"]) if editors.others else ""
        return self.w.fill(pattern, {"names": self._join_people(editors.people, others)})

    def _write_volume(self) -> tuple[Phrase, ...]:
        """The volume and the number with their units, "vol. 12", "no. 3"; of an article, 12(3)."""
        venue = self.paper.venue
        if venue.volume and self.paper.kind in ARTICLES:
            number = f"({venue.number})" if venue.number else ""
            return (self.w.plain(f"{venue.volume}{number}", "unit"),)
        return self.fill_unit("volume", venue.volume), self.fill_unit("number", venue.number)

    def _write_year(self) -> Phrase:
        """The year, for programs too if it is one date that is known."""
        date = self.paper.date
        if date and date.iso and not date.approximate and self.paper.end_date is None:
            return self.w.plain(self.year, "date", detail=str(date.year))
        return self.w.plain(self.year)

    def _imprint(self, year: Phrase, *, full: bool) -> tuple[Phrase, ...]:
        """
        The place, the publisher, the year and the number of pages; `full` as in `venue_line`.

        A book: Paris, Le Seuil, 2019, 432 pp.; any other work: 432 pp., Le Seuil, Paris, 2019.
        """
        venue = self.paper.venue
        w = self.w
        is_shown = full or not venue.name
        names = dict.fromkeys((venue.institution, venue.publisher))
        publishers = [w.markdown(name) for name in names if name != venue.name and is_shown]
        total = self.fill_unit("page_total", venue.page_total) if is_shown else ""
        place = w.markdown(venue.location)

        if self.paper.kind in BOOKS:
            return (place if is_shown else "", *publishers, year, total)
        return (total, *publishers, place if full else "", year)

    def pages(self) -> Phrase:
        """The pages: “pp. 151–163”, or “p. 12”."""
        pages = self.paper.venue.pages
        unit = "pages" if any(mark in pages for mark in "–,-") else "page"
        return self.fill_unit(unit, pages, "pages")

    def fill_unit(self, key: str, value: str, name: str = "") -> Phrase:
        """A value with its unit, “vol. 12”; `name` is its placeholder if it is not the key."""
        text = plain_text(value)
        has_own_unit = key in OWN_UNITS and OWN_UNITS[key].match(text)
        if text and not has_own_unit:
            text = self.t[key].replace(f"{{{name or key}}}", text)
        return self.w.plain(text, "unit")

    def _venue_name(self, short_name: Phrase, rank: Phrase, *, tagged: bool) -> Phrase:
        """The venue, “In The 30th Symposium (SOSP ’24, CCF-A)”, or the type if there is no venue."""
        name = self.paper.venue.name
        # the tag is enough
        if not name and tagged and short_name:
            return ""
        if not name:
            written = self._name_without_venue(short_name)
            return written if tagged else self._add_in_parentheses(written, rank)

        short = plain_text(self.paper.venue.short)
        is_same = bool(short_name) and plain_text(name) == short
        if tagged:
            # "NeurIPS" is in the tag "NeurIPS ’24"
            is_in_tag = short_name and (is_same or plain_text(name) == _YEAR_AT_END.sub("", short))
            return "" if is_in_tag else self.w.markdown(name, "venue")
        inside = self.w.join(("" if is_same else short_name, rank), self.t["comma"])
        written = self._add_in_parentheses(self.w.markdown(name, "venue"), inside)
        # "In NeurIPS", but "To appear · NeurIPS"
        if self.paper.kind in PARTS and not self.paper.status:
            return self.w.fill(self.t["venue_in"], {"venue": written})
        return written

    def _add_in_parentheses(self, name: Phrase, inside: Phrase) -> Phrase:
        """A name and what stands in parentheses after it: “NeurIPS (CCF-A)”."""
        if not inside:
            return name
        parenthesis = self.w.nest(self.w.fill("({name})", {"name": inside}), "parenthesis")
        return self.w.join((name, parenthesis), " ")

    def _name_without_venue(self, short_name: Phrase) -> Phrase:
        """What stands in place of the name of a venue: its short name, the type, or the number in arXiv."""
        paper = self.paper
        if short_name:
            return self.w.nest(short_name, "abbreviation")
        if paper.kind not in WITHOUT_LABEL or self._has_own_genre:
            return self.w.markdown(self.kind_label)
        if paper.eprint and not paper.status:
            return self.w.plain(f"arXiv:{paper.eprint}", "venue")
        return ""

    def edition(self) -> Phrase:
        """The edition: “2nd edition”, or as written."""
        edition = self.paper.venue.edition
        # "2" -> "2nd edition", but not the year "2019"
        if edition.isdecimal() and len(edition) < 4:
            return self.w.plain(self.t.format_ordinal("edition_number", int(edition)))
        if _EDITION_WORD.search(edition):
            return self.w.markdown(edition)
        return self.w.fill(self.t["edition"], {"edition": self.w.markdown(edition, "name")})
