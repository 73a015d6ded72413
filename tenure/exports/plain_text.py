"""Converts the site's Markdown for exported files: citations resolved, URLs absolute, or plain text."""

import re
from functools import cached_property

from tenure.html.link_rewriter import LinkRewriter
from tenure.markdown.html import plain_text
from tenure.model.dates import Period
from tenure.model.entries import Markdown, Publication
from tenure.model.file_index import FileIndex
from tenure.model.site import Site
from tenure.plan.citations import CitationLibrary, CitedText, iterate_markdown
from tenure.plan.pages import entry_page_path
from tenure.record import Record

_LINK_TARGET = re.compile(r"(\]\(\s*<?)([^()\s<>]+)")
_EXTERNAL_LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(\s*<?([a-z]+:[^()\s<>]+)>?[^()]*\)|<([a-z]+:[^<>\s]+)>")
"""A Markdown link to another site, or a URL in angle brackets."""


def _spell_out_link(match: re.Match[str]) -> str:
    label, url, bare_url = match.groups()
    url = re.sub(r"([_*~])", r"\\\1", bare_url or url)
    return url if bare_url or label in url else f"{label} ({url})"


class SiteTextConverter(Record, dict=True):
    """Converts texts for a file at the site's root; URLs are absolute if the site has a URL, otherwise relative."""

    site: Site
    library: CitationLibrary
    link_rewriter: LinkRewriter

    @classmethod
    def for_site(cls, site: Site) -> "SiteTextConverter":
        """The converter of a site."""
        link_rewriter = LinkRewriter(
            "/", FileIndex(site.files), site.settings.url, language_paths=site.language_paths
        )
        return cls(site, CitationLibrary.for_site(site, entry_page_path), link_rewriter)

    @cached_property
    def _publication_texts(self) -> frozenset[str]:
        """Texts of publications with "@"; they contain no citations."""
        entries = (entry for collection in self.site.collections.values() for entry in collection.entries)
        publications = [entry for entry in entries if isinstance(entry, Publication)]
        return frozenset(
            text for publication in publications for text in iterate_markdown(publication) if "@" in text
        )

    def _may_cite(self, text: str) -> bool:
        """Whether a text may contain citations."""
        return "@" in text and text not in self._publication_texts

    def resolve_citations(self, text: str) -> CitedText:
        """A Markdown text with resolved citations, and the publications cited."""
        return (
            self.library.resolve_citations(text)
            if self._may_cite(text)
            else CitedText(Markdown(text), (), (), ())
        )

    def resolve_markdown(self, text: str) -> str:
        """A Markdown text with resolved citations and URLs."""
        resolved = self.resolve_citations(text).text
        return (
            _LINK_TARGET.sub(lambda match: f"{match[1]}{self.resolve_url(match[2])}", resolved)
            if "](" in resolved
            else resolved
        )

    def to_plain_text(self, text: str) -> str:
        """Plain text without control characters."""
        visible_text = plain_text(self.library.render_without_links(text) if self._may_cite(text) else text)
        return (
            visible_text
            if visible_text.isprintable()
            else "".join(c for c in visible_text if c.isprintable() or c in "\n\t")
        )

    def to_text_with_urls(self, text: str) -> str:
        """Plain text; the URL of an external link follows its label."""
        return self.to_plain_text(
            _EXTERNAL_LINK.sub(_spell_out_link, text) if "](" in text or "<" in text else text
        )

    def resolve_url(self, url: str) -> str:
        """Resolve a URL for a file at the site's root."""
        return self.link_rewriter.rewrite_url(url)

    def format_periods(self, *periods: Period | None) -> str:
        """Periods in the site's language, joined with commas."""
        return ", ".join(
            period.format_text(self.site.active_theme.translations) for period in periods if period
        )
