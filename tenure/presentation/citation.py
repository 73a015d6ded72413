"""The text of a publication: its authors, its venue line, its notes and its links, in one language."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from tenure.markdown.html import make_slug, plain_text
from tenure.model.entries import Publication, PublicationFact
from tenure.model.names import Author, Authors
from tenure.model.translations import Translations
from tenure.plan.pages import entry_page_path
from tenure.presentation.writer import (
    Block,
    Phrase,
    Writer,
    bullet_block,
    ends_sentence,
    fact_block,
    paper_block,
    present_bullets,
)
from tenure.record import Record, replace

TYPES_WITHOUT_LABEL = frozenset(
    {"article", "inproceedings", "incollection", "misc", "unpublished", "book", "online"}
)
"""Publication types without a label such as "Ph.D. thesis" in the venue line."""

TYPES_OF_CHAPTERS = frozenset(
    {"incollection", "inbook", "bookinbook", "inreference", "suppbook", "suppcollection"}
)
"""Publication types that are part of a book, whose editors and place each list shows."""

TYPES_IN_VENUE = TYPES_OF_CHAPTERS | {"inproceedings", "conference"}
"""Publication types that are part of a venue: "In …"."""

TYPES_WITH_GENRE = frozenset(
    {"techreport", "report", "thesis", "phdthesis", "mastersthesis", "misc", "patent", "unpublished", "manual", "online", "booklet"}
)  # fmt: skip
"""Publication types that are described by their genre: "Working paper"."""

TYPES_OF_ARTICLES = frozenset({"article", "review", "suppperiodical"})
"""Publication types whose volume and number are written “12(3)”."""

_OWN_UNIT = re.compile(r"\[|(?![ivxlcdm]+\b)[^\W\d_].*?[^\W\d_A-Z]{2}|[^\W\d_a-z]{2,}.*\d")
"""The start of a number that needs no unit before it: "Publication No. 12", "ISO 690:2021", "[2008] UKHL 48"."""

_OWN_PAGE_UNIT = re.compile(r"[§¶]|[^\W\d_]{2,}\.?\s+(?:\w+\.\s+)*\d")
"""The start of pages that are counted otherwise: "Rn. 12", "§ 5", "Kat. Nr. 3"."""

_PAGE_WORD = re.compile(r"(?![ivxlcdm]+\b)[^\W\d_]+", re.IGNORECASE)
"""A word in a number of pages, other than a Roman number: "240 S., 120 Abb."."""

_EDITION_WORD = re.compile(
    r"\b(?:edn?|edition|éd|édition|edici[óo]n|edição|edizione|aufl(?:age)?|ausg(?:abe)?|vyd(?:ání)?|wyd(?:anie)?|изд(?:ание)?|baskı|druk"
    r"|utg(?:ave|åva)?|uppl(?:agan)?|verze|version|printing|release)\b|[版刷]",
    re.IGNORECASE,
)
"""A word that says that a text is an edition: "2., überarb. Aufl."."""

_YEAR_AT_END = re.compile(r"\s*['’]?(?:19|20)?\d\d$")
"""The year after the short name of a venue: "Nature ’26"."""

_PATENT_KEY = re.compile(r"(patent|patreq)(de|eu|fr|uk|us)")
"""The genre of a patent with its country."""


class Credits(NamedTuple):
    """
    The authors of a publication, or its editors if there are no authors.

    A long list is in four parts: the first people, the hidden ones, the owner if hidden, and the last one. `more` says how
    many are hidden. A list with nobody hidden is all in `head`.
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
    """A link of a publication; `description` names the publication too, for readers who hear the link alone."""

    label: str
    url: str
    description: str
    name: str = ""
    """The label as in the source, from which its icon is chosen."""


SHOWN_LINKS = 2
"""The number of links that a list shows of a publication; the others are folded."""


