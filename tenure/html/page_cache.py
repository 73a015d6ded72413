"""Cache keys of pages, from the data that they are rendered from."""

import hashlib
import pickle
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from io import BytesIO
from operator import attrgetter
from typing import Any

from tenure.model.entries import Entry
from tenure.model.site import Site
from tenure.plan.tags import map_tags_to_paths
from tenure.record import Record, field_names

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
