"""The BibTeX text of an entry for readers: its public fields without author marks, as written or one a line."""

import re
from collections.abc import Mapping
from typing import NamedTuple
from unicodedata import normalize

from tenure.limits import cache_texts
from tenure.model.names import FOOTNOTE_MARKS
from tenure.sources.bibtex.bib_fields import BIB_FIELDS
from tenure.sources.bibtex.field_values import find_field_spans, join_value
from tenure.sources.bibtex.reader import MONTH_MACROS
from tenure.sources.latex.braces import compile_pattern, find_closing_sign
from tenure.sources.publications.author_names import parse_authors, remove_emphasis, split_outside_braces

_TRAILING_COMMA = r"[ \t]*,?"
_ENTRY_HEAD = r"@\s*(?P<kind>\w+)\s*(?P<opening>[{(])\s*(?P<key>[^,\s={}()\"]*)\s*(?P<comma>,?)"

_EMPHASIS = r"\\(?:[a-zA-Z]{2,}\s*\{|(?:bf|em|it)\b)"
"""A command that may emphasize the owner of the site."""

NAME_LIST_FIELDS = frozenset({"author", "editor"})
"""Fields with lists of names, which may have marks such as the star of equal contribution."""

_MARK_SIGN = (
    rf"(?:[{FOOTNOTE_MARKS}]|\\[#*]"
    r"|\\(?:text)?(?:d?dag(?:ger)?|daggerdbl|ast|asterisk\w*|section|paragraph|S|P)(?![A-Za-z])[ \t]*(?:\{\})?)"
)
_MARK_SIGNS = rf"{_MARK_SIGN}(?:[ ,]*{_MARK_SIGN})*"
_MARK_FORMULA = rf"\$(?:\{{\}})?\^?\{{?{_MARK_SIGNS}\}}?\$"
_AUTHOR_MARK = rf"(?:\{{{_MARK_FORMULA}\}}|{_MARK_FORMULA}|\\textsuperscript\s*\{{\$?{_MARK_SIGNS}\$?\}}|\^?\{{{_MARK_SIGNS}\}}|\^?{_MARK_SIGNS})"
_MARK_AFTER_SPACE = rf"[ \t~]+{_AUTHOR_MARK}(?=\s*(?:,|\Z))"
"""Like the pattern above, it is compiled for the first name with a mark: both take 4 ms."""

_ANY_MARK = _MARK_SIGN
_AND_SEPARATOR = r"(?i)(\s+and\s+)"
_MACRO_NAME = r"[^\s#,{}\"]+"


class BibtexText(NamedTuple):
    """The public fields of an entry: as they are written in its file, and one a line."""

    written: str
    printed: str


def format_public_bibtex(raw: str, macros: Mapping[str, str]) -> BibtexText:
    """
    The source text of an entry with its public fields, without author marks, in Unicode NFC.

    `macros` has the macros that the entry uses, by name; their @string definitions are written before it. In the printed
    text, they are replaced; macros of months stay, because every bibliography style defines them. An entry in
    parentheses or without a key is printed as it is written.
    """
    text = normalize("NFC", raw.strip())
    macros = {name: normalize("NFC", value) for name, value in macros.items()}
    values = {name.casefold(): value for name, value in macros.items()}
    head = compile_pattern(_ENTRY_HEAD).match(text)
    field_start = head.end() if head else 0
    parts, lines, macros_of_names = [text[:field_start]], list[str](), set[str]()
    for name, start, end in find_field_spans(text, field_start):
        has_comma = compile_pattern(_TRAILING_COMMA).match(text, end)
        field_end = has_comma.end() if has_comma else end
        label, value, comma = text[field_start:start], text[start:end], text[end:field_end]
        field_start = field_end
        if not _is_public(name):
            continue
        if name in NAME_LIST_FIELDS:
            value = _remove_marks_from_value(value)
            macros_of_names.update(compile_pattern(_MACRO_NAME).findall(value) if macros else ())
        parts += [_remove_comments(label), value, comma]
        if name not in UNPRINTED_FIELDS:
            lines.append(f"  {name} = {_print_value(value, values)},\n")
    parts.append(_remove_comments(text[field_start:]))
    defined = [
        f"@string{{{name} = {{{remove_author_marks(value) if name in macros_of_names else value}}}}}\n"
        for name, value in sorted(macros.items())
    ]
    written = "".join((*defined, *parts, "\n"))
    if not (lines and head and head["key"] and head["opening"] == "{" and head["comma"]):
        return BibtexText(written, written)
    return BibtexText(written, "".join((f"@{head['kind']}{{{head['key']},\n", *lines, "}\n")))


