"""The citation styles: how APA, MLA, Chicago and others write a publication as one line of a bibliography."""

from collections.abc import Mapping
from typing import Literal

from tenure.record import Record

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
author-date; National Library of Medicine, "Citing Medicine", 2nd edition; IEEE Reference Guide (2023); ACM Citation
Style and Reference Formats; The Quarterly Journal of Economics.
"""
