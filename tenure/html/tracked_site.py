"""Record which attributes of the site a template reads."""

from tenure.model.site import Site


class TrackedSite:
    """
    Proxy for a Site that records which attributes are read.

    `accessed` has the attributes read since it was last cleared; `always_accessed` those that a template read while it
    was imported.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self.accessed: set[str] = set()
        self.always_accessed: set[str] = set()

    def __getattr__(self, name: str) -> object:
        self.accessed.add(name)
        return getattr(self._site, name)
