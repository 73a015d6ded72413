"""Write a publication as one line of a bibliography in a citation style of the table STYLES."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from tenure.markdown.html import plain_text
from tenure.model.dates import Date
from tenure.model.names import Author, Name, is_cjk_text
from tenure.model.publication_types import find_reference_type
from tenure.model.site import CitationStyleName
from tenure.model.translations import Translations
from tenure.presentation.citation import TYPES_WITH_GENRE, Citation
from tenure.presentation.writer import DateForm, Phrase, Writer, ends_sentence
from tenure.record import Record, replace

NameOrder = Literal["inverted", "first inverted", "natural"]
Initials = Literal["full", "spaced", "joined"]


class NameForm(Record):
    """
    How a style writes a list of names.

    `order` says which names begin with the family name. `initials` are "A. M." (spaced), "AM" (joined) or the names in
    full. A list of more than `maximum` names has its first `shown` ones and "et al."; `ellipsis` also shows the last
    one. `last` is before the last name, `two` between two names; "{and}" is the word of the language.
    """

    order: NameOrder
    initials: Initials = "full"
    last: str = ", {and} "
    two: str = " {and} "
    maximum: int = 99
    shown: int = 1
    ellipsis: bool = False
    before_et_al: str = ", "
    editors: str = " ({editors})"
    """The text after the names of editors in place of authors."""


class CitationStyle(Record):
    """
    A citation style: the form of its names, and its patterns by name (`PATTERN_NAMES`).

    A pattern has fields in braces: "{publisher, year}" joins those that have a value. A part in angle brackets is omitted if
    none of its fields has a value. `*` around a field means italics.
    """

    names: NameForm
    patterns: Mapping[str, str]


PATTERN_NAMES: Mapping[str, str] = {
    "article-journal": "article", "paper-conference": "conference", "chapter": "chapter", "entry-encyclopedia": "chapter",
    "book": "book", "pamphlet": "book", "thesis": "thesis", "report": "report", "patent": "report", "article": "preprint",
    "manuscript": "preprint",
}  # fmt: skip
"""The name of a pattern by the CSL type; other types have the pattern "other"."""


STYLES: Mapping[str, CitationStyle] = {
    "apa": CitationStyle(
        NameForm("inverted", "spaced", ", & ", ", & ", 20, 19, ellipsis=True),
        {
            "article": "<{names}. ><({year}). >{title}.< *{venue}*><, *{volume}*><({number})><, {pages}>.< {url}>",
            "conference": "<{names}. ><({year}). >{title}.< *{venue}*><, {pages}>.< {publisher}.>< {url}>",
            "chapter": "<{names}. ><({year}). >{title}. In< {editors} ({editor_label}),>< *{venue}*>< ({pp})>.< {publisher}.>< {url}>",
            "book": "<{names}. ><({year}). >*{title}*< ({edition})>.< {publisher}.>< {url}>",
            "thesis": "<{names}. ><({year}). >*{title}*< [{genre}]>.< {publisher}.>< {url}>",
            "report": "<{names}. ><({year}). >*{title}*< ({genre no})>.< {publisher}.>< {url}>",
            "preprint": "<{names}. ><({year}). >*{title}*.< {server}.>< {url}>",
            "other": "<{names}. ><({year}). >*{title}*.< {venue}.>< {publisher}.>< {url}>",
        },
    ),
    "mla": CitationStyle(
        NameForm("first inverted", "full", ", {and} ", ", {and} ", 2, 1, editors=", {editors}"),
        {
            "article": "<{names}. >“{title}.”< *{venue}*><, {vol}><, {no}><, {date}><, {pp}><, {url}>.",
            "conference": "<{names}. >“{title}.”< *{venue}*><, {publisher}><, {year}><, {pp}><, {url}>.",
            "chapter": "<{names}. >“{title}.”< *{venue}*><, {edited_by}><, {publisher}><, {year}><, {pp}><, {url}>.",
            "book": "<{names}. >*{title}*.< {edition, publisher, year, url}.>",
            "thesis": "<{names}. >*{title}*.< {year}.>< {publisher, genre, url}.>",
            "report": "<{names}. >*{title}*.< {genre no},>< {publisher, year, url}.>",
            "preprint": "<{names}. >“{title}.”< {server}><, {date}><, {url}>.",
            "other": "<{names}. >*{title}*.< {venue, publisher, year, url}.>",
        },
    ),
    "chicago": CitationStyle(
        NameForm("first inverted", "full", ", {and} ", ", {and} ", 6, 3, editors=", {editors}"),
        {
            "article": "<{names}. ><{year}. >“{title}.”< *{venue}*>< {volume}>< ({number})><: {pages}>.< {url}.>",
            "conference": "<{names}. ><{year}. >“{title}.”< *{venue}*><, {pages}>.< {publisher}.>< {url}.>",
            "chapter": "<{names}. ><{year}. >“{title}.” In *{venue}*<, {edited_by}>.< {publisher}.>< {url}.>",
            "book": "<{names}. ><{year}. >*{title}*.< {edition}.>< {publisher}.>< {url}.>",
            "thesis": "<{names}. ><{year}. >“{title}.”< {genre, publisher}.>< {url}.>",
            "report": "<{names}. ><{year}. >*{title}*.< {genre no}.>< {publisher}.>< {url}.>",
            "preprint": "<{names}. ><{year}. >“{title}.”< {server}.>< {url}.>",
            "other": "<{names}. ><{year}. >*{title}*.< {venue}.>< {publisher}.>< {url}.>",
        },
    ),
    "chicago-notes": CitationStyle(
        NameForm("first inverted", "full", ", {and} ", ", {and} ", 6, 3, editors=", {editors}"),
        {
            "article": "<{names}. >“{title}.”< *{venue}*>< {volume}><, {no}>< ({year})><: {pages}>.< {url}.>",
            "conference": "<{names}. >“{title}.”< *{venue}*><, {publisher}><, {year}><, {pages}>.< {url}.>",
            "chapter": "<{names}. >“{title}.” In *{venue}*<, {edited_by}>.< {publisher, year}.>< {url}.>",
            "book": "<{names}. >*{title}*.< {edition}.>< {publisher, year}.>< {url}.>",
            "thesis": "<{names}. >“{title}.”< {genre, publisher, year}.>< {url}.>",
            "report": "<{names}. >*{title}*.< {genre no}.>< {publisher, year}.>< {url}.>",
            "preprint": "<{names}. >“{title}.”< {server, year}.>< {url}.>",
            "other": "<{names}. >*{title}*.< {venue}.>< {publisher, year}.>< {url}.>",
        },
    ),
    "vancouver": CitationStyle(
        NameForm("inverted", "joined", ", ", ", ", 6, 6, editors=", {editors}"),
        {
            "article": "<{names}. >{title}.< {venue}.>< {year}><;{volume}><({number})><:{pages}>.< doi:{doi}>",
            "conference": "<{names}. >{title}. In: {venue}.< {place: publisher; year}>.< {page_label} {pages}.>< doi:{doi}>",
            "chapter": "<{names}. >{title}. In:< {editors}, {editor_label}.> {venue}.< {place: publisher; year}>.< {page_label} {pages}.>< doi:{doi}>",
            "book": "<{names}. >{title}.< {edition}.>< {place: publisher; year}>.< doi:{doi}>",
            "thesis": "<{names}. >{title}< [{genre}]>.< {publisher; year}>.< doi:{doi}>",
            "report": "<{names}. >{title}< [{genre}]>.< {publisher; year}>.< {genre no}.>< doi:{doi}>",
            "preprint": "<{names}. >{title}.< {server; year}>.< doi:{doi}>",
            "other": "<{names}. >{title}.< {venue}.>< {publisher; year}>.< doi:{doi}>",
        },
    ),
    "ieee": CitationStyle(
        NameForm("natural", "spaced", ", {and} ", " {and} ", 6, 1, before_et_al=" ", editors=", {editors}"),
        {
            "article": "<{names}, >“{title},”< *{venue}*><, {vol}><, {no}><, {pp}><, {date}><, doi: {doi}>.",
            "conference": "<{names}, >“{title},” in *{venue}*<, {place: publisher}><, {date}><, {pp}><, doi: {doi}>.",
            "chapter": "<{names}, >“{title},” in *{venue}*<, {editors}, {editor_label}><, {place: publisher}><, {year}><, {pp}><, doi: {doi}>.",
            "book": "<{names}, >*{title}*<, {edition}>.< {place: publisher, year}><, doi: {doi}>.",
            "thesis": "<{names}, >“{title},”< {genre}><, {publisher}><, {year}><, doi: {doi}>.",
            "report": "<{names}, >“{title},”< {publisher}><, {genre number}><, {year}><, doi: {doi}>.",
            "preprint": "<{names}, >“{title},”< {date}><, {server}><, doi: {doi}>.",
            "other": "<{names}, >*{title}*.< {venue},>< {publisher},>< {year}><, doi: {doi}>.",
        },
    ),
    "acm": CitationStyle(
        NameForm("natural"),
        {
            "article": "<{names}. ><{year}. >{title}.< *{venue}*>< {volume}><, {number}>< ({long_date})><, {pages}>.< {url}>",
            "conference": "<{names}. ><{year}. >{title}. In *{venue}*<, {long_date}>.< {publisher, place, pages}.>< {url}>",
            "chapter": "<{names}. ><{year}. >{title}. In *{venue}*<, {editors} ({editor_label})>.< {publisher, place, pages}.>< {url}>",
            "book": "<{names}. ><{year}. >*{title}*< ({edition})>.< {publisher, place}.>< {url}>",
            "thesis": "<{names}. ><{year}. >{title}.< {genre}.>< {publisher}.>< {url}>",
            "report": "<{names}. ><{year}. >*{title}*.< {genre number}.>< {publisher}.>< {url}>",
            "preprint": "<{names}. ><{year}. >{title}.< {url}>",
            "other": "<{names}. ><{year}. >*{title}*.< {venue}.>< {publisher}.>< {url}>",
        },
    ),
    "economics": CitationStyle(
        NameForm("first inverted", "full", ", {and} ", ", {and} ", editors=", {editors}"),
        {
            "article": "<{names}, >“{title},”< *{venue}*><, {volume}>< ({year})><, {pages}>.< {url}>",
            "conference": "<{names}, >“{title},” in *{venue}*<, {year}>< ({place, publisher})>.< {url}>",
            "chapter": "<{names}, >“{title},” in *{venue}*<, {editors}, {editor_label}>< ({place, publisher, year})>.< {url}>",
            "book": "<{names}, >*{title}*<, {edition}>< ({place, publisher, year})>.< {url}>",
            "thesis": "<{names}, >“{title},”< {genre}><, {year}>< ({publisher})>.< {url}>",
            "report": "<{names}, >“{title},”< {genre number}><, {year}>< ({publisher})>.< {url}>",
            "preprint": "<{names}, >“{title},”< {year}>< ({server})>.< {url}>",
            "other": "<{names}, >*{title}*<, {venue}><, {publisher}><, {year}>.< {url}>",
        },
    ),
}
"""
The citation styles by name.

