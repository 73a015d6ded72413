"""The BibTeX text of an entry for readers: without private fields and author marks, with the macros it needs."""

import re
from collections.abc import Mapping
from functools import lru_cache
from unicodedata import normalize

from tenure.model.names import FOOTNOTE_MARKS
from tenure.sources.bibtex.values import find_closing_sign, find_field_spans
from tenure.sources.publications.names import parse_authors

PRIVATE_FIELDS = frozenset(
    """abbr additional_info altmetric annotation annote award award_name bibtex_show blog code color comment
    creationdate date-added date-modified dimensions file google_scholar_id groups html img inspirehep_id
    internal-note internal_note local-url modificationdate owner pdf poster preprint_of preview printed priority
    qualityassured ranking rating read readstatus remark review selected slides supp data dataset demo draft github
    hidden hide image picture presentation project recording talk teaser thumb thumbnail timestamp username video
    website __markedentry""".split()  # noqa: SIM905 - a list of words
)
"""Fields for the author of the file or for this site only."""

PRIVATE_FIELD_PATTERN = re.compile(r"bdsk-|mendeley-|x-|url_|citeulike-|.+_url$|.+\+an(?::.*)?$")


_TRAILING_COMMA = re.compile(r"[ \t]*,?")
_FIELD_NAME = re.compile(r"[\w+:-]+\Z")

NAME_LIST_FIELDS = frozenset({"author", "editor"})
"""Fields with lists of names, which may have marks such as the star of equal contribution."""

_MARK_SIGN = (
    rf"(?:[{FOOTNOTE_MARKS}]|\\[#*]"
    r"|\\(?:text)?(?:d?dag(?:ger)?|daggerdbl|ast|asterisk\w*|section|paragraph|S|P)(?![A-Za-z])[ \t]*(?:\{\})?)"
)
_MARK_SIGNS = rf"{_MARK_SIGN}(?:[ ,]*{_MARK_SIGN})*"
_MARK_FORMULA = rf"\$(?:\{{\}})?\^?\{{?{_MARK_SIGNS}\}}?\$"
_AUTHOR_MARK = re.compile(
    rf"(?:\{{{_MARK_FORMULA}\}}|{_MARK_FORMULA}|\\textsuperscript\s*\{{\$?{_MARK_SIGNS}\$?\}}|\^?\{{{_MARK_SIGNS}\}}|\^?{_MARK_SIGNS})"
)
_MARK_AFTER_SPACE = re.compile(rf"[ \t~]+{_AUTHOR_MARK.pattern}(?=\s*(?:,|\Z))")
_ANY_MARK = re.compile(_MARK_SIGN)
_AND_SEPARATOR = re.compile(r"(\s+and\s+)", re.IGNORECASE)
_MACRO_NAME = re.compile(r"[^\s#,{}\"]+")


def format_public_bibtex(raw: str, macros: Mapping[str, str]) -> str:
    """
    The source text of an entry without private fields and author marks, in Unicode NFC.

    `macros` has the macros that the entry uses, by name; their @string definitions are written before it.
    """
    text = normalize("NFC", raw.strip())
    field_names = (_FIELD_NAME.search(part.rstrip()[-40:]) for part in text.split("=")[:-1])
    if (
        not macros
        and not _ANY_MARK.search(text)
        and not any(_is_private_field(name[0]) for name in field_names if name)
    ):
        return text + "\n"
    head = re.match(r"@\s*\w+\s*[{(]\s*[^,\s={}()\"]*\s*,?", text)
    changes: list[tuple[int, int, str]] = []
    macros_of_names: set[str] = set()
    field_start = head.end() if head else 0
    for name, start, end in find_field_spans(text, field_start):
        comma = _TRAILING_COMMA.match(text, end)
        field_end = comma.end() if comma else end
        if _is_private_field(name):
            changes.append((field_start, field_end, ""))
        elif name in NAME_LIST_FIELDS:
            changes.append((start, end, _remove_marks_from_value(text[start:end])))
            macros_of_names.update(_MACRO_NAME.findall(text[start:end]))
        field_start = field_end
    for start, end, replacement in reversed(changes):
        text = text[:start] + replacement + text[end:]
    defined = [
        f"@string{{{name} = {{{_clean_macro_value(value, name in macros_of_names)}}}}}\n"
        for name, value in sorted(macros.items())
    ]
    return "".join(defined) + text + "\n"


def _clean_macro_value(value: str, is_in_names: bool) -> str:
    composed = normalize("NFC", value)
    return remove_author_marks(composed) if is_in_names else composed


def _remove_marks_from_value(value: str) -> str:
    """The source text of a value, with `remove_author_marks` applied inside its braces or quotes."""
    chunks: list[str] = []
    offset = 0
    while offset < len(value):
        end = find_closing_sign(value, offset) if value[offset] in '{"' else offset
        chunks.append(value[offset])
        if end > offset:
            chunks += [remove_author_marks(value[offset + 1 : end]), value[end : end + 1]]
        offset = end + 1
    return "".join(chunks)


@lru_cache(maxsize=4096)
def remove_author_marks(names: str) -> str:
    """
    Remove marks such as the star of equal contribution from a list of names; the other bytes are unchanged.

    A name that would be parsed differently without the signs is unchanged: then they are a part of the name.
    """
    if not _ANY_MARK.search(names):
        return names
    return "".join(_remove_marks_from_name(part) for part in _AND_SEPARATOR.split(names))


def _remove_marks_from_name(name: str) -> str:
    if not _ANY_MARK.search(name):
        return name
    cleaned = _AUTHOR_MARK.sub("", _MARK_AFTER_SPACE.sub("", name))
    original_authors, cleaned_authors = (
        parse_authors(name).authors.people,
        parse_authors(cleaned).authors.people,
    )
    is_same_name = [author.name.full_name for author in original_authors] == [
        author.name.full_name for author in cleaned_authors
    ]
    return cleaned if is_same_name and not any(author.marks for author in cleaned_authors) else name


@lru_cache(maxsize=4096)
def _is_private_field(name: str) -> bool:
    folded = name.casefold()
    return folded in PRIVATE_FIELDS or PRIVATE_FIELD_PATTERN.match(folded) is not None