class LinkRows(NamedTuple):
    """The links of a publication that a list shows, and those that it folds."""

    shown: Phrase
    folded: Phrase


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
        links = self.paper.links
        return self.w.link(self.title, entry_page_path(self.paper) or (links[0].url if links else ""))

    @cached_property
    def title_ends_sentence(self) -> bool:
        """Whether no period follows the title."""
        return ends_sentence(self.paper.title)

    @cached_property
    def kind_label(self) -> str:
        """The publication type in the language or as written, such as "Ph.D. thesis"; "" for a type without a label."""
        genre = self.paper.genre
        patent = _PATENT_KEY.fullmatch(genre)
        if patent is not None:
            return f"{self.t[f'type_{patent[1]}']} ({patent[2].upper()})"
        return self.t.get(f"type_{genre}", genre) if genre else self.t.get(f"type_{self.paper.kind}", "")

    @cached_property
    def status(self) -> str:
        """The status in the language, or as written."""
        status = self.paper.status
        return self.t.get(f"status_{make_slug(status)}", status) if status else ""

    @cached_property
    def is_note_in_venue(self) -> bool:
        """Whether the note follows the status in the venue line: "In submission, arXiv preprint soon"."""
        return bool(self.paper.status and self.paper.note and not self.paper.venue.name)

    @cached_property
    def year(self) -> str:
        """The year or years, or "" if the name of the venue or a note before it contains the year in four digits."""
        paper = self.paper
        if paper.date is None:
            return ""
        year = str(paper.date.year) if paper.date.year else paper.date.text
        if paper.date.approximate:
            return self.t["date_approximate"].format(date=year)
        if paper.end_date is not None:
            return f"{year}–{paper.end_date.year}"
        venue_text = f"{paper.venue.name} {paper.note if self.is_note_in_venue else ''}"
        is_in_venue = year in venue_text and re.search(
            rf"(?<![\w/]){re.escape(year)}(?!\w|[-/.]\d)", venue_text
        )
        return "" if is_in_venue else year

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
        labels = [(self.t.translate_link_label(link.label), link) for link in self.paper.links]
        links = [CitationLink(label, link.url, self.describe(label), link.label) for label, link in labels]
        if self.paper.url:
            label = self.t["link_link"]
            links.append(CitationLink(label, self.paper.url, self.describe(label)))
        return tuple(links)

    def link_rows(self, full: bool = False) -> LinkRows:
        """The links in two phrases, a line each; `full` adds links to the abstract and the BibTeX entry on the page of the publication."""
        links = list(self.links)
        if full and self.paper.page:
            url = entry_page_path(self.paper)
            anchors = {self.t["abstract"]: "#paper-abstract", self.t["bibtex"]: "#paper-bibtex"}
            links += [
                CitationLink(label, url + anchors[label], self.describe(label)) for label in self._parts
            ]
        written = [self.w.plain(link.label, "link", link.url, link.description) for link in links]
        return LinkRows(self.w.join(written[:SHOWN_LINKS], "\n"), self.w.join(written[SHOWN_LINKS:], "\n"))

    @cached_property
    def _parts(self) -> tuple[str, ...]:
        """The labels of the abstract and the BibTeX entry, if the publication has them."""
        abstract = (self.t["abstract"],) if self.paper.abstract else ()
        return (*abstract, self.t["bibtex"]) if self.is_citable else abstract

    @property
    def opened_parts(self) -> tuple[str, ...]:
        """The labels of the abstract and the BibTeX entry, which a list shows if the publication has no page."""
        return () if self.paper.page else self._parts

    @cached_property
    def details(self) -> tuple[Block, ...]:
        """The bullets on the page of the publication."""
        return bullet_block(present_bullets(self.w, self.paper.details))

    @cached_property
    def facts(self) -> tuple[Block, ...]:
        """The labelled facts on the page of the publication; an identifier only if no link leads to it."""
        paper, w, t = self.paper, self.w, self.t
        dates = [date for date in (paper.date, paper.end_date) if date is not None]
        # The line of the venue shows the year.
        is_shown = not self.year or any(date.month is not None for date in dates)
        start, end = w.date(t, paper.date, "long"), w.date(t, paper.end_date, "long")
        period = w.fill(t["date_period"], {"start": start, "end": end}) if end else start
        identifiers = (
            ("doi", t["doi"], paper.doi, "https://doi.org/"),
            ("arxiv", "arXiv", paper.eprint, "https://arxiv.org/abs/"),
        )
        return (
            *fact_block("kind", t["filter_type"], w.markdown(self.kind_label)),
            *(fact_block("date", t["published_on"], period) if is_shown else ()),
            *(
                block
                for name, label, identifier, prefix in identifiers
                if not any(link.url.startswith(prefix) for link in paper.links)
                for block in fact_block(name, label, w.plain(identifier, "name", f"{prefix}{identifier}"))
            ),
            *(block for fact in paper.facts for block in self._present_fact(fact)),
            *([Block("tags", name="tags", label=t["tags"])] if paper.tags else []),
            *paper_block(w, t, self.publications, paper.publications),
        )

    def _present_fact(self, fact: PublicationFact) -> tuple[Block, ...]:
        """A fact with the label of its field, or that of a link."""
        text = self.w.markdown(fact.text)
        if fact.role:
            text = self.w.fill(self._role_pattern(fact.role, len(fact.people.people)), {"names": text})
        return fact_block("", self.t.get(f"fact_{fact.name}") or self.t.translate_link_label(fact.name), text)

    @property
    def is_citable(self) -> bool:
        """Whether lists offer the BibTeX entry; what others wrote about the owner is read and not cited."""
        paper = self.paper
        return bool(paper.bibtex and (paper.page or any(author.me for author in paper.authors.people)))

    @cached_property
    def _plain_title(self) -> str:
        opening, _, closing = self.t["quote"].partition("{text}")
        return plain_text(self.paper.title).replace("“", opening).replace("”", closing)

    def describe(self, label: str) -> str:
        """A label of this publication with its title: "BibTeX: The title"."""
        return self.t.format_labelled(label, self._plain_title)

    def line(self, title: Phrase, max_people: int = 0) -> PaperLine:
        """The publication in one line, with its title as given."""
        end = self.w.end_sentence
        people, venue = self.visible_credits(max_people), self.venue_line()
        return PaperLine(end(title), end(people), end(venue), tuple(map(end, self.awards)), end(self.note))

    def reference(self, linked: bool = False) -> Phrase:
        """
        The publication as one line of a list of references, or to cite it; the title of a `linked` one leads to its page.

        At most six names, the title, the venue with volume, pages and publisher, the year, and the DOI or the arXiv URL.
        """
        people, paper = self.people, self.paper
        names = [self.w.plain(person.name.full_name, "name") for person in people.people[:6]]
        et_al = self.t["et_al"] if len(people.people) > 6 or people.others else ""
        credited = self.w.join((self.w.join(names, self.t["comma"]), self.w.plain(et_al)), " ")
        url = f"https://doi.org/{paper.doi}" if paper.doi else ""
        url = url or (f"https://arxiv.org/abs/{paper.eprint}" if paper.eprint else "")
        sentences = (
            self.w.fill(self._credits_pattern, {"names": credited}) if credited else "",
            self.linked_title if linked else self.title,
            self.venue_line(full=True),
        )
        return self.w.join((*map(self.w.end_sentence, sentences), self.w.plain(url, url=url)), " ")

    @cached_property
    def affiliations(self) -> tuple[Phrase, ...]:
        """The affiliations of the authors, each after its number."""
        return tuple(
            "".join(
                (
                    self.w.plain(str(number) if self._has_affiliation_numbers else "", "mark"),
                    self.w.link(self.w.markdown(affiliation.name, "name"), affiliation.url),
                )
            )
            for number, affiliation in enumerate(self.paper.affiliations, 1)
        )

    @property
    def _has_affiliation_numbers(self) -> bool:
        """Whether the authors need the numbers of their affiliations: not if there is one for all of them."""
        affiliations = self.paper.affiliations
        return len(affiliations) > 1 or any(affiliation.authors for affiliation in affiliations)

    @cached_property
    def with_affiliation_numbers(self) -> "Citation":
        """The citation whose authors have the numbers of their affiliations."""
        return replace(self, is_numbered=True) if self._has_affiliation_numbers else self

    def _affiliation_numbers(self, person: Author) -> str:
        """The numbers of the affiliations of an author: "1,3"."""
        numbers = (
            str(number)
            for number, affiliation in enumerate(self.paper.affiliations, 1)
            if person in affiliation.select_authors(self.paper.authors)
        )
        return ",".join(numbers)

    def credits(self, max_people: int = 0) -> Credits:
        """The authors or editors; at most `max_people` are visible, all without it."""
        shortened = self.people.shorten_list(max_people)
        if not shortened.hidden:
            return self._all_credits
        before, _, after = self._credits_pattern.partition("{names}")
        others = self.w.plain(self.t["others"]) if self.people.others else ""
        return Credits(
            head=f"{self.w.plain(before)}{self._join_people(shortened.head)}",
            more=self.t.format_count("more_authors", len(shortened.hidden)),
            hidden=self._join_people(shortened.hidden),
            hidden_owner=self._person(shortened.hidden_owner) if shortened.hidden_owner else "",
            tail=f"{self._join_people(shortened.tail, others)}{self.w.plain(after)}",
            ends_sentence=self._all_credits.ends_sentence,
        )

    def visible_credits(self, max_people: int = 0) -> Phrase:
        """The authors or editors on one line, with the number of the hidden people in their place."""
        credits_ = self.credits(max_people)
        more = self.w.plain(f"… {credits_.more}" if credits_.more else "")
        return self.w.join((credits_.head, more, credits_.hidden_owner, credits_.tail), self.t["comma"])

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
        """The pattern of people with a role, "{names} (eds.)" without one; a role without a label stays as written."""
        if not role:
            return self.t["editors" if count > 1 else "editor"]
        if f"role_{role}" in self.t:
            return self.t.format_count(f"role_{role}", count)
        return f"{{names}} ({self.t.get(f'fact_{role}', role)})"

    @cached_property
    def _all_credits(self) -> Credits:
        """The whole list of authors or editors."""
        others = self.w.plain(self.t["others"]) if self.people.others else ""
        names = self._join_people(self.people.people, others)
        head = self.w.fill(self._credits_pattern, {"names": names}) if names else ""
        return Credits(head, ends_sentence=bool(others) and self.t["others"].endswith("."))

    def _join_people(self, people: Sequence[Author], others: Phrase = "") -> Phrase:
        return self.w.join((*map(self._person, people), others), self.t["comma"])

    def _person(self, person: Author) -> Phrase:
        """A name with its footnote marks, and the numbers of its affiliations."""
        name = self.w.plain(person.name.full_name, "owner" if person.me else "person", person.url)
        numbers = self._affiliation_numbers(person) if self.is_numbered else ""
        marks = person.marks or ("*" if person.equal else "")
        if not (numbers or marks or person.corresponding):
            return name
        parts = (
            name,
            self.w.plain(numbers, "mark"),
            self.w.plain(marks, "mark", detail=self.t["equal"] if person.equal else ""),
            self.w.plain("†" if person.corresponding else "", "mark", detail=self.t["corresponding"]),
        )
        return "".join(parts)

    def venue_line(self, full: bool = False, tagged: bool = False, heading: str = "") -> Phrase:
        """
        The status, the venue, volume, pages and year.

        Series, edition, institution and publisher are omitted if the venue has a name, unless `full` or for a chapter, which also
        has the editors and the location. `tagged` begins with the status and the short name of the venue as tags. A year that
        is the `heading` of the list is omitted.
        """
        paper, venue, w, t = self.paper, self.paper.venue, self.w, self.t
        full = full or paper.kind in TYPES_OF_CHAPTERS
        with_publisher = full or not venue.name
        editors = paper.editors.people if full and paper.authors.people else ()
        others = w.plain(t["others"]) if paper.editors.others else ""
        role, count = paper.editor_role, len(editors) + paper.editors.others
        pattern = self._role_pattern(role, count) if role else t["edited_by"]
        organizations = [
            name for name in dict.fromkeys((venue.institution, venue.publisher)) if name != venue.name
        ]
        date = paper.date
        is_machine_readable = date and date.iso and not date.approximate and paper.end_date is None
        detail = str(date.year) if date and is_machine_readable else ""
        year = w.plain(self.year, "date" if detail else "", detail=detail)
        details = w.join(
            (
                w.markdown(paper.note) if self.is_note_in_venue else "",
                w.markdown(self.kind_label) if self._has_genre_before_venue else "",
                self._venue_name(tagged=tagged),
                w.fill(pattern, {"names": self._join_people(editors, others)}) if editors else "",
                w.markdown(venue.series) if with_publisher else "",
                self._volume_and_number(),
                self.edition() if with_publisher else "",
                self.fill_unit("version", venue.version),
                self.fill_unit("part", venue.part),
                self.fill_unit("chapter", venue.chapter),
                self.fill_unit("volumes", venue.volumes) if full else "",
                self.pages(),
                self.fill_unit("page_total", venue.page_total) if with_publisher else "",
                *map(w.markdown, organizations if with_publisher else ()),
                w.markdown(venue.location) if full else "",
                "" if heading and self.year == heading else year,
            ),
            t["comma"],
        )
        if tagged:
            return w.join((w.plain(self.status, "status_tag"), w.nest(self._short_name, "tag"), details), " ")
        return w.join(
            (w.plain(self.status, "status"), details), t["comma"] if self.is_note_in_venue else " · "
        )

    @property
    def _has_genre_before_venue(self) -> bool:
        """Whether the genre is shown before the name of the venue, instead of in its place."""
        paper = self.paper
        has_venue = bool(paper.venue.name or plain_text(paper.venue.short))
        return bool(paper.genre) and has_venue and paper.kind in TYPES_WITH_GENRE

    def pages(self) -> Phrase:
        """The pages: “pp. 151–163”, or “p. 12”."""
        pages = plain_text(self.paper.venue.pages)
        if _OWN_PAGE_UNIT.match(pages):
            return self.w.plain(pages, "unit")
        return self.fill_unit("pages" if any(mark in pages for mark in "–,-") else "page", pages, "pages")

    def fill_unit(self, key: str, value: str, name: str = "") -> Phrase:
        """A value with its unit, “vol. 12”; `name` is the placeholder of the pattern if it is not the key."""
        text = plain_text(value)
        has_own_unit = _OWN_UNIT.match(text) if key in ("volume", "number") else None
        if has_own_unit or (key == "page_total" and _PAGE_WORD.search(text)):
            return self.w.plain(text, "unit")
        return self.w.plain(self.t[key].replace(f"{{{name or key}}}", text), "unit") if text else ""

    @cached_property
    def _short_name(self) -> Phrase:
        short = self.paper.venue.short
        return self.w.markdown(short, "name") if plain_text(short) else ""

    def _venue_name(self, *, tagged: bool) -> Phrase:
        """The venue, “In The 30th Symposium (SOSP ’24)”, or the publication type if there is no venue."""
        paper, venue, short_name = self.paper, self.paper.venue, self._short_name
        is_short = bool(short_name) and plain_text(venue.name) == plain_text(venue.short)
        is_in_tag = is_short or plain_text(venue.name) == _YEAR_AT_END.sub("", plain_text(venue.short))
        if tagged and short_name and (is_in_tag or not venue.name):
            return ""
        if venue.name:
            name = self.w.markdown(venue.name, "venue")
            if short_name and not tagged and not is_short:
                parenthesis = self.w.nest(self.w.fill("({name})", {"name": short_name}), "parenthesis")
                name = self.w.join((name, parenthesis), " ")
            is_contained = not tagged and not paper.status and paper.kind in TYPES_IN_VENUE
            return self.w.fill(self.t["venue_in"], {"venue": name}) if is_contained else name
        if short_name:
            return self.w.nest(short_name, "abbreviation")
        if paper.kind not in TYPES_WITHOUT_LABEL or (paper.genre and paper.kind in TYPES_WITH_GENRE):
            return self.w.markdown(self.kind_label)
        return self.w.plain(f"arXiv:{paper.eprint}", "venue") if paper.eprint and not paper.status else ""

    def _volume_and_number(self) -> Phrase:
        """Volume and number: “12(3)” for an article, otherwise “vol. 12, no. 3”."""
        volume, number = self.paper.venue.volume, self.paper.venue.number
        if volume and self.paper.kind in TYPES_OF_ARTICLES:
            return self.w.plain(f"{volume}({number})" if number else volume, "unit")
        units = (self.fill_unit("volume", volume), self.fill_unit("number", number))
        return self.w.join(units, self.t["comma"])

    def edition(self) -> Phrase:
        """The edition: “2nd edition”, or as written."""
        edition = self.paper.venue.edition
        if edition.isdecimal() and len(edition) < 4:
            return self.w.plain(self.t.format_ordinal("edition_number", int(edition)))
        if _EDITION_WORD.search(edition):
            return self.w.markdown(edition)
        return (
            self.w.fill(self.t["edition"], {"edition": self.w.markdown(edition, "name")}) if edition else ""
        )
