"""The CV in Markdown and in plain text."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from tenure.exports.plain_text import SiteTextConverter, remove_control_characters
from tenure.model.links import Link, url_scheme
from tenure.model.site import SectionConfig, Site
from tenure.model.translations import Translations
from tenure.plan.kinds import default_cv_sections
from tenure.plan.pages import Plan
from tenure.plan.sections import ListItem, Section, make_section
from tenure.presentation.citation import Citation
from tenure.presentation.entries import EntryLines, EntryPresenter
from tenure.presentation.reference import format_reference
from tenure.presentation.writer import Block, Bullet, TextLink, Writer
from tenure.problems import Problems
from tenure.record import Record

BOLD_ROLES = frozenset({"heading", "duty", "owner", "award"})
_MARKDOWN_CHARACTERS = re.compile(r"[\\`*_\[\]<>#@$]")
"""Characters of a name that Markdown may interpret."""

_MARKUP = re.compile(r"\]\((?:<[^<>]*>|[^()]*)\)|(?<!\\)[*\[]|\\(?=[\\`*_\[\]<>#@$])")


_LINE_MARK = re.compile(r"\s*(?:[-*+]|\d+[.)]|#{1,6})\s+")
"""The sign of an item of a list, with its indentation, or of a heading: "  - ", "## "."""

_LINE_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)]|#{1,6})\s)")
"""The end of a paragraph, an item or a heading."""


class CvTextWriter(Writer):
    """Writes the texts of a CV without pages."""

    def __init__(self, converter: SiteTextConverter) -> None:
        super().__init__()
        self._converter = converter

    @abstractmethod
    def body(self, text: str) -> str:
        """A Markdown text of several paragraphs in the format."""


class MarkdownWriter(CvTextWriter):
    """Writes Markdown; each text but a body is on one line."""

    def body(self, text: str) -> str:
        return self._converter.resolve_citations_and_urls(text).strip()

    def escape(self, text: str, role: str) -> str:
        del role
        return _MARKDOWN_CHARACTERS.sub(r"\\\g<0>", text)

    def convert(self, text: str, role: str) -> str:
        del role
        return self._converter.resolve_citations_and_urls(" ".join(text.split()))

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        del detail
        if url and "](" not in content and url_scheme(url) != "tel":
            url = self._converter.resolve_url(url)
            content = f"[{content}](<{url}>)" if re.search(r"[()\s]", url) else f"[{content}]({url})"
        if role in BOLD_ROLES and "**" not in content:
            return f"**{content}**"
        return f"*{content}*" if role == "venue" and "*" not in content else content

    def to_text(self, content: str) -> str:
        return _MARKUP.sub("", content)


class TextWriter(CvTextWriter):
    """Writes plain text; the URL of an external link follows its label."""

    def body(self, text: str) -> str:
        lines = []
        for line in _LINE_BREAK.split(self._converter.resolve_citations_and_urls(text).strip()):
            mark = _LINE_MARK.match(line)
            begin = mark[0] if mark and "#" not in mark[0] else ""
            lines.append(begin + self._converter.to_text_with_urls(line[mark.end() if mark else 0 :]))
        return "\n".join(lines)

    def escape(self, text: str, role: str) -> str:
        del role
        return remove_control_characters(text)

    def convert(self, text: str, role: str) -> str:
        del role
        return self._converter.to_text_with_urls(
            self._converter.resolve_citations_and_urls(" ".join(text.split()))
        )

    def wrap(self, content: str, role: str, url: str = "", detail: str = "") -> str:
        del role, detail
        url = "" if url_scheme(url) == "tel" or "://" in content else self._converter.resolve_url(url)
        if not url_scheme(url):
            return content
        return url if content in url else f"{content} ({url})"

    def to_text(self, content: str) -> str:
        return content


class CvRow(Record):
    """An entry in Markdown or plain text: its head with its number and its dates, and below it texts and bullet points in order."""

    head: str
    dates: str = ""
    below: tuple[str | Bullet, ...] = ()
    number: int | None = None


class TextSection(Record):
    """A section of a document: its title, the legend of its marks, a text, and rows in groups."""

    title: str
    legend: str = ""
    text: str = ""
    groups: tuple[tuple[str, tuple[CvRow, ...]], ...] = ()


def make_rows(site: Site, w: CvTextWriter, items: Sequence[ListItem]) -> tuple[CvRow, ...]:
    """The entries of a list as rows with all their facts."""
    presenter = EntryPresenter(site, w)
    presented = zip(items, presenter.present_items(items), strict=True)
    return tuple(_make_row(w, presenter.t, item, entry) for item, entry in presented)


def _make_row(w: CvTextWriter, t: Translations, item: ListItem, entry: EntryLines | Citation) -> CvRow:
    dates, role = "", ""
    blocks: tuple[Block, ...]
    if isinstance(entry, Citation):
        line = entry.line(w.markdown(entry.paper.title, "heading"))
        reference = [format_reference(entry, item.style)] if item.style else line[:3]
        head = w.join([*reference, *line.awards, line.note], " ")
        blocks = (Block("links", links=tuple(TextLink(link.label, link.url) for link in entry.links)),)
    else:
        dates, blocks = w.to_text(entry.dates), entry.all_blocks
        role = w.join([entry.organization, entry.role], t["comma"])
        head = w.join([entry.heading, entry.subtitle], entry.subtitle_separator or t["comma"])
        if entry.form == "entry":
            head = w.join([w.nest(entry.heading, "heading"), entry.place], t["comma"])
    below = [role, *(part for block in blocks for part in _write_block(w, t, block))]
    return CvRow(head, dates, tuple(filter(None, below)), item.number)


def _write_block(w: CvTextWriter, t: Translations, block: Block) -> Iterable[str | Bullet]:
    if block.bullets:
        return (w.plain(block.label), *block.bullets)
    if block.body:
        return (w.body(block.body),)
    items = [*block.items, *(w.plain(link.text, url=link.url) for link in block.links)]
    joined = w.join(items, t["semicolon" if block.role == "papers" else "comma"])
    return (block.text or (w.label(t, block.label, joined) if block.label else joined),)


def build_text_cv(
    converter: SiteTextConverter, plan: Plan, w: CvTextWriter
) -> tuple[list[str], list[TextSection]]:
    """The lines of the CV's head, and its sections as on the CV page."""
    site = converter.site
    profile, t = site.profile, site.active_theme.translations
    affiliation = ", ".join(organization.name for organization in profile.affiliation)
    position = ", ".join(part for part in (profile.role, affiliation) if part)
    contact = [
        *profile.email,
        *(_format_link(link, t.translate_link_label(link.label, link.url)) for link in profile.links),
        t.format_labelled(t["office"], profile.office) if profile.office else "",
        profile.location,
    ]
    pronouns = f" ({profile.pronouns})" if profile.pronouns else ""
    interests = t["list_comma"].join(profile.interests)
    interests = t.format_labelled(t["interests"], interests) if interests else ""
    contact_line = " · ".join(filter(None, contact))
    lines = (f"# {profile.name}{pronouns}", position, profile.tagline, contact_line, interests)
    head = [converter.resolve_citations_and_urls(line) for line in lines if line]
    return head, [_convert_section(site, section, w) for section in _cv_sections(site, plan)]


