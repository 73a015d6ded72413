"""A link, and which addresses may be one."""

import difflib
import re
from typing import NewType

from tenure.frozen import dataclass

Address = NewType("Address", str)
"""An address as written: on the web, on the site, or the name of a file beside the sources."""

SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp", "sftp", "xmpp", "matrix", "geo"})
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """An address with the words shown for it."""

    label: str
    url: Address


def scheme_of(address: str) -> str:
    """The scheme of an address in lower case, "" for one without; white space in it hides nothing."""
    found = _SCHEME.match("".join(address.split()))
    return found[1].casefold() if found else ""


def is_safe(address: str) -> bool:
    """
    Whether an address may be linked: relative, or of a scheme that runs nothing.

    Source: OWASP, Cross Site Scripting Prevention Cheat Sheet, on javascript: and data: addresses.
    """
    scheme = scheme_of(address)
    return not scheme or scheme in SCHEMES


_HOST = re.compile(
    r"www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|dev|ai|info|eu|uk|de|fr|ch|at|it|nl|jp|cn|ca|au)(?:/|$)"
)


def is_host(address: str) -> bool:
    """Whether an address begins with the name of a host, and lacks its https://."""
    return _HOST.match(address) is not None


def is_local(address: str) -> bool:
    """Whether an address names a file beside the sources: no scheme, no path from the root, no place of the page."""
    return bool(address) and not scheme_of(address) and not address.startswith(("/", "#", "?"))


def instead_of(address: str) -> str:
    """What to write instead of an address that may not be linked."""
    scheme = scheme_of(address)
    if len(scheme) == 1 or scheme == "file":
        name = re.split(r"[\\/]", address.strip())[-1]
        return f"put the file into content/files/, and write files/{name}"
    near = difflib.get_close_matches(scheme, ("https", "http", "mailto"), n=1)
    if near:
        return f"write {near[0]}:{address.partition(':')[2]}"
    return "write an https:// address"
