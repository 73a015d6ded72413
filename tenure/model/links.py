"""Links and checks of URLs."""

import difflib
import re
from typing import NewType

from tenure.frozen import dataclass

Address = NewType("Address", str)
"""A URL as written: absolute, a path on the site, or the name of a source file."""

SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp", "sftp", "xmpp", "matrix", "geo"})
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A URL with its label."""

    label: str
    url: Address


def scheme_of(address: str) -> str:
    """The scheme of a URL in lower case, or "". White space is removed first, so that it cannot hide a scheme."""
    found = _SCHEME.match("".join(address.split()))
    return found[1].casefold() if found else ""


def is_safe(address: str) -> bool:
    """
    Whether a URL may be linked: it is relative, or its scheme cannot run code.

    Source: OWASP, Cross Site Scripting Prevention Cheat Sheet, on javascript: and data: URLs.
    """
    scheme = scheme_of(address)
    return not scheme or scheme in SCHEMES


_HOST = re.compile(
    r"www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|dev|ai|info|eu|uk|de|fr|ch|at|it|nl|jp|cn|ca|au)(?:/|$)"
)


def is_host(address: str) -> bool:
    """Whether a URL begins with a host name and has no https://."""
    return _HOST.match(address) is not None


def is_local(address: str) -> bool:
    """Whether a URL names a source file: no scheme, no absolute path, no query or fragment alone."""
    return bool(address) and not scheme_of(address) and not address.startswith(("/", "#", "?"))


def instead_of(address: str) -> str:
    """The repair for a URL that may not be linked."""
    scheme = scheme_of(address)
    if len(scheme) == 1 or scheme == "file":
        name = re.split(r"[\\/]", address.strip())[-1]
        return f"put the file into content/files/, and write files/{name}"
    near = difflib.get_close_matches(scheme, ("https", "http", "mailto"), n=1)
    if near:
        return f"write {near[0]}:{address.partition(':')[2]}"
    return "write an https:// address"
