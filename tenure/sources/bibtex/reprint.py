"""A BibTeX entry as readers copy it: one field a line, macros replaced by their values, without abstract and keywords."""

import re
from collections.abc import Mapping

from tenure.sources.bibtex.reader import MONTH_MACROS
from tenure.sources.bibtex.source_text import format_public_bibtex
from tenure.sources.bibtex.values import find_field_spans, join_value

UNPRINTED_FIELDS = frozenset({"abstract", "keywords", "keyword", "file"})
"""Fields that a citation does not need."""

_ENTRY_HEAD = re.compile(r"@\s*(?P<kind>\w+)\s*\{\s*(?P<key>[^,\s={}()\"]+)\s*,")


def reprint_entry(raw: str, macros: Mapping[str, str]) -> str:
    """
    The public fields of an entry, one a line; `macros` has the macros that it uses, by name.

    Macros of months stay, because every bibliography style defines them. An entry in parentheses or without a key is
    returned with its public fields as written.
    """
    text = format_public_bibtex(raw, {})
    head = _ENTRY_HEAD.match(text)
    if head is None:
        return format_public_bibtex(raw, macros)
    lines = [f"@{head['kind']}{{{head['key']},\n"]
    for name, start, end in find_field_spans(text, head.end()):
        if name not in UNPRINTED_FIELDS:
            lines.append(f"  {name} = {_print_value(text[start:end], macros)},\n")
    return "".join((*lines, "}\n")) if len(lines) > 1 else format_public_bibtex(raw, macros)


def _print_value(value: str, macros: Mapping[str, str]) -> str:
    """A value on one line: a number or the macro of a month as written, any other text in braces."""
    bare = value.strip()
    if bare.isdecimal() or bare.casefold() in MONTH_MACROS:
        return bare
    values = {name.casefold(): text for name, text in macros.items()}
    joined = join_value(value, lambda name: values.get(name.casefold(), MONTH_MACROS.get(name.casefold())))
    if joined.unknown_macros or joined.is_cut:
        return " ".join(bare.split())
    return f"{{{' '.join(joined.value.split())}}}"
