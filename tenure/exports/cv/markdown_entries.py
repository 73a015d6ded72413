"""Entries of a CV in Markdown: a head with its dates, and the lines and bullets below."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from tenure.exports.plain_text import SiteTextConverter
from tenure.model.entries import Publication
from tenure.model.site import SelectedStyle
from tenure.plan.sections import ListItem
from tenure.presentation.blocks import Block, Bullet
from tenure.presentation.citation import Citation
from tenure.presentation.entries import EntryLines, EntryPresenter
from tenure.presentation.phrases import (
    Phrase,
    Span,
    ends_sentence,
    join_phrases,
    label_fact,
    markdown_phrase,
    nest_phrase,
    phrase_to_text,
    plain_phrase,
)
from tenure.presentation.reference import format_reference
from tenure.record import Record

BOLD_ROLES = frozenset({"heading", "duty", "owner", "strong"})
EMPHASIZED_ROLES = frozenset({"venue", "emphasis"})


class MarkdownPoint(Record):
    """A bullet point in Markdown, with its nested bullet points."""

    text: str
    points: tuple["MarkdownPoint", ...] = ()


class MarkdownRow(Record):
    """An entry in Markdown: its head, its dates, and below them texts and bullet points in order."""

    head: str
    dates: str = ""
    below: tuple[str | MarkdownPoint, ...] = ()


class MarkdownRowBuilder(Record, dict=True):
    """Converts entries to Markdown rows."""

    converter: SiteTextConverter

    @cached_property
    def _presenter(self) -> EntryPresenter:
        site = self.converter.site
        return EntryPresenter.for_site(site)

    def make_rows(self, items: Sequence[ListItem]) -> list[MarkdownRow]:
        """The entries of a list as rows with all their facts."""
        others = [item.entry for item in items if not isinstance(item.entry, Publication)]
        lines = iter(self._presenter.present_list(others))
        return [
            self._publication_row(
                Citation(item.entry, self._presenter.t, citations=item.citations), item.style
            )
            if isinstance(item.entry, Publication)
            else self._entry_row(next(lines))
            for item in items
        ]

    def _entry_row(self, lines: EntryLines) -> MarkdownRow:
        comma = self._presenter.t["comma"]
        if lines.form == "line":
            head = join_phrases([lines.heading, lines.subtitle], comma)
        else:
            head = join_phrases([nest_phrase(lines.heading, "heading"), lines.place], comma)
        role = join_phrases([lines.organization, lines.role], comma)
        below = [
            *self._convert_text(role),
            *(part for block in lines.all_blocks for part in self._block(block)),
        ]
        return MarkdownRow(self.phrase_markdown(head), phrase_to_text(lines.dates), tuple(below))

    def _publication_row(self, citation: Citation, style: SelectedStyle | None) -> MarkdownRow:
        people = citation.credits().join_visible(self._presenter.t["comma"])
        lines = [people, markdown_phrase(citation.paper.title, "heading"), citation.venue_line()]
        reference = (
            format_reference(citation, style) if style else join_phrases(map(_end_sentence, lines), " ")
        )
        remarks = [*(nest_phrase(award, "strong") for award in citation.awards), citation.note]
        links = Block("links", items=tuple(plain_phrase(link.label, url=link.url) for link in citation.links))
        head = self.phrase_markdown(join_phrases([reference, *map(_end_sentence, remarks)], " "))
        return MarkdownRow(head, below=tuple(self._block(links)))

    def _block(self, block: Block) -> Iterable[str | MarkdownPoint]:
        if block.bullets:
            return (*self._convert_text(plain_phrase(block.label)), *self._convert_bullets(block.bullets))
        if block.body:
            return (self.converter.resolve_citations_and_urls(block.body).strip(),)
        separator = self._presenter.t["semicolon" if block.role == "papers" else "comma"]
        items = join_phrases(block.items, separator)
        return self._convert_text(
            block.text or (label_fact(self._presenter.t, block.label, items) if block.label else items)
        )

    def _convert_text(self, phrase: Phrase) -> tuple[str, ...]:
        return (self.phrase_markdown(phrase),) if phrase else ()

    def _convert_bullets(self, bullets: Iterable[Bullet]) -> tuple[MarkdownPoint, ...]:
        return tuple(
            MarkdownPoint(self.phrase_markdown(bullet.text), self._convert_bullets(bullet.bullets))
            for bullet in bullets
        )

    def phrase_markdown(self, phrase: Phrase) -> str:
        """A phrase in Markdown, on one line."""
        return "".join(map(self._span_markdown, phrase))

    def _span_markdown(self, span: Span) -> str:
        if span.spans:
            text = self.phrase_markdown(span.spans)
        elif span.is_markdown:
            text = self.converter.resolve_citations_and_urls(" ".join(span.text.split()))
        else:
            text = _escape_markdown(span.text)
        if span.url and "](" not in text:
            url = self.converter.resolve_url(span.url)
            text = f"[{text}](<{url}>)" if re.search(r"[()\s]", url) else f"[{text}]({url})"
        if span.role in BOLD_ROLES and "**" not in text:
            return f"**{text}**"
        return f"*{text}*" if span.role in EMPHASIZED_ROLES and "*" not in text else text


def _end_sentence(phrase: Phrase) -> Phrase:
    """Add a period unless the text is empty or ends with a punctuation mark."""
    return phrase if ends_sentence(phrase_to_text(phrase)) else (*phrase, Span("."))


_MARKDOWN_CHARACTERS = re.compile(r"[\\`*_\[\]<>#@$]")
"""Characters of a name that Markdown may interpret."""


@lru_cache(maxsize=65536)
def _escape_markdown(text: str) -> str:
    return _MARKDOWN_CHARACTERS.sub(r"\\\g<0>", text)
