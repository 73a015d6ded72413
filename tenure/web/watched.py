"""The site as templates see it: which of its parts they look at is noted."""

from tenure.model.site import Site


class Watched:
    """
    Stands for a Site in templates and filters.

    `looked` has the parts that were looked at since it was last emptied; `always` those that a part of a theme looked
    at when it was loaded, once for all pages.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self.looked: set[str] = set()
        self.always: set[str] = set()

    def __getattr__(self, name: str) -> object:
        self.looked.add(name)
        return getattr(self._site, name)
