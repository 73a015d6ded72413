"""
The walk over a CV that Word and LaTeX share: what is a line, what stands at its end, and what is bold.

A format writes each kind of line: "entry", "Loom Lab", "Rome" -> Loom Lab at the left, Rome at the right.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from tenure.exports.cv.document import CvData, CvRow, CvSection, EntryRow, LineRow, PaperRow
from tenure.exports.cv.spans import TextBlock
from tenure.presentation.writer import Phrase

Weight = Literal["", "strong", "emph"]

LineKind = Literal[
    "name",
    "contacts",
    "section",
    "group",
    "line",
    "entry",
    "role",
    "paper",
    "updated",
]
"""The kinds of lines: a style of Word, a command of LaTeX."""


def count_digits(cv: CvData) -> int:
    """The number of digits of the largest number of the CV, so that all lists have the same indent."""
    rows = [row for section in cv.sections for group in section.groups for row in group.rows]
    return len(str(max((row.number or 0 for row in rows), default=0)))


class CvWalk(ABC):
    """Writes the lines of a document in one format."""

    @abstractmethod
    def write_line(self, kind: LineKind, text: str, end: str = "", *, keep: bool = False) -> str:
        """
        A line with what stands at its end, such as its dates; "" without both.

        Of a "paper", `text` is its number, and `end` the text beside that. With `keep`, the next line is on
        the same page.
        """

    @abstractmethod
    def write_plain(self, text: str, weight: Weight = "") -> str:
        """A plain text."""

    @abstractmethod
    def write_phrase(self, phrase: Phrase, weight: Weight = "", *, colored: bool = False) -> str:
        """A phrase; `colored` links have a color of their own."""

    @abstractmethod
    def write_legend(self, legend: str) -> str:
        """What explains the star of authors, beside the heading of a section: "* equal contribution"."""

    @abstractmethod
    def write_target(self, anchor: str) -> str:
        """The target of references to a row."""

    @abstractmethod
    def write_reference(self, anchor: str, text: str) -> str:
        """A text that leads to a row."""

    @abstractmethod
    def write_blocks(self, blocks: Sequence[TextBlock], *, is_paper: bool = False) -> str:
        """Blocks below each other, those of a paper below its text."""

    def write_body(self, cv: CvData) -> str:
        """The head of the CV and its sections."""
        person = cv.person
        contacts = [self.write_phrase(contact, colored=True) for contact in person.contacts]
        below = [
            self.write_phrase(person.position),
            self.write_phrase(person.tagline),
            self._join(contacts, " · "),
            self.write_phrase(person.interests),
        ]
        lines = [
            self.write_line("name", self.write_plain(person.name_with_pronouns)),
            *(self.write_line("contacts", line) for line in below),
            *(line for section in cv.sections for line in self._list_lines(section)),
            self.write_line("updated", self.write_phrase(cv.updated)),
        ]
        return "".join(lines)

    def _list_lines(self, section: CvSection) -> Iterator[str]:
        """The lines of a section."""
        if section.title:
            legend = self.write_legend(section.legend) if section.legend else ""
            yield self.write_line("section", self.write_phrase(section.title) + legend)
        yield self.write_blocks(section.intro)
        yield self.write_blocks(section.text)

        if section.contents:
            yield self.write_line("group", self.write_phrase(section.contents_title))
        for entry in section.contents:
            link = self.write_reference(entry.id, self.write_phrase(entry.head))
            yield self.write_line("line", link, self.write_phrase(entry.dates))
        for group in section.groups:
            yield self.write_line("group", self.write_phrase(group.title))
            yield from map(self._write_row, group.rows)

    def _write_row(self, row: CvRow) -> str:
        """A row with what is below its head; a paper keeps its own lines together without `keep`."""
        target = self.write_target(row.id) if row.id else ""
        below = self.write_blocks(row.below, is_paper=isinstance(row, PaperRow))
        keep = bool(below)
        if isinstance(row, PaperRow):
            return self._write_paper(row, target) + below
        if isinstance(row, EntryRow):
            return self._write_entry(row, target, keep=keep) + below
        if isinstance(row, LineRow):
            words = self._join([self.write_phrase(row.words), self.write_phrase(row.sub)], ", ")
            return self.write_line("line", target + words, self.write_phrase(row.dates), keep=keep) + below
        return below

    def _write_paper(self, row: PaperRow, target: str) -> str:
        """A publication with its number, which is text: the order is often descending."""
        parts = [
            self.write_phrase(row.title, "strong"),
            self.write_phrase(row.authors),
            self.write_phrase(row.venue),
            *(self.write_phrase(award, "strong") for award in row.awards),
            self.write_phrase(row.note),
        ]
        number = self.write_plain(f"[{row.number}]") if row.number is not None else ""
        return self.write_line("paper", number, target + self._join(parts, " "))

    def _write_entry(self, row: EntryRow, target: str, *, keep: bool) -> str:
        """
        A head of two lines of two columns, or of one line without a role.

        head Loom Lab, role Engineer -> | Loom Lab | Rome | and | Engineer | 2019 |; without a role ->
        | Loom Lab, Rome | 2019 |; also without dates -> | Loom Lab | Rome |
        """
        head = self.write_phrase(row.head, "strong")
        place = self.write_phrase(row.place)
        if row.role:
            role = self.write_phrase(row.role, "emph")
            first = self.write_line("entry", target + head, place, keep=True)
            return first + self.write_line("role", role, self.write_phrase(row.dates, "emph"), keep=keep)
        dates = self.write_phrase(row.dates)
        if dates:
            head = self._join([head, place], ", ")
        return self.write_line("entry", target + head, dates or place, keep=keep)

    def _join(self, parts: Iterable[str], separator: str) -> str:
        return self.write_plain(separator).join(filter(None, parts))
