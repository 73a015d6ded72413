"""Joins BibTeX entries to a complete file: each macro once before its use, parents after their children."""

import re
from collections.abc import Iterable

_MACRO = re.compile(r"@string\{.*\}\n")


def together(entries: Iterable[str], parents: Iterable[str]) -> str:
    """
    The text of the entries and of their cross-referenced parents, each once, with the macros that they use.

    Source: Patashnik, "BibTeXing" (1988), section 2.2, item 5: an entry must come after those that cross-reference it.
    """
    last = [*dict.fromkeys(parents)]
    known = frozenset(last)
    defined: set[str] = set()
    parts: list[str] = []
    for written in (*(entry for entry in entries if entry not in known), *last):
        entry = written
        while macro := _MACRO.match(entry):
            entry = entry[macro.end() :]
            if macro[0] not in defined:
                defined.add(macro[0])
                parts.append(macro[0])
        if entry.strip():
            parts.append(entry)
    return "\n".join(parts)
