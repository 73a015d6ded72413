"""
Converts Markdown for exported files: to Markdown with whole URLs and citations, or to plain text.
"""

import json
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from tenure.html.urls import UrlResolver
from tenure.markdown.html import plain_text
from tenure.model.entries import Markdown
from tenure.model.files import FileIndex
from tenure.model.site import Site
from tenure.plan.citations import CitationLibrary, CitedText, list_texts_without_citations
from tenure.plan.pages import entry_page_path
from tenure.record import Record

_LINK_START_AND_TARGET = re.compile(r"(\]\(\s*<?)([^()\s<>]+)")
"""The parts "](" and "talks/" of the Markdown link [Talks](talks/)."""

_LINK_WITH_SCHEME = re.compile(
    r"""
    (?<!!)\[(?P<label>[^\[\]]*)\]\(\s*<?(?P<url>[a-z]+:[^()\s<>]+)>?[^()]*\)    # [ACM](https://acm.org)
    | <(?P<bare_url>[a-z]+:[^<>\s]+)>                                           # <https://acm.org>
    """,
    re.VERBOSE,
)
"""A Markdown link with a whole URL."""

_KEPT_CHARACTERS = "\n\t\u00a0\u202f\u200c\u200d"
"""Line breaks, tabs, no-break spaces, and the characters that decide how letters and emoji join."""


def _replace_link_with_url(match: re.Match[str]) -> str:
    """The label and the URL of a link; Markdown characters in the URL are escaped."""
    label, url, bare_url = match.groups()
    url = re.sub(r"([_*~])", r"\\\1", bare_url or url)
    return url if bare_url or label in url else f"{label} ({url})"


class SiteTextConverter(Record, dict=True):
    """Converts texts for a file at the site's root; URLs are absolute if the site has a URL."""

    site: Site
    library: CitationLibrary
    urls: UrlResolver

    @classmethod
    def for_site(cls, site: Site) -> "SiteTextConverter":
        """The converter for the files of a site."""
        urls = UrlResolver(FileIndex(site.files), site.language_paths)
        return cls(site, CitationLibrary.for_site(site, entry_page_path), urls)

    @cached_property
    def _texts_without_citations(self) -> frozenset[str]:
        return frozenset(list_texts_without_citations(self.site))

    def _may_cite(self, text: str) -> bool:
        return "@" in text and text not in self._texts_without_citations

    def resolve_citations(self, text: str) -> CitedText:
        """A Markdown text with resolved citations, and the publications cited."""
        if not self._may_cite(text):
            return CitedText(Markdown(text))
        return self.library.resolve_citations(text)

    def resolve_citations_and_urls(self, text: str) -> str:
        """A Markdown text with resolved citations and URLs."""
        resolved = self.resolve_citations(text).text
        if "](" not in resolved:
            return resolved
        return _LINK_START_AND_TARGET.sub(lambda match: f"{match[1]}{self.resolve_url(match[2])}", resolved)

    def to_plain_text(self, text: str) -> str:
        """Plain text without control characters."""
        if self._may_cite(text):
            text = self.library.render_without_links(text)
        return remove_control_characters(plain_text(text))

    def to_text_with_urls(self, text: str) -> str:
        """Plain text; the URL of an external link follows its label."""
        return self.to_plain_text(_LINK_WITH_SCHEME.sub(_replace_link_with_url, text))

    def resolve_url(self, url: str) -> str:
        """Resolve a URL for a file at the site's root."""
        return self.urls.locate(url, "/", self.site.settings.url)


def remove_control_characters(text: str) -> str:
    """A text without characters that are neither visible nor a line break or a joiner."""
    if text.isprintable():
        return text
    return "".join(c for c in text if c.isprintable() or c in _KEPT_CHARACTERS)


def format_json_list(items: Sequence[Any], margin: str = "") -> str:
    """A JSON list with one item a line, so that a diff is short; `margin` is before its last line."""
    if not items:
        return "[]"
    lines = ",\n".join(f"{margin}  {json.dumps(item, ensure_ascii=False)}" for item in items)
    return f"[\n{lines}\n{margin}]"
