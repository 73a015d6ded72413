"""
Write a publication as one line of a bibliography in a citation style of the table STYLES.

The objects: a style has a NameForm, and a pattern for each type of publication:
"<{names}. >“{title}.”< *{venue}*>" -> Lovelace, Ada. “On Looms.” Annals of Weaving
"""

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Literal

from tenure.markdown.html import plain_text
from tenure.model.names import Author, Name, is_cjk_text
from tenure.model.publications import WITH_GENRE, find_reference_type
from tenure.model.site import CitationStyleName
from tenure.presentation.citation import Citation
from tenure.presentation.writer import Phrase, Writer, ends_sentence
from tenure.record import Record, replace

NameOrder = Literal["inverted", "first inverted", "natural"]
Initials = Literal["full", "spaced", "joined"]


class NameForm(Record):
    """
    How a style writes a list of names.

    `order` says which names begin with the family name. `initials` are "A. M." (spaced), "AM" (joined) or the
    names in full. A list of more than `maximum` names has its first `shown` ones, `before_et_al` and
    "et al."; with `ellipsis`, these and the last one. `last` is before the last name, `two` between two
    names; "{and}" is the word of the language.
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

    marked: bool = False
    """Whether names have the mark of an equal contribution."""


_PART = re.compile(r"<([^<>]*)>")
"""A part of a pattern that goes without its value: <, {pages}>."""

_FIELD = re.compile(r"(\*?)\{([^{}]*)\}\*?")
"""{pages}, or *{venue}*, which is emphasis."""

_FIELD_NAME = re.compile(r"([a-z_]+)")
"""The names of "{genre no}", which a separator joins."""


PATTERN_NAMES: Mapping[str, str] = {
    "article": "preprint",
    "article-journal": "article",
    "book": "book",
    "chapter": "chapter",
    "entry-encyclopedia": "chapter",
    "manuscript": "preprint",
    "pamphlet": "book",
    "paper-conference": "conference",
    "patent": "report",
    "report": "report",
    "thesis": "thesis",
}
"""The name of a pattern by the CSL type; other types have the pattern "other"."""

NAME_FORMS: Mapping[str, NameForm] = {
    "apa": NameForm("inverted", "spaced", ", & ", ", & ", 20, 19, ellipsis=True),
    "mla": NameForm("first inverted", "full", ", {and} ", ", {and} ", 2, 1, editors=", {editors}"),
    "chicago": NameForm("first inverted", "full", ", {and} ", ", {and} ", 6, 3, editors=", {editors}"),
    "chicago-notes": NameForm("first inverted", "full", ", {and} ", ", {and} ", 6, 3, editors=", {editors}"),
    "vancouver": NameForm("inverted", "joined", ", ", ", ", 6, 6, editors=", {editors}"),
    "ieee": NameForm(
        "natural", "spaced", ", {and} ", " {and} ", 6, 1, before_et_al=" ", editors=", {editors}"
    ),
    "acm": NameForm("natural"),
    "economics": NameForm("first inverted", "full", ", {and} ", ", {and} ", editors=", {editors}"),
}
"""The form of the names by the style."""

STYLES: Mapping[str, Mapping[str, str]] = {
    "apa": {
        "article": (
            "<{names}. ><({year}). >{title}.< *{venue}*><, *{volume}*><({number})><, {pages}>.< {url}>"
        ),
        "conference": "<{names}. ><({year}). >{title}.< *{venue}*><, {pages}>.< {publisher}.>< {url}>",
        "chapter": (
            "<{names}. ><({year}). >{title}. In< {editors} ({editor_label}),>"
            "< *{venue}*>< ({pp})>.< {publisher}.>< {url}>"
        ),
        "book": "<{names}. ><({year}). >*{title}*< ({edition})>.< {publisher}.>< {url}>",
        "thesis": "<{names}. ><({year}). >*{title}*< [{genre}]>.< {publisher}.>< {url}>",
        "report": "<{names}. ><({year}). >*{title}*< ({genre no})>.< {publisher}.>< {url}>",
        "preprint": "<{names}. ><({year}). >*{title}*.< {server}.>< {url}>",
        "other": "<{names}. ><({year}). >*{title}*.< {venue}.>< {publisher}.>< {url}>",
    },
    "mla": {
        "article": "<{names}. >“{title}.”< *{venue}*><, {vol}><, {no}><, {date}><, {pp}><, {url}>.",
        "conference": "<{names}. >“{title}.”< *{venue}*><, {publisher}><, {year}><, {pp}><, {url}>.",
        "chapter": (
            "<{names}. >“{title}.”< *{venue}*><, {edited_by}><, {publisher}><, {year}><, {pp}><, {url}>."
        ),
        "book": "<{names}. >*{title}*.< {edition, publisher, year, url}.>",
        "thesis": "<{names}. >*{title}*.< {year}.>< {publisher, genre, url}.>",
        "report": "<{names}. >*{title}*.< {genre no},>< {publisher, year, url}.>",
        "preprint": "<{names}. >“{title}.”< {server}><, {date}><, {url}>.",
        "other": "<{names}. >*{title}*.< {venue, publisher, year, url}.>",
    },
    "chicago": {
        "article": "<{names}. ><{year}. >“{title}.”< *{venue}*>< {volume}>< ({number})><: {pages}>.< {url}.>",
        "conference": "<{names}. ><{year}. >“{title}.”< *{venue}*><, {pages}>.< {publisher}.>< {url}.>",
        "chapter": "<{names}. ><{year}. >“{title}.” In *{venue}*<, {edited_by}>.< {publisher}.>< {url}.>",
        "book": "<{names}. ><{year}. >*{title}*.< {edition}.>< {publisher}.>< {url}.>",
        "thesis": "<{names}. ><{year}. >“{title}.”< {genre, publisher}.>< {url}.>",
        "report": "<{names}. ><{year}. >*{title}*.< {genre no}.>< {publisher}.>< {url}.>",
        "preprint": "<{names}. ><{year}. >“{title}.”< {server}.>< {url}.>",
        "other": "<{names}. ><{year}. >*{title}*.< {venue}.>< {publisher}.>< {url}.>",
    },
    "chicago-notes": {
        "article": "<{names}. >“{title}.”< *{venue}*>< {volume}><, {no}>< ({year})><: {pages}>.< {url}.>",
        "conference": "<{names}. >“{title}.”< *{venue}*><, {publisher}><, {year}><, {pages}>.< {url}.>",
        "chapter": "<{names}. >“{title}.” In *{venue}*<, {edited_by}>.< {publisher, year}.>< {url}.>",
        "book": "<{names}. >*{title}*.< {edition}.>< {publisher, year}.>< {url}.>",
        "thesis": "<{names}. >“{title}.”< {genre, publisher, year}.>< {url}.>",
        "report": "<{names}. >*{title}*.< {genre no}.>< {publisher, year}.>< {url}.>",
        "preprint": "<{names}. >“{title}.”< {server, year}.>< {url}.>",
        "other": "<{names}. >*{title}*.< {venue}.>< {publisher, year}.>< {url}.>",
    },
    "vancouver": {
        "article": "<{names}. >{title}.< {venue}.>< {year}><;{volume}><({number})><:{pages}>.< doi:{doi}>",
        "conference": (
            "<{names}. >{title}. In: {venue}.< {place: publisher; year}>.< {page_label} {pages}.>< doi:{doi}>"
        ),
        "chapter": (
            "<{names}. >{title}. In:< {editors}, {editor_label}.>"
            " {venue}.< {place: publisher; year}>.< {page_label} {pages}.>< doi:{doi}>"
        ),
        "book": "<{names}. >{title}.< {edition}.>< {place: publisher; year}>.< doi:{doi}>",
        "thesis": "<{names}. >{title}< [{genre}]>.< {publisher; year}>.< doi:{doi}>",
        "report": "<{names}. >{title}< [{genre}]>.< {publisher; year}>.< {genre no}.>< doi:{doi}>",
        "preprint": "<{names}. >{title}.< {server; year}>.< doi:{doi}>",
        "other": "<{names}. >{title}.< {venue}.>< {publisher; year}>.< doi:{doi}>",
    },
    "ieee": {
        "article": "<{names}, >“{title},”< *{venue}*><, {vol}><, {no}><, {pp}><, {date}><, doi: {doi}>.",
        "conference": (
            "<{names}, >“{title},” in *{venue}*<, {place: publisher}><, {date}><, {pp}><, doi: {doi}>."
        ),
        "chapter": (
            "<{names}, >“{title},” in *{venue}*<, {editors}, {editor_label}>"
            "<, {place: publisher}><, {year}><, {pp}><, doi: {doi}>."
        ),
        "book": "<{names}, >*{title}*<, {edition}>.< {place: publisher, year}><, doi: {doi}>.",
        "thesis": "<{names}, >“{title},”< {genre}><, {publisher}><, {year}><, doi: {doi}>.",
        "report": "<{names}, >“{title},”< {publisher}><, {genre number}><, {year}><, doi: {doi}>.",
        "preprint": "<{names}, >“{title},”< {date}><, {server}><, doi: {doi}>.",
        "other": "<{names}, >*{title}*.< {venue},>< {publisher},>< {year}><, doi: {doi}>.",
    },
    "acm": {
        "article": (
            "<{names}. ><{year}. >{title}.< *{venue}*>< {volume}>"
            "<, {number}>< ({long_date})><, {pages}>.< {url}>"
        ),
        "conference": (
            "<{names}. ><{year}. >{title}. In *{venue}*<, {long_date}>.< {publisher, place, pages}.>< {url}>"
        ),
        "chapter": (
            "<{names}. ><{year}. >{title}. In *{venue}*<, {editors} ({editor_label})>."
            "< {publisher, place, pages}.>< {url}>"
        ),
        "book": "<{names}. ><{year}. >*{title}*< ({edition})>.< {publisher, place}.>< {url}>",
        "thesis": "<{names}. ><{year}. >{title}.< {genre}.>< {publisher}.>< {url}>",
        "report": "<{names}. ><{year}. >*{title}*.< {genre number}.>< {publisher}.>< {url}>",
        "preprint": "<{names}. ><{year}. >{title}.< {url}>",
        "other": "<{names}. ><{year}. >*{title}*.< {venue}.>< {publisher}.>< {url}>",
    },
    "economics": {
        "article": "<{names}, >“{title},”< *{venue}*><, {volume}>< ({year})><, {pages}>.< {url}>",
        "conference": "<{names}, >“{title},” in *{venue}*<, {year}>< ({place, publisher})>.< {url}>",
        "chapter": (
            "<{names}, >“{title},” in *{venue}*<, {editors}, {editor_label}>"
            "< ({place, publisher, year})>.< {url}>"
        ),
        "book": "<{names}, >*{title}*<, {edition}>< ({place, publisher, year})>.< {url}>",
        "thesis": "<{names}, >“{title},”< {genre}><, {year}>< ({publisher})>.< {url}>",
        "report": "<{names}, >“{title},”< {genre number}><, {year}>< ({publisher})>.< {url}>",
        "preprint": "<{names}, >“{title},”< {year}>< ({server})>.< {url}>",
        "other": "<{names}, >*{title}*<, {venue}><, {publisher}><, {year}>.< {url}>",
    },
}
"""
The patterns of each citation style by `PATTERN_NAMES`.