def _remove_comments(text: str) -> str:
    """A text between fields without the fields that are commented out, which BibTeX cannot read within an entry."""
    return re.sub(r"(?<=\n)[ \t]*%[^\n]*\n", "", text) if "%" in text else text


def _is_public(name: str) -> bool:
    """Whether readers need a field to cite the publication; no other field is published."""
    return name in BIB_FIELDS and BIB_FIELDS[name].public


def _remove_marks_from_value(value: str) -> str:
    """The source text of a value, with `remove_author_marks` applied inside its braces or quotes."""
    if value[:1] == "{" and "#" not in value and value[-1:] == "}":
        return f"{{{remove_author_marks(value[1:-1])}}}"
    chunks: list[str] = []
    offset = 0
    while offset < len(value):
        end = find_closing_sign(value, offset) if value[offset] in '{"' else offset
        chunks.append(value[offset])
        if end > offset:
            chunks += [remove_author_marks(value[offset + 1 : end]), value[end : end + 1]]
        offset = end + 1
    return "".join(chunks)


@cache_texts
def remove_author_marks(names: str) -> str:
    """
    Remove marks such as the star of equal contribution, and the emphasis of a name; the other bytes are unchanged.

    A name that would be parsed differently without the signs is unchanged: then they are a part of the name.
    """
    if not compile_pattern(_ANY_MARK).search(names) and not compile_pattern(_EMPHASIS).search(names):
        return names
    return "".join(_remove_marks_from_name(part) for part in compile_pattern(_AND_SEPARATOR).split(names))


def _remove_marks_from_name(name: str) -> str:
    if compile_pattern(_EMPHASIS).search(name):
        name = _remove_emphasis_from_name(name)
    if not compile_pattern(_ANY_MARK).search(name):
        return name
    cleaned = re.sub(_AUTHOR_MARK, "", re.sub(_MARK_AFTER_SPACE, "", name))
    if cleaned == name:
        return name
    written, unmarked = (parse_authors(text).authors.people for text in (name, cleaned))
    is_same_name = [author.name.full_name for author in written] == [
        author.name.full_name for author in unmarked
    ]
    return cleaned if is_same_name and not any(author.marks for author in unmarked) else name


def _remove_emphasis_from_name(name: str) -> str:
    r"""A name without the commands around it or its parts: "{\bf Doe}, {\bf Eva}" becomes "Doe, Eva"."""
    parts = split_outside_braces(remove_emphasis(name.strip()), ",")
    cleaned = ", ".join(remove_emphasis(part.strip()) for part in parts)
    if cleaned == name.strip():
        return name
    is_same_name = parse_authors(name).authors.people == parse_authors(cleaned).authors.people
    return name.replace(name.strip(), cleaned) if cleaned and is_same_name else name


UNPRINTED_FIELDS = frozenset({"abstract", "keywords", "keyword", "file"})
"""Fields that a citation does not need."""


def _print_value(value: str, macros: Mapping[str, str]) -> str:
    """A value on one line: a number or the macro of a month as written, any other text in braces."""
    bare = value.strip()
    if bare[:1] == "{" and bare[-1:] == "}" and "#" not in bare:
        return f"{{{' '.join(bare[1:-1].split())}}}"
    if bare.isdecimal() or bare.casefold() in MONTH_MACROS:
        return bare
    joined = join_value(value, lambda name: macros.get(name.casefold(), MONTH_MACROS.get(name.casefold())))
    if joined.unknown_macros or joined.is_cut:
        return " ".join(bare.split())
    return f"{{{' '.join(joined.value.split())}}}"
