"""Records which attributes of the site a template reads: a stored page is used again while those are unchanged."""

import contextlib
from collections.abc import Iterator

from tenure.model.site import Site


class TrackedSite:
    """
    A Site that records the names of the attributes that are read.

    `read_attributes` has those that were read since the caller last cleared it, for one page.
    `read_for_all_pages` has those that were read once for all pages, while the templates were loaded.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self.read_attributes: set[str] = set()
        self.read_for_all_pages: set[str] = set()

    def __getattr__(self, name: str) -> object:
        self.read_attributes.add(name)
        return getattr(self._site, name)

    @contextlib.contextmanager
    def record_for_all_pages(self) -> Iterator[None]:
        """Record what is read inside the `with` block also for all pages."""
        read_before = set(self.read_attributes)
        self.read_attributes.clear()
        try:
            yield
        finally:
            self.read_for_all_pages.update(self.read_attributes)
            self.read_attributes.update(read_before)
