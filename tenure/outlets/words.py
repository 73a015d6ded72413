"""Converts the site's Markdown for exported files: citations resolved, URLs absolute, or plain text."""

import re
from functools import cached_property

from tenure.frozen import dataclass
from tenure.model.dates import Period
from tenure.model.files import Files
from tenure.model.scholar import Publication
from tenure.model.site import Site
from tenure.text import plain
from tenure.web.citations import Library, texts_of
from tenure.web.finish import Finish
from tenure.web.pages import address

_LINK = re.compile(r"(\]\(\s*<?)([^()\s<>]+)")
_LEADING = re.compile(r"(?<!!)\[([^\[\]]*)\]\(\s*<?([a-z]+:[^()\s<>]+)>?[^()]*\)|<([a-z]+:[^<>\s]+)>")
"""A Markdown link to another site, or a URL in angle brackets."""


def _spelled(found: re.Match[str]) -> str:
    label, address, bare = found.groups()
    address = re.sub(r"([_*~])", r"\\\1", bare or address)
    return address if bare or label in address else f"{label} ({address})"


@dataclass(frozen=True)
class Words:
    """Converts texts for a file at the site's root; URLs are absolute if the site has a URL, otherwise relative."""

    site: Site
    library: Library
    addresses: Finish

    @classmethod
    def of(cls, site: Site) -> "Words":
        """The converter of a site."""
        addresses = Finish("/", Files(site.files), site.settings.url)
        return cls(site, Library.of(site, address), addresses)

    @cached_property
    def _silent(self) -> frozenset[str]:
        """Texts of publications with "@"; they contain no citations."""
        entries = (entry for collection in self.site.collections.values() for entry in collection.entries)
        papers = [entry for entry in entries if isinstance(entry, Publication)]
        return frozenset(words for paper in papers for words in texts_of(paper) if "@" in words)

    def _cites(self, text: str) -> bool:
        """Whether a text may contain citations."""
        return "@" in text and text not in self._silent

    def markdown(self, text: str) -> str:
        """A Markdown text with resolved citations and URLs."""
        words = self.library.cite(text).text if self._cites(text) else text
        return (
            _LINK.sub(lambda found: f"{found[1]}{self.address(found[2])}", words) if "](" in words else words
        )

    def plain(self, text: str) -> str:
        """Plain text without control characters."""
        words = plain(self.library.spoken(text) if self._cites(text) else text)
        return words if words.isprintable() else "".join(c for c in words if c.isprintable() or c in "\n\t")

    def spelled(self, text: str) -> str:
        """Plain text; the URL of an external link follows its label."""
        return self.plain(_LEADING.sub(_spelled, text) if "](" in text or "<" in text else text)

    def address(self, written: str) -> str:
        """Resolve a URL for a file at the site's root."""
        return self.addresses.address(written)

    def period(self, *periods: Period | None) -> str:
        """Periods in the site's language, joined with commas."""
        return ", ".join(period.written(self.site.look.words) for period in periods if period)
