"""Cache of page fragments: after an edit, most entries of a long list need no rendering."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from markupsafe import Markup

from tenure.cache.store import CacheStore
from tenure.html.page_cache import STORE_NAME, PageKeys
from tenure.html.tracked_site import TrackedSite
from tenure.record import Record, field


class Fragment(NamedTuple):
    """The output of a macro, and the digests of the attributes of the site that it read."""

    digests: Mapping[str, bytes]
    html: str


class FragmentCache(Record):
    """
    The cached output of macros. `rendered` has those that the current page rendered, by key.

    They are put into the store by the process that collects the pages.
    """

    page_keys: PageKeys
    tracked_site: TrackedSite
    store: CacheStore
    rendered: dict[str, Fragment] = field(default_factory=dict)

    def render_cached(self, name: tuple[object, ...], macro: Callable[..., str], *values: object) -> Markup:
        """Return the output of a macro for some values, from the cache if its inputs are unchanged."""
        key = self.page_keys.digest_key(name, values)
        read_attributes = self.tracked_site.read_attributes
        stored = self.rendered.get(key) or self.store.find(STORE_NAME, None, key)
        if isinstance(stored, Fragment) and self.page_keys.is_unchanged(stored.digests):
            read_attributes.update(stored.digests)
            return Markup(stored.html)  # noqa: S704 - the output of a macro
        previous = {*read_attributes}
        read_attributes.clear()
        rendered_html = macro(*values)
        digests = self.page_keys.digests(read_attributes | self.tracked_site.read_for_all_pages)
        self.rendered[key] = Fragment(digests, str(rendered_html))
        read_attributes.update(previous)
        return Markup(rendered_html)  # noqa: S704 - as above