Sources: APA Publication Manual, 7th edition; MLA Handbook, 9th edition; The Chicago Manual of Style, 18th edition,
author-date, and notes and bibliography; National Library of Medicine, "Citing Medicine", 2nd edition; IEEE Reference Guide (2023); ACM Citation
Style and Reference Formats; The Quarterly Journal of Economics.
"""


_GROUP = re.compile(r"<([^<>]*)>")
_FIELDS = re.compile(r"\*\{([^{}]*)\}\*|\{([^{}]*)\}")
_FIELD_NAME = re.compile(r"[a-z_]+")


def fill_style_pattern(w: Writer, pattern: str, fields: Mapping[str, Phrase]) -> Phrase:
    """Replace the fields of a pattern of a citation style, and omit the parts without a value."""
    parts: list[Phrase] = []
    for i, part in enumerate(_GROUP.split(pattern)):
        if i % 2 and not any(fields[name] for group in _FIELDS.findall(part) for name in _list_names(group)):
            continue
        position = 0
        for match in _FIELDS.finditer(part):
            _add_literal(w, parts, part[position : match.start()])
            value = _join_fields(w, match[1] or match[2], fields)
            parts += [w.nest(value, "venue") if match[1] else value] if value else []
            position = match.end()
        _add_literal(w, parts, part[position:])
    return "".join(parts)


def _list_names(match: tuple[str, str]) -> list[str]:
    """The names of the fields between two braces."""
    return _FIELD_NAME.findall(match[0] or match[1])


def _join_fields(w: Writer, text: str, fields: Mapping[str, Phrase]) -> Phrase:
    """The values of "publisher, year" with the separators between those that exist."""
    parts: list[Phrase] = []
    position = 0
    for match in _FIELD_NAME.finditer(text):
        if fields[match[0]]:
            parts += [w.plain(text[position : match.start()] if parts else ""), fields[match[0]]]
        position = match.end()
    return "".join(parts)


def _add_literal(w: Writer, parts: list[Phrase], text: str) -> None:
    """Add the punctuation of a pattern; a period or comma is omitted after a text that ends a sentence."""
    before = w.to_text(parts[-1]) if parts else ""
    if (text.startswith(".") and ends_sentence(before)) or (
        text.startswith(",”") and before[-1:] in ("?", "!")
    ):
        text = text[1:]
    if not before:
        text = text.lstrip()
    if text:
        parts.append(w.plain(text))


def format_styled_name(name: Name, form: NameForm, *, inverted: bool) -> str:
    """A name as a style writes it: "King, M. L., Jr.", "King ML Jr." or "Martin Luther King Jr."."""
    if name.group or is_cjk_text(name.family + name.given) or not name.given:
        return name.full_name
    given = name.given if form.initials == "full" else _shorten_given(name.given, form.initials)
    family = name.family_with_particle
    if not inverted:
        return " ".join(part for part in (given, family, name.suffix) if part)
    if form.initials == "joined":
        return " ".join(part for part in (family, given, name.suffix) if part)
    return ", ".join(part for part in (family, given, name.suffix) if part)


def _shorten_given(given: str, initials: Initials) -> str:
    """The initials of given names: "Jean-Pierre A." gives "J.-P. A." or "JPA"."""
    words = [[part for part in word.split("-") if part] for word in given.replace(".", ". ").split()]
    if initials == "joined":
        return "".join(part[0].upper() for parts in words for part in parts)
    return " ".join("-".join(f"{part[0].upper()}." for part in parts) for parts in words if parts)


def format_reference(
    citation: Citation, selected: CitationStyleName | None = None, *, linked: bool = False
) -> Phrase:
    """The publication in a citation style; the title of a `linked` one leads to its page. Without a style, that of Tenure."""
    if selected is None:
        return citation.reference(linked)
    style = STYLES[selected]
    paper = citation.paper
    is_preprint = bool(paper.eprint) and not paper.venue.name
    csl_type = "article" if is_preprint else find_reference_type(paper).csl
    pattern = style.patterns[PATTERN_NAMES.get(csl_type, "other")]
    return fill_style_pattern(citation.w, pattern, _list_fields(citation, style, linked=linked))


def _list_fields(citation: Citation, style: CitationStyle, *, linked: bool) -> Mapping[str, Phrase]:
    """The values that a pattern may name; () for each that the publication does not have."""
    paper, venue, t, w = citation.paper, citation.paper.venue, citation.t, citation.w
    editors = paper.editors.people if paper.authors.people else ()
    order: NameOrder = "inverted" if style.names.initials == "joined" else "natural"
    editor_names = _join_names(citation, editors, replace(style.names, order=order))
    arxiv_url = f"https://arxiv.org/abs/{paper.eprint}" if paper.eprint else ""
    url = f"https://doi.org/{paper.doi}" if paper.doi else arxiv_url or paper.url
    year = str(paper.date.year or paper.date.text) if paper.date else ""
    pages = w.plain(plain_text(venue.pages))
    volume, number = plain_text(venue.volume), plain_text(venue.number)
    publisher = venue.publisher or venue.institution
    is_publisher = venue.name == publisher
    return {
        "names": _list_credits(citation, style),
        "title": citation.linked_title if linked else citation.title,
        "venue": w.markdown("" if is_publisher and paper.kind in TYPES_WITH_GENRE else venue.name),
        "year": w.plain(year or citation.status),
        "date": _plain_date(w, t, paper.date, "short") or w.plain(citation.status),
        "long_date": _plain_date(w, t, paper.date, "long") or w.plain(citation.status),
        "volume": w.plain(volume),
        "number": w.plain(number),
        "vol": citation.fill_unit("volume", volume),
        "no": citation.fill_unit("number", number),
        "pages": pages,
        "pp": citation.pages(),
        "page_label": w.plain(t["page"].replace("{pages}", "").strip()) if pages else "",
        "edition": citation.edition(),
        "editors": editor_names,
        "editor_label": w.plain(_editor_label(t, len(editors))) if editors else "",
        "edited_by": w.fill(t["edited_by"], {"names": editor_names}) if editors else "",
        "publisher": w.markdown(publisher),
        "place": w.markdown(venue.location),
        "genre": w.markdown(citation.kind_label),
        "server": w.plain(f"arXiv:{paper.eprint}" if paper.eprint else paper.server),
        "doi": w.plain(paper.doi, url=url),
        "url": w.plain(url, url=url),
    }


def _editor_label(t: Translations, count: int) -> str:
    return t["editors" if count > 1 else "editor"].replace("{names}", "").strip(" ()")


def _plain_date(w: Writer, t: Translations, date: Date | None, form: DateForm) -> Phrase:
    return w.plain(date.format_text(t, form) if date else "")


def _list_credits(citation: Citation, style: CitationStyle) -> Phrase:
    """The authors, or the editors with their label."""
    names = _join_names(citation, citation.people.people, style.names)
    if citation.paper.authors.people or not names:
        return names
    label = _editor_label(citation.t, len(citation.people.people))
    return "".join((names, citation.w.plain(style.names.editors.replace("{editors}", label))))


def _join_names(citation: Citation, people: Sequence[Author], form: NameForm) -> Phrase:
    """A list of names as a style writes it."""
    conjunction = citation.t["and_two"].replace("{first}", "").replace("{last}", "").strip()
    et_al = citation.t["et_al"]
    names = [
        _format_author(
            citation.w,
            person,
            form,
            inverted=form.order == "inverted" or (form.order == "first inverted" and not i),
        )
        for i, person in enumerate(people)
    ]
    w = citation.w
    if len(names) > form.maximum:
        shown = w.join(names[: form.shown], ", ")
        if form.ellipsis:
            return f"{shown}{w.plain(', … ')}{names[-1]}"
        return f"{shown}{w.plain(form.before_et_al + et_al)}"
    if citation.people.others and people is citation.people.people:
        return f"{w.join(names, ', ')}{w.plain(form.before_et_al + et_al)}"
    if len(names) < 2:
        return names[0] if names else ""
    separator = (form.two if len(names) == 2 else form.last).replace("{and}", conjunction)
    return f"{w.join(names[:-1], ', ')}{w.plain(separator)}{names[-1]}"


def _format_author(w: Writer, person: Author, form: NameForm, *, inverted: bool) -> Phrase:
    """A name with its role: the owner of the site is shown as such."""
    name = format_styled_name(person.name, form, inverted=inverted)
    return w.plain(name, "owner") if person.me else w.plain(name, "person", person.url)