def _format_link(link: Link, label: str) -> str:
    """A link in Markdown; that of a telephone is its label, which has the number."""
    return label if url_scheme(link.url) == "tel" else f"[{label}]({link.url})"


def _cv_sections(site: Site, plan: Plan) -> tuple[Section, ...]:
    for page in plan:
        if page.kind == "cv":
            return page.sections
    sections: list[Section] = []
    for config in default_cv_sections(site):
        section = make_section(site, SectionConfig(name=config.name), "cv", sections, Problems())
        if section is not None:
            sections.append(section)
    return tuple(sections)


def _convert_section(site: Site, section: Section, w: CvTextWriter) -> TextSection:
    t, prose = site.active_theme.translations, section.text
    texts = [section.intro, *((prose.summary, prose.body) if prose else ())]
    figures = (
        (
            figure.title,
            # A line of a table of statistics; its last number is in the column of the dates.
            tuple(CvRow(" – ".join(filter(None, row[:2])), row[2]) for row in figure.rows_as_text(t)),
        )
        for figure in section.figures
    )
    groups = ((listing.title, make_rows(site, w, listing.items)) for listing in section.listings)
    return TextSection(
        title=section.title,
        legend=f"(\\* {t['equal']})" if section.legend else "",
        text="\n\n".join(w.body(text) for text in texts if text.strip()),
        groups=(*figures, *groups),
    )


def make_markdown_cv(converter: SiteTextConverter, plan: Plan) -> str:
    """The CV in Markdown."""
    return render_markdown(*build_text_cv(converter, plan, MarkdownWriter(converter)))


def make_text_cv(converter: SiteTextConverter, plan: Plan) -> str:
    """The CV in plain text."""
    return render_text(converter, *build_text_cv(converter, plan, TextWriter(converter)))


def render_markdown(head: Iterable[str], sections: Iterable[TextSection]) -> str:
    """Render the head and the sections in Markdown."""
    blocks = [*head]
    for section in sections:
        if section.title:
            blocks.append(f"## {section.title} {section.legend}".rstrip())
        if section.text:
            blocks.append(section.text)
        for title, rows in section.groups:
            if title:
                blocks.append(f"### {title}")
            blocks.append("\n".join(line for row in rows for line in _render_markdown_row(row)))
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(block for block in blocks if block)) + "\n"


def _render_markdown_row(row: CvRow) -> Iterator[str]:
    yield "- " + _number_head(row, r"\[{}\] ")
    before: str | Bullet | None = None
    for part in row.below:
        if isinstance(part, str):
            yield ""
            yield from (f"  {line}".rstrip() for line in part.splitlines())
        else:
            yield from [""] if isinstance(before, str) else []
            yield from _render_bullets([part], "  ")
        before = part
    if any(isinstance(part, str) for part in row.below):
        yield ""


def _number_head(row: CvRow, pattern: str) -> str:
    """The head of a row after its number, and its dates."""
    number = pattern.format(row.number) if row.number is not None else ""
    return f"{number}{row.head} ({row.dates})" if row.dates else f"{number}{row.head}"


def _render_bullets(bullets: Iterable[Bullet], indent: str) -> Iterator[str]:
    for bullet in bullets:
        yield f"{indent}- {bullet.text}"
        yield from _render_bullets(bullet.bullets, f"{indent}  ")


def render_text(converter: SiteTextConverter, head: Iterable[str], sections: Iterable[TextSection]) -> str:
    """Render in plain text, one fact on each line, for web forms and applicant tracking systems."""
    to_text = converter.to_text_with_urls
    first, *other_lines = head
    lines = [*map(to_text, (first.removeprefix("# "), *other_lines))]
    for section in sections:
        if section.title:
            lines += ["", f"{to_text(section.title).upper()} {to_text(section.legend)}".rstrip()]
        lines += section.text.split("\n\n") if section.text else []
        for title, rows in section.groups:
            lines += ["", to_text(title)] if title else []
            for row in rows:
                lines += ["", _number_head(row, "[{}] ")]
                for part in row.below:
                    lines += [part] if isinstance(part, str) else _render_bullets([part], "")
    return "\n".join(lines) + "\n"
