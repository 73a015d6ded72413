"""
Changes one field of one entry of a .bib file, adds entries or removes one, and not another byte.

The place of a field comes from `find_field_spans`. An edit reads the entry again and is refused if another
field would change; what is outside the entry is copied.

    '@misc{a, title = "A", year = 2020}', "a", "year", "2021" -> '@misc{a, title = "A", year = 2021}'
"""

import re
from textwrap import shorten

from tenure.markdown.html import make_slug
from tenure.model.identifiers import find_doi, parse_doi
from tenure.sources.bibtex.bib_text import (
    NON_ENTRY_TYPES,
    BibBlock,
    find_field_spans,
    split_blocks,
    split_entries,
)
from tenure.sources.bibtex.reader import MONTH_MACROS
from tenure.sources.editing.edits import UneditableError, edit_plain_text
from tenure.sources.latex.braces import find_closing_sign
from tenure.sources.latex.conversion import latex_to_text
from tenure.sources.publications.author_names import list_names

MAX_ENTRY_BYTES = 100_000
"""The size of an entry that is pasted or that doi.org answers: an abstract of 20 pages."""

_HEAD = r"@\s*\w+\s*[{(]\s*[^,\s}=;]*\s*,?"
"""@article{lee2020, before the fields."""

_FIELD_NAME = r"[A-Za-z][\w-]*"
_REST_OF_LINE = r"[ \t]*,?[ \t]*(?:%[^\n]*)?\n"
"""
What goes with a field that is removed, "year = {2020}, % checked": its comma, its comment and its line end.
"""


_NAME_FIELDS = frozenset({"author", "editor"})


def read_form_fields(text: str, key: str) -> dict[str, str]:
    """The fields of an entry for its form, which has names one a line; raises UneditableError."""
    fields = read_entry(text, key)
    names = {name: "\n".join(list_names(fields[name])) for name in _NAME_FIELDS & fields.keys()}
    return fields | names


def read_entry(text: str, key: str) -> dict[str, str]:
    """
    The fields of an entry as they are written, without the braces or quotes around a value; raises
    UneditableError.
    """
    return _read_fields(_find_entry(text.replace("\r\n", "\n"), key))


def set_entry_field(text: str, key: str, field: str, value: str | None) -> str:
    """The text with another value of a field; None or "" removes it. Raises UneditableError."""
    return edit_plain_text(text, lambda plain: _set_field(plain, key, field, (value or "").strip()))


def set_form_field(text: str, key: str, field: str, value: str | None) -> str:
    """The text with another value of a field, as a form has it. Raises UneditableError."""
    if field in _NAME_FIELDS:
        value = write_names(value or "")
    return set_entry_field(text, key, field, value)


def write_names(text: str) -> str:
    """
    The names of authors as a .bib file has them, from one a line or in a sentence.

    "Ada Lee\\nRoe, Bo" and "Ada Lee; Roe, Bo" -> "Ada Lee and Roe, Bo"
    """
    lines = [line.strip() for line in text.split("\n")]
    return " and ".join(list_names(" and ".join(filter(None, lines))))


def add_entries(text: str, entry_text: str) -> str:
    """
    The text with more entries at its end. Raises UneditableError if one is no entry of a paper that is new
    here.

    The entries may come from another person or another host: they are read before they are written.
    """
    entries = _read_new_entries(entry_text)
    others = [*split_entries(text)]
    for entry in entries:
        for other in others:
            if other.key == entry.key:
                raise UneditableError(f'the key "{entry.key}" is taken; give the new entry another key')
            if _list_identities(entry) & _list_identities(other):
                raise UneditableError(f'the file has this paper already, with the key "{other.key}"')
        others.append(entry)
    added = "\n\n".join(entry.raw.strip() for entry in entries)

    def append(plain: str) -> str:
        if plain and not plain.endswith("\n"):
            plain += "\n"
        gap = "\n" if plain else ""
        return f"{plain}{gap}{added}\n"

    return edit_plain_text(text, append)


def remove_entry(text: str, key: str) -> str:
    """The text without an entry and the empty line after it. Raises UneditableError."""

    def remove(plain: str) -> str:
        entry = _find_entry(plain, key)
        after = plain[entry.start + len(entry.raw) :]
        return plain[: entry.start] + re.sub(r"\A[ \t]*\n?\n?", "", after)

    return edit_plain_text(text, remove)


def _read_new_entries(text: str) -> list[BibBlock]:
    """The entries of a text from elsewhere."""
    if not text.lstrip().startswith("@"):
        raise UneditableError("this is no BibTeX: it begins with @, such as @article{lee2025, title = {…}}")
    blocks = [
        block
        for block in split_blocks(text.replace("\r\n", "\n"))
        if block.block_type != "text" or block.raw.strip()
    ]
    for block in blocks:
        begin = shorten(block.raw.strip(), 40, placeholder=" …")
        if len(block.raw.encode()) > MAX_ENTRY_BYTES:
            raise UneditableError(f"this is longer than an entry of a paper can be: {begin}")
        if block.block_type != "entry" or block.entry_type in NON_ENTRY_TYPES:
            raise UneditableError(f"this is not a whole BibTeX entry of a paper: {begin}")
        if not block.key or not _read_fields(block).get("title"):
            raise UneditableError(f"this entry has no key or no title: {begin}")
    return blocks