A pattern has fields in braces: "{publisher, year}" joins those that have a value.
A part in angle brackets is omitted if none of its fields has a value. `*` around a field means italics.

Sources: APA Publication Manual, 7th edition; MLA Handbook, 9th edition; The Chicago Manual of Style, 18th
edition, author-date, and notes and bibliography; National Library of Medicine, "Citing Medicine", 2nd
edition; IEEE Reference Guide (2023); ACM Citation Style and Reference Formats; The Quarterly Journal of
Economics.
"""


def format_reference(
    citation: Citation,
    selected: CitationStyleName | None = None,
    *,
    linked: bool = False,
    marked: bool = False,
) -> Phrase:
    """
    The publication in a citation style; without one, in that of Tenure.

    The title of a `linked` one leads to its page;
    a `marked` one, as in lists, has the marks of equal contributions.
    """
    if selected is None:
        return citation.reference(linked)
    paper = citation.paper
    is_preprint = bool(paper.eprint) and not paper.venue.name
    csl_type = "article" if is_preprint else find_reference_type(paper).csl
    form = replace(NAME_FORMS[selected], marked=marked)
    pattern = STYLES[selected][PATTERN_NAMES.get(csl_type, "other")]
    return _fill_pattern(citation.w, pattern, _list_fields(citation, form, linked=linked))


def _fill_pattern(w: Writer, pattern: str, fields: Mapping[str, Phrase]) -> Phrase:
    """
    Replace the fields of a pattern of a citation style, and omit the parts without a value.

    "<{names}. >{title}.< *{venue}*.>" -> "Ada Lee. Looms." without a venue; a star is emphasis. A period or
    comma is omitted after a text that ends a sentence.
    """
    written: list[Phrase] = []
    # the odd parts are those between < and >, which go without a value
    for i, part in enumerate(_PART.split(pattern)):
        # ", *{venue}*." -> ", ", "*", "venue", "."
        literals = _FIELD.split(part)
        values = [_join_fields(w, names, fields) for names in literals[2::3]]
        if i % 2 and not any(values):
            continue

        for literal, star, value in zip_longest(literals[::3], literals[1::3], values, fillvalue=""):
            before = w.to_text(written[-1]) if written else ""
            # “Why?” takes no period behind it, and “Why? no comma: “Why?”
            is_ended = literal.startswith(".") and ends_sentence(before)
            if is_ended or (literal.startswith(",”") and before[-1:] in ("?", "!")):
                literal = literal[1:]
            if not before:
                literal = literal.lstrip()
            written += filter(None, (w.plain(literal), w.nest(value, "venue" if star else "")))
    return "".join(written)


def _join_fields(w: Writer, names: str, fields: Mapping[str, Phrase]) -> Phrase:
    """The values of "publisher, year" with a separator before each but the first: "Knopf, 1974"."""
    value = ""
    parts = _FIELD_NAME.split(names)
    for separator, name in zip(parts[::2], parts[1::2], strict=False):
        if value and fields[name]:
            value = f"{value}{w.plain(separator)}"
        value = f"{value}{fields[name]}"
    return value


def _list_fields(citation: Citation, form: NameForm, *, linked: bool) -> Mapping[str, Phrase]:
    """The values that a pattern may name; "" for each that the publication does not have."""
    paper = citation.paper
    venue = paper.venue
    t = citation.t
    w = citation.w
    # "{names} (eds.)" -> "eds."
    label = t["editors" if len(paper.editors.people) > 1 else "editor"].replace("{names}", "").strip(" ()")
    editors: Sequence[Author] = ()
    names = _join_names(citation, citation.people.people, form)
    if paper.authors.people:
        editors = paper.editors.people
    elif names:
        # they are the editors: "Ada Example, ed."
        names = f"{names}{w.plain(form.editors.replace('{editors}', label))}"
    # only Vancouver, whose initials are joined, inverts them: "Example A, editor"
    order: NameOrder = "inverted" if form.initials == "joined" else "natural"
    editor_names = _join_names(citation, editors, replace(form, order=order))

    url = paper.doi_url or paper.arxiv_url or paper.url
    pages = plain_text(venue.pages)
    volume = plain_text(venue.volume)
    number = plain_text(venue.number)
    publisher = venue.publisher or venue.institution
    # the institution of a thesis or a report is no venue
    is_publisher = venue.name == publisher and paper.kind in WITH_GENRE
    return {
        "names": names,
        "title": citation.linked_title if linked else citation.title,
        "venue": w.markdown("" if is_publisher else venue.name),
        **_list_dates(citation),
        "volume": w.plain(volume),
        "number": w.plain(number),
        "vol": citation.fill_unit("volume", volume),
        "no": citation.fill_unit("number", number),
        "pages": w.plain(pages),
        "pp": citation.pages(),
        "page_label": w.plain(t["page"].replace("{pages}", "").strip() if pages else ""),
        "edition": citation.edition(),
        "editors": editor_names,
        "editor_label": w.plain(label if editors else ""),
        "edited_by": w.fill(t["edited_by"], {"names": editor_names}) if editors else "",
        "publisher": w.markdown(publisher),
        "place": w.markdown(venue.location),
        "genre": w.markdown(citation.kind_label),
        "server": w.plain(f"arXiv:{paper.eprint}" if paper.eprint else paper.server),
        "doi": w.plain(paper.doi, url=url),
        "url": w.plain(url, url=url),
    }


def _list_dates(citation: Citation) -> Mapping[str, Phrase]:
    """The year and the date of a publication, "2024", "May 2024"; of one without a date, the status."""
    year = date = long_date = citation.status
    if written := citation.paper.date:
        year = str(written.year or written.text) or year
        date = written.format_text(citation.t) or date
        long_date = written.format_text(citation.t, "long") or long_date
    plain = citation.w.plain
    return {"year": plain(year), "date": plain(date), "long_date": plain(long_date)}


def _join_names(citation: Citation, people: Sequence[Author], form: NameForm) -> Phrase:
    """
    A list of names as a style writes it; the owner of the site is shown as such.

    "Lee, A., & Kim, B." of APA, "Lee A, Kim B, et al." of Vancouver
    """
    w = citation.w
    names: list[Phrase] = []
    for i, person in enumerate(people):
        is_inverted = form.order == "inverted" or (form.order == "first inverted" and i == 0)
        text = _format_name(person.name, form, is_inverted)
        name = w.plain(text, "owner") if person.me else w.plain(text, "person", person.url)
        if form.marked and person.equal:
            name = f"{name}{citation.write_marks(person)}"
        names.append(name)

    # more names than the style allows: the first ones, then "…" and the last one, or "et al."
    is_long = len(names) > form.maximum
    # "and others" of the source belongs to the people in front, not to editors behind the title
    has_others = citation.people.others and people is citation.people.people
    shown = w.join(names[: form.shown] if is_long else names, ", ")
    if is_long and form.ellipsis:
        return f"{shown}{w.plain(', … ')}{names[-1]}"
    if is_long or has_others:
        return f"{shown}{w.plain(form.before_et_al + citation.t['et_al'])}"
    # "{first} and {last}" -> "and", for ", {and} " of the style
    conjunction = citation.t["and_two"].replace("{first}", "").replace("{last}", "").strip()
    separator = (form.two if len(names) == 2 else form.last).replace("{and}", conjunction)
    return w.join((w.join(names[:-1], ", "), *names[-1:]), separator)


def _format_name(name: Name, form: NameForm, is_inverted: bool) -> str:
    """A name as a style writes it: "King, M. L., Jr.", "King ML Jr." or "Martin Luther King Jr."."""
    # an organization, 王伟, and a single name are written as they are
    if name.group or is_cjk_text(name.family + name.given) or not name.given:
        return name.full_name
    family = name.family_with_particle
    given = name.given
    words = [*map(_take_initials, given.replace(".", ". ").split())]
    if form.initials == "joined":
        given = "".join(initial for word in words for initial in word)
    elif form.initials == "spaced":
        # "Jean-Paul Marie" -> "J.-P. M."
        given = " ".join(f"{'.-'.join(word)}." for word in words if word)

    parts = (family, given, name.suffix) if is_inverted else (given, family, name.suffix)
    separator = ", " if is_inverted and form.initials != "joined" else " "
    return separator.join(filter(None, parts))


def _take_initials(word: str) -> list[str]:
    """The capital letters of a given name: "Jean-Paul" -> ["J", "P"]."""
    return [part[0].upper() for part in word.split("-") if part]
