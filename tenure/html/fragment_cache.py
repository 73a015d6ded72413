"""Cache of page fragments: after an edit, most entries of a long list need no rendering."""

import pickle
from collections.abc import Callable

from markupsafe import Markup

from tenure.cache.store import CacheFile
from tenure.html.page_cache import PageKeys
from tenure.html.tracked_site import TrackedSite
from tenure.record import Record, field


class FragmentCache(Record):
    """The cached output of macros. `requested` has the keys used by the current page, with the new values."""

    page_keys: PageKeys
    tracked_site: TrackedSite
    store: CacheFile
    requested: dict[str, bytes] = field(default_factory=dict)

    def render_cached(self, name: tuple[object, ...], macro: Callable[..., str], *values: object) -> Markup:
        """Return the output of a macro for some values, from the cache if its inputs are unchanged."""
        key = self.page_keys.digest_key(name, values)
        accessed = self.tracked_site.accessed
        body = self.store.get(key)
        if body is not None:
            digests, html = pickle.loads(body)  # noqa: S301 - the store has only values that this program wrote
            if self.page_keys.is_unchanged(digests):
                self.requested.setdefault(key, b"")
                accessed.update(digests)
                return Markup(html)  # noqa: S704 - the output of a macro
        previous = {*accessed}
        accessed.clear()
        rendered_html = macro(*values)
        self.requested[key] = pickle.dumps(
            (self.page_keys.digests(accessed | self.tracked_site.always_accessed), str(rendered_html))
        )
        self.store.put(key, self.requested[key])
        accessed.update(previous)
        return Markup(rendered_html)  # noqa: S704 - as above
