"""The fields of one .bib entry as text, Markdown and URLs; doubtful values are reported at their places."""

from collections.abc import Mapping

from tenure.model.entries import Markdown
from tenure.model.links import suggest_safe_url
from tenure.problems import Place, Problems
from tenure.sources.bibtex.bib_fields import TEXT_FIELDS, FieldIssue, Role, rank_fields
from tenure.sources.bibtex.reader import (
    CITATION_KEY,
    SOURCE_KEY,
    find_field_offsets,
    find_field_place,
    place_at_offset,
)
from tenure.sources.latex.conversion import latex_to_markdown, latex_to_text, latex_to_url
from tenure.sources.publications.notes import move_metadata
from tenure.sources.reading.node import Node


class EntryFields:
    """Reads the fields of one entry."""

    def __init__(self, node: Node, problems: Problems) -> None:
        self.place = node.place
        self.key = node.mapping[CITATION_KEY].text
        self.source_text = node.mapping[SOURCE_KEY].text
        texts = {name: node.text for name, node in node.mapping.items() if not name.startswith("@")}
        moved, _ = move_metadata(texts)
        self.values: Mapping[str, str] = {name: text for name, text in moved.items() if text.strip()}
        self._problems = problems

    def find_first(self, *names: str) -> str:
        """The first of these fields that has a value; "" if none has."""
        for name in names:
            if name in self.values:
                return name
        return ""

    def list_names(self, *roles: Role) -> list[str]:
        """The fields with one of these roles, in the order of the table."""
        ranks = rank_fields(roles)
        return sorted((name for name in self.values if name in ranks), key=ranks.__getitem__)

    def read_text(self, *names: str) -> str:
        """The first of these fields that is set, as plain text."""
        for name in names:
            if name in self.values:
                return latex_to_text(self.values[name]).text
        return ""

    def read_url(self, name: str) -> str:
        """A field as a URL, without the escapes of TeX."""
        if name in self.values:
            return latex_to_url(self.values[name])
        return ""

    def read_markdown(self, *names: str) -> Markdown:
        """The first of these fields that is set, as Markdown; URLs that cannot be linked are reported."""
        name = self.find_first(*names)
        if not name:
            return Markdown("")
        decoded = latex_to_markdown(self.values[name], name in TEXT_FIELDS)
        for url in decoded.unsafe_urls:
            message = f'“{url}” in the {name} of "{self.key}" cannot be linked, and is shown as text'
            self.report("bib-bad-value", name, url, message, suggest_safe_url(url))
        return Markdown(decoded.text)

    def find_place(self, name: str) -> Place:
        """The place of a field."""
        return find_field_place(self.place, self.source_text, name)

    def report_issue(self, issue: FieldIssue) -> None:
        """Report a doubtful text in a field."""
        message = f'{issue.message} in "{self.key}"'
        self.report("bib-bad-value", issue.field, issue.excerpt, message, issue.hint)

    def report(self, code: str, field: str, excerpt: str, message: str, hint: str = "") -> None:
        """Report a problem at an excerpt of a field's value, or else at the field."""
        # the excerpt is searched after the name of its field, or after the first line of the entry
        field_offset = next(find_field_offsets(self.source_text, field), None)
        start = self.place.length if field_offset is None else field_offset + len(field)
        offset = self.source_text.find(excerpt, start + 1) if excerpt else -1
        place = self.find_place(field)
        if offset >= 0:
            place = place_at_offset(self.place, self.source_text, offset, len(excerpt))
        self._problems.report(code, place, message, hint)


def join_subtitle(title: str, subtitle: str) -> Markdown:
    """A title and its subtitle; no colon follows a mark at the end of the title: "Who knows? A study"."""
    separator = ": "
    if title.rstrip("*_”’»\"'")[-1:] in ("?", "!", "…", ":", "."):
        separator = " "
    return Markdown(separator.join(filter(None, (title, subtitle))))
