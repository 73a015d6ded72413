"""The CV in plain text, and the report of a year in Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent

from tenure.exports.cv.document import CvDocument, CvRow, CvWriter, TextBlock
from tenure.exports.plain_text import SiteTextConverter, remove_control_characters
from tenure.model.entries import Publication
from tenure.model.links import url_scheme
from tenure.plan.pages import Plan
from tenure.plan.sections import Section
from tenure.presentation.entry_lines import EntryPresenter
from tenure.presentation.writer import Phrase

BOLD_ROLES = frozenset({"heading", "duty", "owner", "award"})
PLAIN_SCHEMES = ("tel", "mailto")
"""Schemes of links whose label is enough: programs recognize it."""

_MARKDOWN_CHARACTERS = re.compile(r"[\\`*_\[\]<>#@$]")
"""Characters of a name that Markdown may interpret."""

_MARKUP = re.compile(
    r"""
    \]\((?:<[^<>]*>|[^()]*)\)       # ](https://example.org)
    | (?<!\\)[*\[]                  # *, [
    | \\(?=[\\`*_\[\]<>\#@$])       # the backslash of \*
    """,
    re.VERBOSE,
)

_LINE_MARK = re.compile(r"\s*(?:[-*+]|\d+[.)]|#{1,6})\s+")
"""The sign of an item of a list, with its indentation, or of a heading: "  - ", "## "."""

_LINE_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)]|#{1,6})\s)")
"""The end of a paragraph, an item or a heading."""


class MarkdownWriter(CvWriter):
    """Writes Markdown; each text but a body is on one line."""

    paragraph_end = "\n\n"

    def escape(self, text: str, role: str) -> str:
        del role
        return _MARKDOWN_CHARACTERS.sub(r"\\\g<0>", text)

    def convert(self, text: str, role: str) -> str:
        del role
        return self.converter.resolve_citations_and_urls(" ".join(text.split()))

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        """A link, and bold or italic by the role: "[ACM](https://acm.org)", "**A title**", "*Nature*"."""
        del detail
        # no link is in another one
        if url and "](" not in content and url_scheme(url) not in PLAIN_SCHEMES:
            url = self.converter.resolve_url(url)
            # "/files/talk (1).pdf" would end at its bracket
            content = f"[{content}](<{url}>)" if re.search(r"[()\s]", url) else f"[{content}]({url})"
        if role in BOLD_ROLES and "**" not in content:
            return f"**{content}**"
        return f"*{content}*" if role == "venue" and "*" not in content else content

    def to_text(self, content: str) -> str:
        return _MARKUP.sub("", content)

    def headline(self, paper: Publication) -> Phrase:
        return self.markdown(paper.title, "heading")

    def paragraph(self, content: Phrase, kind: str = "fact") -> list[TextBlock]:
        return [TextBlock(kind, content)] if content else []

    def bullets(self, items: Sequence[Sequence[TextBlock]]) -> list[TextBlock]:
        """The items as a list; further blocks of an item are indented below its first one."""
        lines = []
        for item in items:
            text = "\n".join(block.markup for block in item)
            lines.append(f"- {indent(text, '  ').lstrip()}")
        return self.paragraph("\n".join(lines), "list")

    def body(self, text: str) -> list[TextBlock]:
        return self.paragraph(self.converter.resolve_citations_and_urls(text).strip(), "paragraph")

    def stack(self, blocks: Sequence[TextBlock]) -> str:
        return self.paragraph_end.join(block.markup for block in blocks)


class TextWriter(MarkdownWriter):
    """Writes plain text; the URL of an external link follows its label."""

    paragraph_end = "\n"

    def escape(self, text: str, role: str) -> str:
        del role
        return remove_control_characters(text)

    def convert(self, text: str, role: str) -> str:
        return self.converter.to_text_with_urls(super().convert(text, role))

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
    name = person["name"]
    if person["pronouns"]:
        name = f"{name} ({person['pronouns']})"
    contacts = " · ".join(person["contacts"])
    lines = document.w.plain(name), person["position"], person["tagline"], contacts, person["interests"]
    return [line for line in lines if line]


def render_markdown(document: CvDocument, first: Iterable[str], sections: Iterable[Section]) -> str:
    """The first lines, and sections, in Markdown: "# Ada Lee: 2024", "## Talks", "- **Looms** …"."""
    blocks = [*first]
    for section in map(document.describe_section, sections):
        legend = document.w.plain(f"({section['legend']})") if section["legend"] else ""
        if section["title"]:
            blocks.append(f"## {section['title']} {legend}".rstrip())
        blocks += [section["intro"], section["text"]]
        for group in section["groups"]:
            if group["title"]:
                blocks.append(f"### {group['title']}")
            blocks.append("\n".join(line for row in group["rows"] for line in _list_lines(document, row)))
    # two rows with a text between them have an empty line each
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(filter(None, blocks))) + "\n"


def _list_lines(document: CvDocument, row: CvRow) -> Iterator[str]:
    """A row as an item of a list; one that has more than bullets has empty lines around what is below it."""
    below = "\n\n".join(filter(None, (row.get("role"), row["below"])))
    is_compact = not below or (below.startswith("- ") and "\n\n" not in below)
    head = _write_head(document, row, r"\[{}\] ")
    yield f"- {head}"
    if not is_compact:
        yield from ("", indent(below, "  "), "")
    elif below:
        yield indent(below, "  ")


def render_text(document: CvDocument, first: Iterable[str], sections: Iterable[Section]) -> str:
    """The first lines, and sections, one fact on each line, for web forms and applicant tracking systems."""
    lines = [*first]
    for section in map(document.describe_section, sections):
        legend = f"({section['legend']})" if section["legend"] else ""
        if section["title"]:
            lines += ["", f"{section['title'].upper()} {legend}".rstrip()]
        lines += filter(None, (section["intro"], section["text"]))
        for group in section["groups"]:
            if group["title"]:
                lines += ["", group["title"]]
            for row in group["rows"]:
                # [3] Looms (2024), then what is below the head
                texts = _write_head(document, row, "[{}] "), row.get("role"), row["below"]
                lines += ["", *filter(None, texts)]
    return "\n".join([*lines, ""])


def _write_head(document: CvDocument, row: CvRow, number: str) -> str:
    """The head of a row after its number, with its dates in parentheses."""
    w = document.w
    comma = document.t["comma"]
    if row["form"] == "paper":
        parts = row["title"], row["authors"], row["venue"], *row["awards"], row["note"]
        head = w.join(parts, " ")
    elif row["form"] == "entry":
        head = w.join([w.nest(row["head"], "heading"), row["place"]], comma)
    else:
        head = w.join([row["words"], row["sub"]], comma)
    if row["number"] is not None:
        head = f"{number.format(row['number'])}{head}"
    dates = w.to_text(row.get("dates", ""))
    return f"{head} ({dates})" if dates else head
