"""Record which attributes of the site a template reads."""

import contextlib
from collections.abc import Iterator

from tenure.model.site import Site


class TrackedSite:
    """
    Proxy for a Site that records which attributes are read.

    `accessed` has the attributes read since it was last cleared; `always_accessed` those that were read once for all
    pages.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self.accessed: set[str] = set()
        self.always_accessed: set[str] = set()

    def __getattr__(self, name: str) -> object:
        self.accessed.add(name)
        return getattr(self._site, name)

    @contextlib.contextmanager
    def record_for_all_pages(self) -> Iterator[None]:
        """Record what is read meanwhile as read by all pages."""
        previous = set(self.accessed)
        self.accessed.clear()
        try:
            yield
        finally:
            self.always_accessed.update(self.accessed)
            self.accessed.update(previous)
