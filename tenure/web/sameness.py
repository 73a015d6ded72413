"""Digests of what pages are made from."""

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
"""What of a site any page may show, so that it is not noted page by page."""


class Sameness:
    """
    Tells whether what is made of a site would be the same again.

    `identity` is what all pages have in common beside the site itself.
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
        """The digest of values and of what all pages share; where their sources stand in a file does not matter."""
        return _digest(values, self._reducers, self._salt).hex()

    def parts(self, names: Iterable[str]) -> dict[str, bytes]:
        """The digests of parts of the site, by name."""
        return {name: self._part(name) for name in sorted({*names}.difference(EVERYWHERE))}

    def still(self, parts: Mapping[str, bytes]) -> bool:
        """Whether parts of the site are as they were."""
        return all(self._part(name) == digest for name, digest in parts.items())

    def _part(self, name: str) -> bytes:
        if name not in self._parts:
            self._parts[name] = _digest(getattr(self._site, name, None), self._reducers)
        return self._parts[name]


Reduced = tuple[Callable[..., object], tuple[object, ...]]


class _Reducers(dict[type, Callable[[Any], Reduced]]):
    """
    How values become bytes: a dataclass by its fields, all at once, but for the place in its source.

    An entry, of which a site has many and shows each in several places, is digested once.
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
    The digest of bytes that depend on nothing but a value.

    Pickle's memo would make them depend on which of its equal strings are one object; `fast` does without it.
    """
    body = BytesIO()
    pickler = pickle.Pickler(body, protocol=pickle.HIGHEST_PROTOCOL)
    pickler.fast = True
    pickler.dispatch_table = reducers
    pickler.dump(value)
    return hashlib.blake2b(body.getvalue(), digest_size=16, key=salt).digest()
