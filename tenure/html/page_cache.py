"""Cache of pages and their fragments: keys, and which attributes of the site a template reads."""

import contextlib
import hashlib
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from io import BytesIO
from operator import attrgetter
from typing import Any, NamedTuple

from markupsafe import Markup

from tenure.cache.store import CacheStore
from tenure.model.entries import Entry
from tenure.model.site import Site
from tenure.plan.tags import map_tags_to_paths
from tenure.record import Record, field, field_names

STORE_NAME = "pages"
"""The name of rendered pages and fragments in the store."""

SHARED_PARTS = ("profile", "settings", "files")
"""Attributes of a site that every page may show. They are part of each key and are not recorded per page."""


class PageKeys:
    """
    Computes cache keys for pages and fragments.

    `identity` is the digest of all shared data of the pages except the site.
    """

    def __init__(self, site: Site, identity: bytes) -> None:
        self._site = site
        everywhere = [getattr(site, name) for name in SHARED_PARTS]
        everywhere[-1] = sorted(site.files)
        everywhere += [map_tags_to_paths(site), site.people]
        self._salt = _digest_of_value((identity, everywhere), _REDUCERS)
        self._part_digests: dict[str, bytes] = {}

    def digest_key(self, *values: object) -> str:
        """Return the digest of values and of the shared data. Positions in source files do not affect it."""
        return _digest_of_value(values, _REDUCERS, self._salt).hex()

    def digests(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return the digests of attributes of the site, by name."""
        return {name: self._digest_of_part(name) for name in sorted({*names}.difference(SHARED_PARTS))}

    def is_unchanged(self, digests: Mapping[str, bytes]) -> bool:
        """Return whether attributes of the site still have these digests."""
        return all(self._digest_of_part(name) == digest for name, digest in digests.items())

    def _digest_of_part(self, name: str) -> bytes:
        if name not in self._part_digests:
            self._part_digests[name] = _digest_of_value(getattr(self._site, name, None), _REDUCERS)
        return self._part_digests[name]


ReducedValue = tuple[Callable[..., object], tuple[object, ...]]


class _PickleReducers(dict[type, Callable[[Any], ReducedValue]]):
    """Pickle reducers: an entry is reduced to its digest, another record to its fields without `source`."""

    def __missing__(self, kind: type) -> Callable[[Any], ReducedValue]:
        if not issubclass(kind, Record):
            raise KeyError(kind)
        values = attrgetter(*(name for name in field_names(kind) if name not in ("source", "places")))

        def reduce_record(value: object) -> ReducedValue:
            return kind, (values(value),)

        @lru_cache(maxsize=65536)
        def reduce_entry(entry: Entry) -> ReducedValue:
            return bytes, (_digest_of_value((kind, values(entry)), self),)

        self[kind] = reduce_entry if issubclass(kind, Entry) else reduce_record
        return self[kind]


_REDUCERS = _PickleReducers()
"""The reducers of this process. A preview digests only the entries that changed since its last build: comparing two takes 4 µs."""


def _digest_of_value(value: object, reducers: _PickleReducers, salt: bytes = b"") -> bytes:
    """
    Return a digest that depends only on the value.

    `fast` disables pickle's table of seen objects, which makes the bytes depend on the identity of equal strings.
    """
    body = BytesIO()
    pickler = pickle.Pickler(body, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.fast = True
    pickler.dispatch_table = reducers
    pickler.dump(value)
    return hashlib.blake2b(body.getvalue(), digest_size=16, key=salt).digest()


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