def _list_identities(entry: BibBlock) -> set[str]:
    """
    What two entries of one paper have in common: {"10.1/x", "on-wool"}, its DOI, and its title as a slug.
    """
    fields = {name.casefold(): _strip_delimiters(value) for name, value in entry.fields}
    doi = parse_doi(fields.get("doi", "")) or find_doi(fields.get("url", ""))
    return {doi, make_slug(latex_to_text(fields.get("title", "")).text)} - {""}


def _find_entry(text: str, key: str) -> BibBlock:
    """The entry with a key; only its own text is read, so that a file of a thousand papers takes no time."""
    # @article{lee2020, at the beginning of a line
    heads = [
        *re.finditer(rf"^[ \t]*(?P<at>@)\s*\w+\s*(?P<brace>\{{)\s*{re.escape(key)}\s*,", text, re.MULTILINE)
    ]
    if not key or len(heads) != 1:
        number = "more than one entry" if heads else "no entry in braces"
        raise UneditableError(f'the file has {number} with the key "{key}"')

    start = heads[0].start("at")
    raw = text[start : find_closing_sign(text, heads[0].start("brace")) + 1]
    blocks = [*split_blocks(raw)]
    if len(blocks) != 1 or blocks[0].block_type != "entry":
        raise UneditableError(f'the entry "{key}" has a mistake; correct it in the text')
    return BibBlock("entry", start, raw, blocks[0].entry_type, key, blocks[0].fields)


def _read_fields(entry: BibBlock) -> dict[str, str]:
    """The values by field; of a field that is there twice the first, as the site shows it."""
    fields: dict[str, str] = {}
    for name, value in entry.fields:
        fields.setdefault(name.casefold(), _strip_delimiters(value))
    return fields


def _strip_delimiters(value: str) -> str:
    """A value without its braces or quotes: "{Looms}" -> Looms; 2020 and "{A} # b" have none around them."""
    value = value.strip()
    is_delimited = value[:1] in ("{", '"') and find_closing_sign(value) == len(value) - 1
    return value[1:-1].strip() if is_delimited else value


def _set_field(text: str, key: str, field: str, value: str) -> str:
    """
    The text with another value of a field, "" to remove it; the edited entry is read again.

    Raises UneditableError if another field of it has changed: "}, note = {b" in place of "a".
    """
    entry = _find_entry(text, key)
    name = field.casefold()
    wanted = {other: old for other, old in _read_fields(entry).items() if other != name}
    if value:
        wanted[name] = value

    raw = _edit_entry(entry.raw, field, value)
    edited = text[: entry.start] + raw + text[entry.start + len(entry.raw) :]
    if not _is_balanced(value) or _read_fields(_find_entry(edited, key)) != wanted:
        raise UneditableError(
            "this field cannot be changed here without changing others; change it in the text"
        )
    return edited


def _is_balanced(value: str) -> bool:
    """Whether the braces of a value match: "{On {W}ool}" but not "}{"."""
    wrapped = f"{{{value}}}"
    return find_closing_sign(wrapped) == len(wrapped) - 1 and value.count("{") == value.count("}")


def _edit_entry(raw: str, field: str, value: str) -> str:
    """
    The text of an entry with another value of a field, which is added or removed if need be.

    "@misc{a, year = 2020}", "year", "2021" -> "@misc{a, year = 2021}"; "" -> "@misc{a,}"
    """
    head = re.match(_HEAD, raw)
    start = head.end() if head else 0
    spans = [span for span in find_field_spans(raw, start) if span[0] == field.casefold()]
    if not spans:
        return _add_field(raw, field, value) if value else raw
    _, value_start, value_end = spans[0]
    if value:
        return raw[:value_start] + _format_value(raw[value_start:value_end], value) + raw[value_end:]

    # remove it, from its name before the equals sign to the comma after the value
    name_start = raw.casefold().rindex(field.casefold(), 0, raw.rindex("=", 0, value_start))
    before = raw[:name_start].rstrip(" \t")
    after = raw[value_end:]
    # a field that has its own line goes with this line
    match = re.match(_REST_OF_LINE, after)
    if match and before.endswith("\n"):
        return before + after[match.end() :]
    return before + re.sub(r"\A[ \t]*,", "", after)


def _format_value(old: str, value: str) -> str:
    """A value in the delimiters of the one that it replaces: "A" stays in quotes, 2020 and jan stay bare."""
    is_delimited = _strip_delimiters(old) != old
    is_number_or_macro = value.isdecimal() or value.casefold() in MONTH_MACROS or "#" in old
    if is_number_or_macro and not is_delimited:
        return value
    if is_delimited and old[0] == '"' and '"' not in value:
        return f'"{value}"'
    return f"{{{value}}}"


def _add_field(raw: str, field: str, value: str) -> str:
    """
    The entry with another last field, indented as the one before.

    "@misc{a,\\n  title = {A}\\n}", "year", "2021" -> "@misc{a,\\n  title = {A},\\n  year = {2021}\\n}"
    A comma after the last field stays at the end.
    """
    if not re.fullmatch(_FIELD_NAME, field):
        raise UneditableError(f'"{field}" is no name of a field')
    closing = raw[-1]
    head = raw[:-1].rstrip()
    has_comma = head.endswith(",")
    head = head.removesuffix(",")
    if "\n" not in raw:
        return f"{head}, {field} = {{{value}}}{closing}"
    last_line = head.rpartition("\n")[2]
    indent = last_line[: len(last_line) - len(last_line.lstrip())] or "  "
    last_comma = "," if has_comma else ""
    return f"{head},\n{indent}{field} = {{{value}}}{last_comma}\n{closing}"
