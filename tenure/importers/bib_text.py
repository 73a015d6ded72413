"""Writes BibTeX entries from plain data, and cleans the text of existing .bib files."""

import re
from collections.abc import Iterator, Mapping

from tenure.importers.gathering import Gathering
from tenure.importers.latex_text import latex_of
from tenure.model.dates import MONTHS, read_date
from tenure.text import plain, slug, unique

_ENTRY = re.compile(r"@\s*(\w+)\s*\{\s*([^,\s}]*)", re.MULTILINE)
_NO_ENTRIES = frozenset({"string", "comment", "preamble"})
BARE = frozenset(
    {"url", "doi", "author", "editor", "pdf", "code", "slides", "video", "poster", "preview", "eprint"}
)
"""Fields for URLs, numbers and names, which have no markup."""


def entries_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and key of each entry in the text of a .bib file; the end is found by counting braces."""
    for found in _ENTRY.finditer(text):
        if found[1].casefold() in _NO_ENTRIES:
            continue
        depth, end = 0, found.end()
        for sign in re.finditer(r"[{}]", text[found.start() :]):
            depth += 1 if sign[0] == "{" else -1
            if depth == 0:
                end = found.start() + sign.end()
                break
        yield found.start(), end, found[2]


class BibWriter:
    """Collects the BibTeX entries of an import."""

    def __init__(self) -> None:
        self._entries: dict[str, str] = {}

    def add(
        self, kind: str, fields: Mapping[str, str], *, key: str = "", raw: Mapping[str, str] | None = None
    ) -> str:
        """
        Add an entry; returns its key.

        `date` becomes year and month, `author` is not changed, other fields are Markdown. `latex_fields` are in LaTeX;
        they are used if `fields` has no such field.
        """
        rest = {name: value for name, value in fields.items() if name != "date" and value}
        date = read_date(fields.get("date", ""))
        if date is not None and date.year:
            rest["year"] = str(date.year)
            if date.month:
                rest["month"] = MONTHS[date.month - 1][:3]
        elif fields.get("date"):
            rest["note"] = "; ".join(part for part in (rest.get("note", ""), fields["date"]) if part)
        key = unique(re.sub(r"[\s,{}()=\"#%'\\~]+", "", key) or _key(rest), self._entries)
        lines = [f"  {name} = {_value(name, value)}" for name, value in rest.items()]
        for name, value in (raw or {}).items():
            if name not in rest and value.count("{") == value.count("}"):
                lines.append(f"  {name} = {{{value}}}")
        self._entries[key] = f"@{kind}{{{key},\n" + ",\n".join(lines) + "\n}\n"
        return key

    def write(self, gathering: Gathering, path: str = "bib/papers.bib") -> None:
        """Write the entries to a file; nothing if there are none."""
        if self._entries:
            gathering.write(path, "\n".join(self._entries.values()))


def _key(fields: Mapping[str, str]) -> str:
    last = fields.get("author", "").split(" and ")[0].split(",")[0].split()
    first = next((w for w in slug(plain(fields.get("title", ""))).split("-") if len(w) > 3), "work")
    name = slug(last[-1]).replace("-", "") if last else ""
    return re.sub(r"[^a-z0-9]", "", f"{name}{fields.get('year', '')}{first}") or "work"


def _value(name: str, value: str) -> str:
    if name == "month":
        return value
    if name in ("author", "editor"):
        return "{" + value + "}"
    if name in BARE or name.endswith("_url"):
        return "{" + re.sub(r"[{}\\]", "", value) + "}"
    return "{" + latex_of(value).strip() + "}"


def names_of(words: str) -> str:
    """Author names without Markdown emphasis; a name with a comma is understood as "Last, First"."""
    return re.sub(r"[*_\\]{2,}|(?<!\w)[*_](?=\w)|(?<=\w)[_](?!\w)", "", " ".join(words.split()))


def import_text(gathering: Gathering, name: str, text: str) -> str:
    """The text of a .bib file without the front matter of Jekyll; its removal is reported."""
    found = re.match(r"\ufeff?---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|$)", text)
    if found:
        gathering.changed(f"{name}:1", "the front matter of Jekyll is not part of BibTeX and was removed")
        return text[found.end() :].lstrip("\n")
    return text
