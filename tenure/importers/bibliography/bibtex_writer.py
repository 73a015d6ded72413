"""Writes BibTeX entries from plain data, and cleans the text of existing .bib files."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tenure.counts import format_count
from tenure.importers.bibliography.latex_writer import markdown_to_latex
from tenure.importers.session import ImportSession, join_filled
from tenure.markdown.html import make_slug, make_unique, plain_text
from tenure.model.dates import MONTH_NAMES, parse_date
from tenure.sources.bibtex.splitter import split_entries

VERBATIM_FIELDS = frozenset({"url", "doi", "pdf", "code", "slides", "video", "poster", "preview", "eprint"})
"""Fields for URLs and numbers, which have no markup."""

NAME_FIELDS = frozenset(
    {"author", "editor", "editora", "editorb", "editorc", "translator", "bookauthor", "collaborator"}
)


class BibWriter:
    """Collects the BibTeX entries of an import; `used_keys` are keys of other files, which are not given again."""

    def __init__(self, used_keys: Iterable[str] = ()) -> None:
        self._entries: dict[str, str] = {}
        self._keys = set(used_keys)

    def add_entry(
        self,
        entry_type: str,
        fields: Mapping[str, str],
        *,
        key: str = "",
        latex_fields: Mapping[str, str] | None = None,
    ) -> str:
        """
        Add an entry; returns its key.

        `date` becomes year and month, `author` is not changed, other fields are Markdown. `latex_fields` are in LaTeX;
        they are used if `fields` has no such field.
        """
        entry_fields = {name: value for name, value in fields.items() if name != "date" and value}
        date = parse_date(fields.get("date", ""))
        if date is not None and date.year:
            entry_fields["year"] = str(date.year)
            if date.month:
                entry_fields["month"] = MONTH_NAMES[date.month - 1][:3]
        elif fields.get("date"):
            entry_fields["note"] = join_filled(entry_fields.get("note", ""), fields["date"], separator="; ")
        clean_key = re.sub(r"[\s,{}()=\"#%'\\~]+", "", key)
        key = make_unique(clean_key or _generate_key(entry_fields), self._keys)
        self._keys.add(key)
        lines = [f"  {name} = {_format_value(name, value)}" for name, value in entry_fields.items()]
        for name, value in (latex_fields or {}).items():
            if name not in entry_fields and value.count("{") == value.count("}"):
                lines.append(f"  {name} = {{{value}}}")
        self._entries[key] = f"@{entry_type}{{{key},\n" + ",\n".join(lines) + "\n}\n"
        return key

    def write_file(self, session: ImportSession, path: str = "bib/papers.bib") -> None:
        """Write the entries to a file; nothing if there are none."""
        if self._entries:
            session.add_text_file(path, "\n".join(self._entries.values()))


def _generate_key(fields: Mapping[str, str]) -> str:
    last_name = fields.get("author", "").split(" and ")[0].split(",")[0].split()
    title_words = make_slug(plain_text(fields.get("title", ""))).split("-")
    title_word = next((word for word in title_words if len(word) > 3), "work")
    name = make_slug(last_name[-1]).replace("-", "") if last_name else ""
    return re.sub(r"[^a-z0-9]", "", f"{name}{fields.get('year', '')}{title_word}") or "work"


def _format_value(name: str, value: str) -> str:
    if name == "month":
        return value
    if name in NAME_FIELDS:
        return "{" + value + "}"
    if name in VERBATIM_FIELDS or name.endswith("_url"):
        return "{" + re.sub(r"[{}\\]", "", value) + "}"
    return "{" + markdown_to_latex(value).strip() + "}"


def clean_names(names: str) -> str:
    """Author names without Markdown emphasis; a name with a comma is understood as "Last, First"."""
    return re.sub(r"[*_\\]{2,}|(?<!\w)[*_](?=\w)|(?<=\w)[_](?!\w)", "", " ".join(names.split()))


def strip_jekyll_front_matter(session: ImportSession, name: str, text: str) -> str:
    """The text of a .bib file without the front matter of Jekyll; its removal is reported."""
    match = re.match(r"\ufeff?---[ \t]*\n(?:[^\n]*\n)*?---[ \t]*(?:\n|$)", text)
    if not match:
        return text
    session.record_converted(f"{name}:1", "the front matter of Jekyll is not part of BibTeX and was removed")
    return text[match.end() :].lstrip("\n")


def add_bib_file(session: ImportSession, path: Path, text: str) -> None:
    """Add the text of a .bib file to bib/ under its own name."""
    session.add_text_file(f"bib/{path.stem}.bib", text, session.relative_path(path))
    count = sum(1 for _ in split_entries(text))
    session.record_imported(session.relative_path(path), format_count(count, "entry", "entries"))
