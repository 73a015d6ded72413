"""Joins BibTeX entries to a complete file: each macro once before its use, parents after their children."""

import re
from collections.abc import Iterable

_STRING_MACRO = re.compile(r"@string\{.*\}\n")


def join_bibtex_entries(entries: Iterable[str], parents: Iterable[str]) -> str:
    """
    The text of the entries and of their cross-referenced parents, each once, with the macros that they use.

    Source: Patashnik, "BibTeXing" (1988), section 2.2, item 5: an entry must come after those that cross-reference it.
    """
    parent_entries = [*dict.fromkeys(parents)]
    parent_set = frozenset(parent_entries)
    defined_macros: set[str] = set()
    blocks: list[str] = []
    for entry_text in (*(entry for entry in entries if entry not in parent_set), *parent_entries):
        entry = entry_text
        while macro := _STRING_MACRO.match(entry):
            entry = entry[macro.end() :]
            if macro[0] not in defined_macros:
                defined_macros.add(macro[0])
                blocks.append(macro[0])
        if entry.strip():
            blocks.append(entry)
    return "\n".join(blocks)
