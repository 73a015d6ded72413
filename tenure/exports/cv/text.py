"""The CV and the report of a year in plain text."""

import re
from collections.abc import Iterable
from textwrap import indent

from tenure.exports.cv.document import CvDocument, CvRow, CvWriter, EntryRow, LineRow, PaperRow
from tenure.exports.cv.spans import TextBlock
from tenure.exports.plain_text import SiteTextConverter, remove_control_characters
from tenure.model.entries import Publication
from tenure.model.links import url_scheme
from tenure.plan.pages import Plan
from tenure.plan.sections import Section
from tenure.presentation.entry_lines import EntryPresenter
from tenure.presentation.writer import Phrase

PLAIN_SCHEMES = ("tel", "mailto")
"""Schemes of links whose label is enough: programs recognize it."""

_LINE_MARK = re.compile(r"\s*(?:[-*+]|\d+[.)]|#{1,6})\s+")
"""The sign of an item of a list, with its indentation, or of a heading: "  - ", "## "."""

_LINE_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)]|#{1,6})\s)")
"""The end of a paragraph, an item or a heading."""


class TextWriter(CvWriter):
    """Writes plain text, each text but a body on one line; the URL of an external link follows its label."""

    def escape(self, text: str, role: str) -> str:
        del role
        return remove_control_characters(text)

    def convert(self, text: str, role: str) -> str:
        del role
        resolved = self.converter.resolve_citations_and_urls(" ".join(text.split()))
        return self.converter.to_text_with_urls(resolved)

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        """The text with its URL after it: "ACM (https://acm.org)"; a phone number says what it is."""
        del role, detail
        is_plain = url_scheme(url) in PLAIN_SCHEMES or "://" in content
        resolved_url = self.converter.resolve_url(url)
        if is_plain or not url_scheme(resolved_url):
            return content
        return resolved_url if content in resolved_url else f"{content} ({resolved_url})"

    def to_text(self, content: str) -> str:
        return content

    def headline(self, paper: Publication) -> Phrase:
        return self.markdown(paper.title, "heading")

    def paragraph(self, content: Phrase, kind: str = "fact") -> list[TextBlock]:
        return [TextBlock(kind, content)] if content else []

    def body(self, text: str) -> list[TextBlock]:
        lines = []
        for line in _LINE_BREAK.split(self.converter.resolve_citations_and_urls(text).strip()):
            # the sign of an item stays, that of a heading goes
            mark = _LINE_MARK.match(line)
            begin = mark[0] if mark else ""
            words = self.converter.to_text_with_urls(line.removeprefix(begin))
            lines.append(words if "#" in begin else f"{begin}{words}")
        return self.paragraph("\n".join(lines), "paragraph")


def make_document(w: CvWriter) -> CvDocument:
    """The document of a site, whose entries link to their pages."""
    return CvDocument(w, EntryPresenter(w.converter.site, w))


def make_text_cv(converter: SiteTextConverter, plan: Plan) -> str:
    """The CV in plain text, with the sections of the CV page."""
    document = make_document(TextWriter(converter))
    sections = next(page.sections for page in plan if page.kind == "cv")
    return render_text(document, _list_head(document), sections)


def _list_head(document: CvDocument) -> list[str]:
    """The lines of the head of a CV."""
    person = document.describe_person()
    contacts = " · ".join(person.contacts)
    lines = person.name_with_pronouns, person.position, person.tagline, contacts, person.interests
    return [line for line in lines if line]


def render_text(document: CvDocument, first: Iterable[str], sections: Iterable[Section]) -> str:
    """The first lines, and sections, one fact on each line, for web forms and applicant tracking systems."""
    lines = [*first]
    for section in map(document.describe_section, sections):
        legend = f"({section.legend})" if section.legend else ""
        if section.title:
            lines += ["", f"{section.title.upper()} {legend}".rstrip()]
        lines += filter(None, (_write_blocks(section.intro), _write_blocks(section.text)))
        for group in section.groups:
            if group.title:
                lines += ["", group.title]
            for row in group.rows:
                role = row.role if isinstance(row, EntryRow) else ""
                lines += ["", *filter(None, (_write_head(document, row), role, _write_blocks(row.below)))]
    return "\n".join([*lines, ""])


def _write_blocks(blocks: Iterable[TextBlock]) -> str:
    """Blocks below each other; further blocks of an item are indented below its first one."""
    lines = []
    for block in blocks:
        items = [f"- {indent(_write_blocks(item), '  ').lstrip()}" for item in block.items]
        lines += items or [block.text]
    return "\n".join(lines)


def _write_head(document: CvDocument, row: CvRow) -> str:
    """The head of a row after its number, with its dates in parentheses."""
    w = document.w
    comma = document.t["comma"]
    dates = ""
    if isinstance(row, PaperRow):
        head = w.join((row.title, row.authors, row.venue, *row.awards, row.note), " ")
    elif isinstance(row, EntryRow):
        head = w.join([row.head, row.place], comma)
        dates = row.dates
    elif isinstance(row, LineRow):
        head = w.join([row.words, row.sub], comma)
        dates = row.dates
    if row.number is not None:
        head = f"[{row.number}] {head}"
    return f"{head} ({dates})" if dates else head
