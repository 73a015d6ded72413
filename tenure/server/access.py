"""Access to the preview: this machine only, or also devices of the local network that have the token."""

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Sequence

from tenure.record import Record

LOOPBACK_ADDRESS = "127.0.0.1"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""Host names that a browser on this machine uses; any other name can be a DNS rebinding attack by another page."""

WILDCARD_ADDRESSES = frozenset({"0.0.0.0", "::"})  # noqa: S104 - the user asks for it with --host
"""Hosts that mean every address of this machine."""

_TOKEN_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # noqa: S105 - the letters of tokens, not a token
"""Letters and digits that are not easily confused when typed."""


class Access(Record):
    """
    The address that the preview listens on, and the token that other devices need.

    Without a `token`, `host` is the loopback address, and only this machine has access.
    """

    host: str = LOOPBACK_ADDRESS
    token: str = ""

    @classmethod
    def for_host(cls, host: str) -> "Access":
        """
        Return the access for an IP address of this machine, with a new token unless it is a loopback address.

        Raises ValueError if `host` is not an IP address, and OSError if this machine does not have it.
        """
        if host in LOOPBACK_NAMES or ipaddress.ip_address(host).is_loopback:
            return cls()
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.bind((host, 0))
        return cls(host, "".join(secrets.choice(_TOKEN_CHARACTERS) for _ in range(10)))

    @property
    def listen_addresses(self) -> Sequence[str]:
        """The addresses to listen on, always including the loopback address."""
        return [self.host] if self.host in (LOOPBACK_ADDRESS, "0.0.0.0") else [LOOPBACK_ADDRESS, self.host]  # noqa: S104 - as above

    def is_allowed_host(self, name: str) -> bool:
        """
        Whether a request with this host name is accepted: a loopback name, or with a token also any IP address.

        IP addresses are safe, because DNS rebinding needs a name.
        """
        return name in LOOPBACK_NAMES or (bool(self.token) and is_ip_address(name))

    def is_valid_token(self, token: str) -> bool:
        """Whether this is the token, compared in constant time."""
        return bool(self.token) and hmac.compare_digest(token.encode(), self.token.encode())

    def reachable_addresses(self) -> Sequence[str]:
        """The addresses of this machine for other devices, as written in URLs; empty without a token."""
        if not self.token:
            return []
        addresses = _find_network_addresses() if self.host in WILDCARD_ADDRESSES else [self.host]
        return [f"[{address}]" if ":" in address else address for address in addresses]


def is_ip_address(name: str) -> bool:
    """Whether a host name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback_address(address: str) -> bool:
    """Whether an address is a loopback address of this machine."""
    return is_ip_address(address) and ipaddress.ip_address(address).is_loopback


def _find_network_addresses() -> list[str]:
    """The IPv4 addresses of this machine, that of the default route first. Sends nothing."""
    addresses: dict[str, None] = {}
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(
                ("192.0.2.1", 9)
            )  # an address for documentation (RFC 5737); UDP connects without a packet
            addresses[str(probe.getsockname()[0])] = None
    except OSError:
        addresses.clear()  # no network; the machine's own name may still have addresses
    try:
        entries = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        entries = []
    addresses |= dict.fromkeys(str(entry[4][0]) for entry in entries)
    return [address for address in addresses if not is_loopback_address(address)]
