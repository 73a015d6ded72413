"""Who may see the preview: this machine alone, or whoever in the local network has its token."""

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Sequence

from tenure.frozen import dataclass

LOOPBACK = "127.0.0.1"
NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names by which a browser on this machine asks for the preview; any other is a foreign page's way in (DNS rebinding)."""

EVERY_ADDRESS = frozenset({"0.0.0.0", "::"})  # noqa: S104 - what the person asks for by --host
"""Hosts that stand for every address of this machine."""

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not mistaken for one another when they are typed."""


@dataclass(frozen=True, slots=True)
class Access:
    """
    Who may see the preview.

    `host` is the address to listen at; without a `token` it is the loopback address, and only this machine may ask.
    """

    host: str = LOOPBACK
    token: str = ""

    @classmethod
    def at(cls, host: str) -> "Access":
        """
        Access at an IP address of this machine, with a new token unless that is a loopback address.

        Raises ValueError for anything else, and OSError for an address that this machine does not have.
        """
        if host in NAMES or ipaddress.ip_address(host).is_loopback:
            return cls()
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.bind((host, 0))
        return cls(host, "".join(secrets.choice(_LETTERS) for _ in range(10)))

    @property
    def listens_at(self) -> Sequence[str]:
        """The addresses to listen at: the loopback address is always one."""
        return [self.host] if self.host in (LOOPBACK, "0.0.0.0") else [LOOPBACK, self.host]  # noqa: S104 - as above

    def knows(self, name: str) -> bool:
        """
        Whether a request under this host name can be one for the preview.

        In a network that is an IP address too: DNS rebinding needs a name.
        """
        return name in NAMES or (bool(self.token) and is_address(name))

    def admits(self, token: str) -> bool:
        """Whether this is the token."""
        return bool(self.token) and hmac.compare_digest(token.encode(), self.token.encode())

    def addresses(self) -> Sequence[str]:
        """The addresses at which other devices reach this machine, as URLs have them; none without a token."""
        if not self.token:
            return []
        found = _own_addresses() if self.host in EVERY_ADDRESS else [self.host]
        return [f"[{address}]" if ":" in address else address for address in found]


def is_address(name: str) -> bool:
    """Whether a host is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    """Whether a request from this address comes from this machine."""
    return is_address(address) and ipaddress.ip_address(address).is_loopback


def _own_addresses() -> list[str]:
    """The IPv4 addresses of this machine in a network, that of the usual way out first; nothing is sent."""
    found: dict[str, None] = {}
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(
                ("192.0.2.1", 9)
            )  # an address for documentation (RFC 5737); UDP connects without a packet
            found[str(probe.getsockname()[0])] = None
    except OSError:
        found.clear()  # no network: there may still be addresses under the machine's own name
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        entries = []
    found |= dict.fromkeys(str(entry[4][0]) for entry in entries)
    return [address for address in found if not is_loopback(address)]
