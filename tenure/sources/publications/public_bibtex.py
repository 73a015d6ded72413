"""
The BibTeX text of an entry for readers: its public fields without author marks, as written or one a line.

author = {Ada Lovelace$^*$}, file = {a.pdf} -> author = {Ada Lovelace}
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from unicodedata import normalize

from tenure.limits import cache_texts
from tenure.model.names import FOOTNOTE_MARKS
from tenure.sources.bibtex.bib_fields import BIB_FIELDS
from tenure.sources.bibtex.bib_text import find_field_spans, join_value
from tenure.sources.bibtex.reader import MONTH_MACROS
from tenure.sources.latex.braces import compile_pattern, find_closing_sign
from tenure.sources.publications.author_names import parse_authors, remove_emphasis, split_outside_braces

_TRAILING_COMMA = r"[ \t]*,?"
_ENTRY_HEAD = r"""(?x)
    @\s*(?P<kind>\w+)\s*(?P<opening>[{(])\s*
    (?P<key>[^,\s={}()\"]*)\s*(?P<comma>,?)         # @article{pan2025,
"""

_EMPHASIS = r"\\(?:[a-zA-Z]{2,}\s*\{|(?:bf|em|it)\b)"
"""A command that may emphasize the owner of the site."""

NAME_LIST_FIELDS = frozenset({"author", "editor"})
"""Fields with lists of names, which may have marks such as the star of equal contribution."""

_MARK_SIGN = (
    rf"(?:[{FOOTNOTE_MARKS}]|\\[#*]"
    r"|\\(?:text)?(?:d?dag(?:ger)?|daggerdbl|ast|asterisk\w*|section|paragraph|S|P)"
    r"(?![A-Za-z])[ \t]*(?:\{\})?)"
)
r"""A mark of an author: *, \dagger, \textsection{}; \Paper is a command of its own."""

_MARK_SIGNS = rf"{_MARK_SIGN}(?:[ ,]*{_MARK_SIGN})*"
_MARK_FORMULA = rf"\$(?:\{{\}})?\^?\{{?{_MARK_SIGNS}\}}?\$"
r"""$^{*}$, ${}^{*,\dagger}$."""

_AUTHOR_MARK = (
    rf"(?:\{{{_MARK_FORMULA}\}}"  # {$^*$}
    rf"|{_MARK_FORMULA}"  # $^{\dagger}$
    rf"|\\textsuperscript\s*\{{\$?{_MARK_SIGNS}\$?\}}"  # \textsuperscript{*}
    rf"|\^?\{{{_MARK_SIGNS}\}}"  # ^{*}
    rf"|\^?{_MARK_SIGNS})"  # *
)

_ANY_MARK = _MARK_SIGN
_MACRO_NAME = r"[^\s#,{}\"]+"
"""A word outside braces and quotes, such as caches of caches # { 2025}."""


class BibtexText(NamedTuple):
    """The public fields of an entry: as they are written in its file, and one a line."""

    written: str
    printed: str


class _PublicField(NamedTuple):
    """
    A public field in the text of its entry: what stands before its value, the value, and the comma after it.
    """

    name: str
    label: str
    value: str
    comma: str


UNPRINTED_FIELDS = frozenset({"abstract", "keywords", "keyword", "file"})
"""Fields that a citation does not need."""


def format_public_bibtex(raw: str, macros: Mapping[str, str]) -> BibtexText:
    """
    The source text of an entry with its public fields, without author marks, in Unicode NFC.

    `macros` has the macros that the entry uses, by name; their @string definitions are written before it. In
    the printed text, they are replaced; macros of months stay, because every bibliography style defines them.
    An entry in parentheses or without a key is printed as it is written.
    """
    text = normalize("NFC", raw.strip())
    macros = {name: normalize("NFC", value) for name, value in macros.items()}
    head = compile_pattern(_ENTRY_HEAD).match(text)
    start = head.end() if head else 0
    fields, rest = _split_fields(text, start)

    parts = [part for field in fields for part in field[1:]]
    written = "".join((*_define_macros(macros, fields), text[:start], *parts, rest, "\n"))

    values = {name.casefold(): value for name, value in macros.items()}
    lines = [
        f"  {field.name} = {_print_value(field.value, values)},\n"
        for field in fields
        if field.name not in UNPRINTED_FIELDS
    ]
    if not (lines and head and head["key"] and head["opening"] == "{" and head["comma"]):
        return BibtexText(written, written)
    return BibtexText(written, "".join((f"@{head['kind']}{{{head['key']},\n", *lines, "}\n")))


def _split_fields(text: str, start: int) -> tuple[list[_PublicField], str]:
    """
    The public fields of an entry, from `start` on, and the text after all fields; both without comments.
    """
    fields: list[_PublicField] = []
    for name, value_start, value_end in find_field_spans(text, start):
        comma = compile_pattern(_TRAILING_COMMA).match(text, value_end)
        end = comma.end() if comma else value_end
        value = text[value_start:value_end]
        if name in NAME_LIST_FIELDS:
            value = _remove_marks_from_value(value)
        if _is_public(name):
            label = _remove_comments(text[start:value_start])
            fields.append(_PublicField(name, label, value, text[value_end:end]))
        start = end
    return fields, _remove_comments(text[start:])


def _define_macros(macros: Mapping[str, str], fields: Sequence[_PublicField]) -> list[str]:
    """The definitions of macros, without author marks in those for names: '@string{ada = {Ada Lovelace}}'."""
    names = [field.value for field in fields if macros and field.name in NAME_LIST_FIELDS]
    macros_of_names = {macro for value in names for macro in compile_pattern(_MACRO_NAME).findall(value)}

    values = dict(sorted(macros.items()))
    values |= {name: remove_author_marks(values[name]) for name in values if name in macros_of_names}
    return [f"@string{{{name} = {{{value}}}}}\n" for name, value in values.items()]


def _remove_comments(text: str) -> str:
    """
    A text between fields without the fields that are commented out, which BibTeX cannot read within an entry.
    """
    return re.sub(r"(?<=\n)[ \t]*%[^\n]*\n", "", text) if "%" in text else text


def _is_public(name: str) -> bool:
    """Whether readers need a field to cite the publication; no other field is published."""
    return name in BIB_FIELDS and BIB_FIELDS[name].public


def _remove_marks_from_value(value: str) -> str:
    """
    The source text of a value without author marks: "{Lee, Ada$^*$}" -> "{Lee, Ada}".

    Also in each part of a value that is joined by #: '"Lee, Ada* and " # bo' -> '"Lee, Ada and " # bo'.
    """
    is_one_part = value[:1] == "{" and "#" not in value and value[-1:] == "}"
    if is_one_part:
        return f"{{{remove_author_marks(value[1:-1])}}}"

    chunks: list[str] = []
    offset = 0
    while offset < len(value):
        # a part in braces or quotes, or one character between parts
        end = find_closing_sign(value, offset) if value[offset] in '{"' else offset
        chunks.append(value[offset])
        if end > offset:
            chunks += [remove_author_marks(value[offset + 1 : end]), value[end : end + 1]]
        offset = end + 1
    return "".join(chunks)


_AND_SEPARATOR = r"(?i)(\s+and\s+)"


@cache_texts
def remove_author_marks(names: str) -> str:
    """
    Remove marks such as the star of equal contribution, and the emphasis of a name;
    the other bytes are unchanged.

    A name that would be parsed differently without the signs is unchanged: then they are a part of the name.
    """
    if not compile_pattern(_ANY_MARK).search(names) and not compile_pattern(_EMPHASIS).search(names):
        return names
    return "".join(_remove_marks_from_name(part) for part in compile_pattern(_AND_SEPARATOR).split(names))


_MARK_AFTER_SPACE = rf"[ \t~]+{_AUTHOR_MARK}(?=\s*(?:,|\Z))"
"""A mark behind a space: "Ada Lee †". It is compiled for the first name with a mark, as that takes 4 ms."""


def _remove_marks_from_name(name: str) -> str:
    """A name without marks, "Ada Lovelace$^*$" -> "Ada Lovelace", if it is the same name without them."""
    if compile_pattern(_EMPHASIS).search(name):
        name = _remove_emphasis_from_name(name)
    if not compile_pattern(_ANY_MARK).search(name):
        return name
    cleaned = re.sub(_AUTHOR_MARK, "", re.sub(_MARK_AFTER_SPACE, "", name))
    if cleaned == name:
        return name

    written_names = [author.name.full_name for author in parse_authors(name).authors.people]
    unmarked = parse_authors(cleaned).authors.people
    is_same_name = written_names == [author.name.full_name for author in unmarked]
    if is_same_name and not any(author.marks for author in unmarked):
        return cleaned
    return name


def _remove_emphasis_from_name(name: str) -> str:
    r"""A name without the commands around it or its parts: "{\bf Doe}, {\bf Eva}" becomes "Doe, Eva"."""
    parts = split_outside_braces(remove_emphasis(name.strip()), ",")
    cleaned = ", ".join(remove_emphasis(part.strip()) for part in parts)
    if cleaned == name.strip():
        return name
    is_same_name = parse_authors(name).authors.people == parse_authors(cleaned).authors.people
    if cleaned and is_same_name:
        return name.replace(name.strip(), cleaned)
    return name


def _print_value(value: str, macros: Mapping[str, str]) -> str:
    """
    A value on one line: "2025" and "mar" as written, any other text in braces, '"Looms"' -> "{Looms}".

    Macros are replaced: with {caches: "Caches"}, 'caches # " 2025"' -> "{Caches 2025}".
    """
    bare = value.strip()
    is_one_part = bare[:1] == "{" and bare[-1:] == "}" and "#" not in bare
    if is_one_part:
        return f"{{{' '.join(bare[1:-1].split())}}}"
    if bare.isdecimal() or bare.casefold() in MONTH_MACROS:
        return bare

    joined = join_value(value, lambda name: macros.get(name.casefold(), MONTH_MACROS.get(name.casefold())))
    # a value that is not known whole stays as it is written
    if joined.unknown_macros or joined.is_cut:
        return " ".join(bare.split())
    return f"{{{' '.join(joined.value.split())}}}"
