"""Cache keys of pages, from the data that they are rendered from."""

import hashlib
import pickle
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from io import BytesIO
from operator import attrgetter
from typing import Any

from tenure.model.scholar import Entry
from tenure.model.site import Site
from tenure.recall import Recall
from tenure.web.tags import paths_of

EVERYWHERE = ("profile", "settings", "files")
"""Attributes of a site that every page may show. They are part of each key and are not recorded per page."""


class Sameness:
    """
    Computes cache keys for pages and fragments.

    `identity` is the digest of all shared data of the pages except the site.
    """

    def __init__(self, site: Site, identity: bytes, recall: Recall) -> None:
        self._site = site
        self._reducers = _Reducers(recall)
        everywhere = [getattr(site, name) for name in EVERYWHERE]
        everywhere[-1] = sorted(site.files)
        everywhere.append(paths_of(site))
        self._salt = _digest((identity, everywhere), self._reducers)
        self._parts: dict[str, bytes] = {}

    def key(self, *values: object) -> str:
        """Return the digest of values and of the shared data. Positions in source files do not affect it."""
        return _digest(values, self._reducers, self._salt).hex()

    def parts(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return the digests of attributes of the site, by name."""
        return {name: self._part(name) for name in sorted({*names}.difference(EVERYWHERE))}

    def still(self, parts: Mapping[str, bytes]) -> bool:
        """Return whether attributes of the site still have these digests."""
        return all(self._part(name) == digest for name, digest in parts.items())

    def _part(self, name: str) -> bytes:
        if name not in self._parts:
            self._parts[name] = _digest(getattr(self._site, name, None), self._reducers)
        return self._parts[name]


Reduced = tuple[Callable[..., object], tuple[object, ...]]


class _Reducers(dict[type, Callable[[Any], Reduced]]):
    """
    Pickle reducers: a record is reduced to its fields, without `source`.

    Each entry is digested once, because several pages show it.
    """

    def __init__(self, recall: Recall) -> None:
        super().__init__()
        self._recall = recall
        self._entries: dict[int, tuple[Entry, bytes]] = {}

    def __missing__(self, kind: type) -> Callable[[Any], Reduced]:
        if not is_dataclass(kind):
            raise KeyError(kind)
        values = attrgetter(*(field.name for field in fields(kind) if field.name != "source"))

        def whole(value: object) -> Reduced:
            return kind, (values(value),)

        def once(entry: Entry) -> Reduced:
            known = self._entries.get(id(entry))
            if known is None:
                found = self._recall.get("digest", entry)
                digest = found if isinstance(found, bytes) else _digest((kind, values(entry)), self)
                self._recall.put("digest", entry, digest)
                known = self._entries[id(entry)] = (entry, digest)
            return bytes, (known[1],)

        self[kind] = once if issubclass(kind, Entry) else whole
        return self[kind]


def _digest(value: object, reducers: _Reducers, salt: bytes = b"") -> bytes:
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
